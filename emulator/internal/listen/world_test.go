package listen_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"hippocampus/emulator/internal/listen"
	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/store"
)

var database = resource.Database{Project: "demo-listen", ID: "(default)"}

// begin is when the clock of every world starts.
var begin = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

// world is a store, and a clock that goes on by a millisecond each time that it is looked at.
type world struct {
	testing.TB
	listen.Database
	now time.Time
}

func newWorld(t testing.TB, o store.Options) *world {
	w := &world{TB: t, now: begin}
	o.Now = func() time.Time {
		w.now = w.now.Add(time.Millisecond)
		return w.now
	}
	s := store.New(&o)
	w.Database = listen.Database{Name: database, Store: s, Born: s.Time()}
	return w
}

// put is a write of a document whose fields are integers, or of none: "c/a v=1 w=2", "c/a".
type put string

func set(format string, args ...any) put { return put(fmt.Sprintf(format, args...)) }

// commit makes all writes at once; a path alone deletes.
func (w *world) commit(writes ...put) time.Time {
	at, err := w.Store.Commit(func(tx *store.Tx) error {
		for _, write := range writes {
			words := strings.Fields(string(write))
			path := resource.Path(words[0])
			if len(words) == 1 {
				tx.Put(path, nil)
				continue
			}
			doc := &pb.Document{Name: database.Name(path), Fields: map[string]*pb.Value{}, UpdateTime: timestamppb.New(tx.Time)}
			for _, word := range words[1:] {
				var n int64
				key, value, _ := strings.Cut(word, "=")
				_, err := fmt.Sscan(value, &n)
				require.NoError(w, err)
				doc.Fields[key] = literal.Int(n)
			}
			tx.Put(path, doc)
		}
		return nil
	})
	require.NoError(w, err)
	return at
}

// stream opens a stream whose responses the client receives.
func (w *world) stream(c *client) *listen.Stream {
	s := listen.New(w.Database, c.receive)
	w.Cleanup(s.Close)
	return s
}

// client folds the responses of a stream into what each target has.
type client struct {
	log   []string // of the responses
	has   map[int32]map[string]*pb.Document
	ready map[int32]bool // current
	at    time.Time      // of the last snapshot
	token []byte
	each  func() // is called at each snapshot, if it is set
	hears func() // is called at each response, if it is set
}

func newClient() *client {
	return &client{has: map[int32]map[string]*pb.Document{}, ready: map[int32]bool{}}
}

// told returns the responses since the last call.
func (c *client) told() []string {
	log := c.log
	c.log = nil
	return log
}

func (c *client) receive(r *pb.ListenResponse) error {
	if c.hears != nil {
		c.hears()
	}
	switch x := r.GetResponseType().(type) {
	case *pb.ListenResponse_TargetChange:
		c.change(x.TargetChange)
	case *pb.ListenResponse_DocumentChange:
		d := x.DocumentChange
		line := short(d.GetDocument().GetName()) + contents(d.GetDocument())
		for _, id := range d.GetTargetIds() {
			c.has[id][d.GetDocument().GetName()] = d.GetDocument()
			line += fmt.Sprintf(" in %d", id)
		}
		for _, id := range d.GetRemovedTargetIds() {
			delete(c.has[id], d.GetDocument().GetName())
			line += fmt.Sprintf(" out of %d", id)
		}
		c.log = append(c.log, line)
	case *pb.ListenResponse_DocumentDelete:
		c.gone("deleted", x.DocumentDelete.GetDocument(), x.DocumentDelete.GetRemovedTargetIds())
	case *pb.ListenResponse_DocumentRemove:
		c.gone("pushed", x.DocumentRemove.GetDocument(), x.DocumentRemove.GetRemovedTargetIds())
	case *pb.ListenResponse_Filter:
		c.log = append(c.log, fmt.Sprintf("%d has %d", x.Filter.GetTargetId(), x.Filter.GetCount()))
	}
	return nil
}

func (c *client) gone(how, name string, ids []int32) {
	for _, id := range ids {
		delete(c.has[id], name)
	}
	c.log = append(c.log, fmt.Sprintf("%s %s out of %d", short(name), how, ids[0]))
}

func (c *client) change(t *pb.TargetChange) {
	line := t.GetTargetChangeType().String()
	for _, id := range t.GetTargetIds() {
		line += fmt.Sprintf(" %d", id)
		switch t.GetTargetChangeType() {
		case pb.TargetChange_ADD:
			if c.has[id] == nil {
				c.has[id] = map[string]*pb.Document{}
			}
			c.ready[id] = false
		case pb.TargetChange_REMOVE:
			delete(c.has, id)
			delete(c.ready, id)
			if t.GetCause() != nil {
				line += fmt.Sprintf(" code %d", t.GetCause().GetCode())
			}
		case pb.TargetChange_CURRENT:
			c.ready[id] = true
		case pb.TargetChange_RESET:
			clear(c.has[id])
			c.ready[id] = false
		}
	}
	c.log = append(c.log, line)
	if len(t.GetTargetIds()) == 0 && t.GetReadTime() != nil {
		c.at, c.token = t.GetReadTime().AsTime(), t.GetResumeToken()
		if c.each != nil {
			c.each()
		}
	}
}

func short(name string) string { return strings.TrimPrefix(name, database.Root()+"/") }

func contents(doc *pb.Document) string {
	s := ""
	for _, k := range slices.Sorted(maps.Keys(doc.GetFields())) {
		s += fmt.Sprintf(" %s=%d", k, doc.GetFields()[k].GetIntegerValue())
	}
	return s
}

// documents is a target of documents.
func documents(id int32, paths ...resource.Path) *pb.Target {
	d := &pb.Target_DocumentsTarget{}
	for _, p := range paths {
		d.Documents = append(d.Documents, database.Name(p))
	}
	return &pb.Target{TargetId: id, TargetType: &pb.Target_Documents{Documents: d}}
}

// querying is a target of a query at the root.
func querying(id int32, q *pb.StructuredQuery) *pb.Target {
	return &pb.Target{TargetId: id, TargetType: &pb.Target_Query{Query: &pb.Target_QueryTarget{
		Parent: database.Root(), QueryType: &pb.Target_QueryTarget_StructuredQuery{StructuredQuery: q},
	}}}
}

// change changes a query.
type change func(*pb.StructuredQuery)

// from is a query of a collection.
func from(collection string, changes ...change) *pb.StructuredQuery {
	q := &pb.StructuredQuery{From: literal.From(collection, false)}
	for _, c := range changes {
		c(q)
	}
	return q
}

func where(path string, op pb.StructuredQuery_FieldFilter_Operator, n int64) change {
	return func(q *pb.StructuredQuery) {
		q.Where = &pb.StructuredQuery_Filter{FilterType: &pb.StructuredQuery_Filter_FieldFilter{
			FieldFilter: &pb.StructuredQuery_FieldFilter{Field: literal.Field(path), Op: op, Value: literal.Int(n)},
		}}
	}
}

func by(path string, direction pb.StructuredQuery_Direction) change {
	return func(q *pb.StructuredQuery) {
		q.OrderBy = append(q.OrderBy, &pb.StructuredQuery_Order{Field: literal.Field(path), Direction: direction})
	}
}

func limit(n int32) change {
	return func(q *pb.StructuredQuery) { q.Limit = wrapperspb.Int32(n) }
}

func offset(n int32) change {
	return func(q *pb.StructuredQuery) { q.Offset = n }
}

const (
	up    = pb.StructuredQuery_ASCENDING
	down  = pb.StructuredQuery_DESCENDING
	equal = pb.StructuredQuery_FieldFilter_EQUAL
	less  = pb.StructuredQuery_FieldFilter_LESS_THAN
)
