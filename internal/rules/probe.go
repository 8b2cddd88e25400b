package rules

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cloud.google.com/go/firestore"
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/api/iterator"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/index"
)

// An operation is one way in which a client can get at documents of an index.
type operation struct {
	name string
	// try does it, with a document for those that are about one. It returns nil
	// if the operation got through the rules.
	try func(ctx context.Context, c *firestore.Client, doc *firestore.DocumentRef,
		fields map[string]any) error
	// absent: the document must not exist beforehand.
	absent bool
	// writes: the document has to be put back afterwards if it got through.
	writes bool
}

// documentOperations are tried on every document of an index.
var documentOperations = []operation{
	{name: "get", try: func(ctx context.Context, _ *firestore.Client, doc *firestore.DocumentRef,
		_ map[string]any) error {
		_, err := doc.Get(ctx)
		return err
	}},
	{name: "get in a transaction", try: func(ctx context.Context, c *firestore.Client,
		doc *firestore.DocumentRef, _ map[string]any) error {
		return c.RunTransaction(ctx, func(_ context.Context, tx *firestore.Transaction) error {
			_, err := tx.Get(doc)
			return err
		}, firestore.ReadOnly)
	}},
	{name: "query by id", try: func(ctx context.Context, _ *firestore.Client,
		doc *firestore.DocumentRef, _ map[string]any) error {
		return drain(doc.Parent.Where(firestore.DocumentID, "==", doc).Documents(ctx))
	}},
	{name: "listen", try: func(ctx context.Context, _ *firestore.Client, doc *firestore.DocumentRef,
		_ map[string]any) error {
		snapshots := doc.Snapshots(ctx)
		defer snapshots.Stop()
		_, err := snapshots.Next()
		return err
	}},
	{name: "create", absent: true, writes: true,
		try: func(ctx context.Context, _ *firestore.Client, doc *firestore.DocumentRef,
			fields map[string]any) error {
			_, err := doc.Create(ctx, fields)
			return err
		}},
	{name: "set", writes: true, try: func(ctx context.Context, _ *firestore.Client,
		doc *firestore.DocumentRef, fields map[string]any) error {
		_, err := doc.Set(ctx, fields)
		return err
	}},
	{name: "update", writes: true, try: func(ctx context.Context, _ *firestore.Client,
		doc *firestore.DocumentRef, _ map[string]any) error {
		_, err := doc.Update(ctx, []firestore.Update{{Path: "forged", Value: true}})
		return err
	}},
	{name: "delete", writes: true, try: func(ctx context.Context, _ *firestore.Client,
		doc *firestore.DocumentRef, _ map[string]any) error {
		_, err := doc.Delete(ctx)
		return err
	}},
	{name: "set in a transaction", writes: true,
		try: func(ctx context.Context, c *firestore.Client, doc *firestore.DocumentRef,
			fields map[string]any) error {
			return c.RunTransaction(ctx, func(_ context.Context, tx *firestore.Transaction) error {
				return tx.Set(doc, fields)
			}, firestore.MaxAttempts(1))
		}},
	{name: "set in a batch", writes: true,
		try: func(ctx context.Context, c *firestore.Client, doc *firestore.DocumentRef,
			fields map[string]any) error {
			//lint:ignore SA1019 a client's batch is one commit, as here; what BulkWriter sends is for servers only
			_, err := c.Batch().Set(doc, fields).Set(doc, fields).Commit(ctx)
			return err
		}},
}

// collectionOperations are tried once a client: they are about all documents at
// once. Not among them is what Firestore refuses to all clients whatever the
// rules: to list collections, and to write without a commit (BatchWrite).
var collectionOperations = []operation{
	{name: "list", try: func(ctx context.Context, _ *firestore.Client, doc *firestore.DocumentRef,
		_ map[string]any) error {
		_, err := doc.Parent.DocumentRefs(ctx).GetAll()
		return err
	}},
	{name: "query", try: func(ctx context.Context, _ *firestore.Client, doc *firestore.DocumentRef,
		_ map[string]any) error {
		return drain(doc.Parent.Documents(ctx))
	}},
	{name: "count", try: func(ctx context.Context, _ *firestore.Client, doc *firestore.DocumentRef,
		_ map[string]any) error {
		_, err := doc.Parent.NewAggregationQuery().WithCount("n").Get(ctx)
		return err
	}},
	{name: "listen to a query", try: func(ctx context.Context, _ *firestore.Client,
		doc *firestore.DocumentRef, _ map[string]any) error {
		snapshots := doc.Parent.Snapshots(ctx)
		defer snapshots.Stop()
		_, err := snapshots.Next()
		return err
	}},
	{name: "collection-group query", try: func(ctx context.Context, c *firestore.Client,
		doc *firestore.DocumentRef, _ map[string]any) error {
		return drain(c.CollectionGroup(doc.Parent.ID).Documents(ctx))
	}},
	{name: "collection-group query of what is due",
		try: func(ctx context.Context, c *firestore.Client, doc *firestore.DocumentRef,
			_ map[string]any) error {
			return drain(c.CollectionGroup(doc.Parent.ID).Where(index.DueField, "<=",
				time.Unix(1<<33, 0)).Documents(ctx))
		}},
}

// hideMissing makes the list operation of the Go client, which is made for
// servers, that of an application's client: one that does not ask for missing
// documents, which Firestore shows to servers only, whatever the rules.
func hideMissing() option.ClientOption {
	return option.WithGRPCDialOption(grpc.WithChainUnaryInterceptor(
		func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn,
			invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
			if list, ok := req.(*firestorepb.ListDocumentsRequest); ok {
				list.ShowMissing = false
			}
			return invoke(ctx, method, req, reply, conn, opts...)
		}))
}

// drain reads a query to its end.
func drain(documents *firestore.DocumentIterator) error {
	defer documents.Stop()
	for {
		_, err := documents.Next()
		if errors.Is(err, iterator.Done) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Attempt is one operation tried by one client on one document.
type Attempt struct {
	Operation string `json:"operation"`
	Client    string `json:"client"`
	// Document is the document's id, or * for all of them at once.
	Document string `json:"document"`
}

// EveryDocument stands for the document of an attempt on all of them.
const EveryDocument = "*"

// attemptTimeout bounds one attempt: listeners try again for ever.
const attemptTimeout = 15 * time.Second

// actor is a kind of client of an application.
type actor struct {
	name   string
	client *firestore.Client
}

// probe tries every operation on every document of one index.
type probe struct {
	owner *firestore.Client // passes the rules
	index string            // path of the index collection
	docs  []index.Doc       // its documents, as the product writes them
	tried func()            // called after each attempt
}

// count is how many attempts run makes.
func (p *probe) count(actors int) int {
	return actors * (len(p.docs)*len(documentOperations) + len(collectionOperations))
}

// run returns the attempts that got through the rules. An attempt that fails
// for anything but the rules is an error: it shows nothing.
func (p *probe) run(ctx context.Context, actors []actor) (open []Attempt, err error) {
	for _, doc := range p.docs {
		if err := p.seed(ctx, doc); err != nil {
			return nil, err
		}
	}
	for _, a := range actors {
		for _, op := range collectionOperations {
			through, err := p.attempt(ctx, a, op, p.docs[0])
			if err != nil {
				return nil, fmt.Errorf("try %s of %s, %s: %w", op.name, p.index, a.name, err)
			}
			if through {
				open = append(open, Attempt{op.name, a.name, EveryDocument})
			}
		}
		for _, doc := range p.docs {
			for _, op := range documentOperations {
				through, err := p.attempt(ctx, a, op, doc)
				if err != nil {
					return nil, fmt.Errorf("try %s of %s/%s, %s: %w", op.name, p.index, doc.ID,
						a.name, err)
				}
				if through {
					open = append(open, Attempt{op.name, a.name, doc.ID})
				}
			}
		}
	}
	return open, nil
}

// attempt reports whether an operation gets through the rules.
func (p *probe) attempt(ctx context.Context, a actor, op operation,
	doc index.Doc) (through bool, err error) {
	for n := 1; ; n++ {
		through, err = p.attemptOnce(ctx, a, op, doc)
		if err == nil {
			p.tried()
			return through, nil
		}
		if n == transientAttempts || ctx.Err() != nil || !transient(err) {
			return false, err
		}
		if err := p.put(ctx, doc); err != nil && !transient(err) {
			return false, err
		}
	}
}

func (p *probe) attemptOnce(ctx context.Context, a actor, op operation,
	doc index.Doc) (through bool, err error) {
	if op.absent {
		if _, err := p.owner.Collection(p.index).Doc(doc.ID).Delete(ctx); err != nil {
			return false, fmt.Errorf("remove it beforehand: %w", err)
		}
	}
	tryCtx, cancel := context.WithTimeout(ctx, attemptTimeout)
	err = op.try(tryCtx, a.client, a.client.Collection(p.index).Doc(doc.ID), doc.Fields)
	cancel()
	switch {
	case err == nil:
		through = true
	case code(err) != codes.PermissionDenied:
		return false, err
	}
	if op.absent || through && op.writes {
		if err := p.put(ctx, doc); err != nil {
			return false, err
		}
	}
	return through, nil
}

// transientAttempts bounds how often an attempt is made that does not come to
// the rules.
const transientAttempts = 5

// code returns the gRPC code of an error, that of an expired context included.
func code(err error) codes.Code {
	if errors.Is(err, context.DeadlineExceeded) {
		return codes.DeadlineExceeded
	}
	return status.Code(err)
}

// transient reports whether an error may be gone the next time. The official
// emulator sometimes answers a write with Canceled, when a listener that it has
// to tell of it has just gone away.
func transient(err error) bool {
	switch code(err) {
	case codes.Canceled, codes.Unavailable, codes.Aborted:
		return true
	}
	return false
}

// seed writes a document that is not there yet.
func (p *probe) seed(ctx context.Context, doc index.Doc) error {
	for n := 1; ; n++ {
		err := p.put(ctx, doc)
		if err == nil || n == transientAttempts || ctx.Err() != nil || !transient(err) {
			return err
		}
	}
}

// put writes a document of the index past the rules.
func (p *probe) put(ctx context.Context, doc index.Doc) error {
	if _, err := p.owner.Collection(p.index).Doc(doc.ID).Set(ctx, doc.Fields); err != nil {
		return fmt.Errorf("write %s/%s for the probe: %w", p.index, doc.ID, err)
	}
	return nil
}
