package chaos

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/index"
)

// A gate is in the way of all calls of one Firestore client. While an actor owns
// it, each call waits there until the schedule lets it go; else calls pass.
type gate struct {
	mu    sync.Mutex
	owner *actor
}

// call is one call of an actor that waits at its gate.
type call struct {
	method  string   // "Commit", "RunQuery"
	docs    []string // the paths of the documents that a commit writes
	verdict chan verdict
}

// verdict is what becomes of a call.
type verdict int

const (
	pass      verdict = iota
	contend           // it fails as contended, without having been made
	dieBefore         // the process dies before the call
	dieAfter          // the process dies after the call was served, before the answer
	unheard           // it is served and its answer lost, so that the client makes it again
)

var (
	errDead      = status.Error(codes.Canceled, "the process is dead")
	errContended = status.Error(codes.Aborted, "contended, on purpose")
	errUnheard   = status.Error(codes.Unavailable, "served, and the answer lost on purpose")
)

// options put the gate in the way of a client.
func (g *gate) options() []option.ClientOption {
	return []option.ClientOption{
		option.WithGRPCDialOption(grpc.WithChainUnaryInterceptor(g.unary)),
		option.WithGRPCDialOption(grpc.WithChainStreamInterceptor(g.stream)),
	}
}

func (g *gate) give(a *actor) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.owner = a
}

func (g *gate) unary(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn,
	invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	return g.through(ctx, newCall(method, req), func() error { return invoke(ctx, method, req, reply, cc, opts...) })
}

func (g *gate) stream(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn,
	method string, open grpc.Streamer,
	opts ...grpc.CallOption) (stream grpc.ClientStream, err error) {
	err = g.through(ctx, newCall(method, nil), func() error {
		stream, err = open(ctx, desc, cc, method, opts...)
		return err
	})
	return stream, err
}

func newCall(method string, req any) *call {
	c := &call{method: path.Base(method), verdict: make(chan verdict, 1)}
	if commit, ok := req.(*firestorepb.CommitRequest); ok {
		for _, w := range commit.GetWrites() {
			name := w.GetDelete()
			if u := w.GetUpdate(); u != nil {
				name = u.GetName()
			}
			_, doc, _ := strings.Cut(name, "/documents/")
			c.docs = append(c.docs, doc)
		}
	}
	return c
}

// through makes a call when it is let go, and tells its actor how it went.
func (g *gate) through(ctx context.Context, c *call, do func() error) error {
	g.mu.Lock()
	a := g.owner
	g.mu.Unlock()
	if a == nil {
		return do()
	}
	v := a.wait(ctx, c)
	switch v {
	case dieBefore:
		return errDead
	case contend:
		return errContended
	}
	err := do()
	if a.served != nil {
		a.served(c, err)
	}
	switch v {
	case dieAfter:
		return errDead
	case unheard:
		return errUnheard
	}
	return err
}

// shard reports whether the call writes a shard.
func (c *call) shard() bool {
	return slices.ContainsFunc(c.docs, func(doc string) bool { return strings.HasPrefix(path.Base(doc), index.ShardPrefix) })
}

// flips reports whether the call is the flip of a run.
func (c *call) flips() bool {
	return c.method == "Commit" && slices.ContainsFunc(c.docs, func(doc string) bool { return path.Base(doc) == index.MetaID })
}

// random is the end of ids that are made of random bytes.
var random = regexp.MustCompile(`-[0-9a-z]{16,}`)

// String says what the call does, for the schedule's log, which is the same whenever the schedule
// is run.
func (c *call) String() string {
	if len(c.docs) == 0 {
		return c.method
	}
	var ids []string
	for _, doc := range c.docs {
		ids = append(ids, random.ReplaceAllString(path.Base(doc), "-…"))
	}
	return c.method + " " + strings.Join(ids, ",")
}
