package query_test

import (
	"math"
	"math/rand/v2"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/resource"
)

// random makes documents and queries that have much in common, so that queries find something. Most
// queries are well formed.
type random struct {
	*rand.Rand
	db resource.Database
}

func newRandom(seed uint64, db resource.Database) *random {
	return &random{Rand: rand.New(rand.NewPCG(seed, 0)), db: db}
}

func pick[T any](r *random, of ...T) T { return of[r.IntN(len(of))] }

// oneIn is true once in n times.
func (r *random) oneIn(n int) bool { return r.IntN(n) == 0 }

// fieldNames are of fields at the top. Their order by bytes, with and without quotes and dots, is
// not the same.
var fieldNames = []string{"a", "b", "m", "`m-x`", "B", "arr"}

var collections = []resource.Path{"c", "d", "c/d1/c", "c/d1/d", "c/d2/c", "e/__id7__/c", "c/gone/c/gone/c"}

func (r *random) documents() []*pb.Document {
	var docs []*pb.Document
	for _, c := range collections {
		for _, id := range []string{"d1", "d2", "d3", "__id7__", "__id12__", "é", "D"} {
			if r.oneIn(5) {
				continue
			}
			doc := &pb.Document{Name: r.db.Name(c) + "/" + id, Fields: map[string]*pb.Value{}}
			for _, f := range []string{"a", "b", "m", "m-x", "B", "arr"} {
				switch {
				case r.oneIn(6):
				case f == "m":
					doc.Fields[f] = literal.Map(map[string]*pb.Value{"x": r.value(1), "value": r.value(1), "y": literal.Map(map[string]*pb.Value{"z": r.value(1)})})
					if r.oneIn(4) {
						doc.Fields[f] = r.value(1)
					}
				case f == "arr":
					doc.Fields[f] = r.array(1)
				case r.oneIn(2): // so that conditions and orders meet
					doc.Fields[f] = literal.Int(r.Int64N(3))
				default:
					doc.Fields[f] = r.value(1)
				}
			}
			docs = append(docs, doc)
		}
	}
	return docs
}

func (r *random) array(depth int) *pb.Value {
	values := make([]*pb.Value, r.IntN(4))
	for i := range values {
		values[i] = r.value(depth - 1)
	}
	return literal.Array(values...)
}

// value is a value that can be stored, of few different ones of every type.
func (r *random) value(depth int) *pb.Value {
	n := 12
	if depth > 0 {
		n = 15
	}
	switch r.IntN(n) {
	case 0:
		return literal.Null()
	case 1:
		return literal.Bool(r.oneIn(2))
	case 2:
		return literal.Double(math.NaN())
	case 3:
		return literal.Double(pick(r, 0, math.Copysign(0, -1), 1, 1.5, 2, math.Inf(-1), math.Inf(1), 1<<53))
	case 4, 5:
		return literal.Int(pick[int64](r, 0, 1, 2, 3, -1, 1<<53, 1<<53+1, math.MaxInt64, math.MinInt64))
	case 6:
		return literal.Time(r.Int64N(3), pick[int32](r, 0, 1000))
	case 7, 8:
		return literal.Str(pick(r, "", "a", "b", "B", "é", "a\x00"))
	case 9:
		return literal.Bytes(pick(r, "", "a", "\xff"))
	case 10:
		return literal.Ref(r.name())
	case 11:
		return literal.Geo(float64(r.IntN(2)), pick(r, 0, 1, math.Copysign(0, -1)))
	case 12:
		return r.array(depth)
	case 13:
		return literal.Vector(pick(r, []float64{1}, []float64{2}, []float64{1, 2}, []float64{-1, 2})...)
	default:
		m := map[string]*pb.Value{}
		for _, key := range []string{"x", "y", "value"} {
			if r.oneIn(2) {
				m[key] = r.value(depth - 1)
			}
		}
		return literal.Map(m)
	}
}

// name is the full name of a document, mostly of a queried collection.
func (r *random) name() string {
	if r.oneIn(30) {
		return "projects/other/databases/(default)/documents/c/d1"
	}
	c := "c"
	if r.oneIn(3) {
		c = string(pick(r, collections...))
	}
	return r.db.Root() + "/" + c + "/" + pick(r, "d1", "d2", "d3", "__id7__", "__id8__", "é", "D", "none")
}

func (r *random) fieldPath() string {
	if r.oneIn(80) {
		return pick(r, "", "a..b", "__x__", "a.__name__", "a-b", "1a", "m.__x__", "__name__.x", "`a", "`a`b")
	}
	if r.oneIn(5) {
		return pick(r, "m.x", "m.y", "m.y.z", "m.`y`.z", "m.value", "arr.x", "B.x")
	}
	if r.oneIn(20) {
		return "__name__"
	}
	return pick(r, fieldNames...)
}

func (r *random) query() (parent string, q *pb.StructuredQuery) {
	parent = r.db.Root()
	if r.oneIn(6) {
		parent = r.db.Name(pick[resource.Path](r, "c/d1", "c/d1", "c/d2", "c/none"))
	}
	if r.oneIn(100) {
		parent = pick(r, "", "x", r.db.Root()+"/c", r.db.Root()+"/", "projects/p/databases/d")
	}
	q = &pb.StructuredQuery{}
	switch {
	case r.oneIn(15):
		q.From = pick(r, nil, literal.From("", false), literal.From("", true))
	case r.oneIn(60):
		q.From = pick(r, append(literal.From("c", false), literal.From("d", false)...), literal.From("c/d", false), literal.From("__x__", true))
	default:
		q.From = literal.From(pick(r, "c", "c", "c", "c", "c", "d", "d", "none"), r.oneIn(3))
	}
	if len(q.From) > 0 && q.From[0].AllDescendants && !r.oneIn(6) {
		parent = r.db.Root()
	}
	switch {
	case r.oneIn(5):
	case r.oneIn(15):
		q.Where = r.wide()
	default:
		q.Where = r.filter(0)
	}
	for named := false; r.oneIn(3) && len(q.OrderBy) < 4; {
		path := r.fieldPath()
		if named && path == "__name__" {
			continue // the official emulator is undecided between two errors
		}
		named = named || path == "__name__"
		q.OrderBy = append(q.OrderBy, r.order(path))
	}
	if len(q.OrderBy) > 0 && r.oneIn(3) && q.OrderBy[len(q.OrderBy)-1].Field.FieldPath != "__name__" {
		q.OrderBy = append(q.OrderBy, r.order("__name__"))
	}
	if len(q.OrderBy) == 0 && r.oneIn(12) {
		q.OrderBy = append(q.OrderBy, r.order("__name__"))
	}
	if r.oneIn(4) {
		q.StartAt = r.cursor(q.OrderBy)
	}
	if r.oneIn(5) {
		q.EndAt = r.cursor(q.OrderBy)
	}
	if r.oneIn(5) {
		q.Offset = int32(r.IntN(4))
	}
	if r.oneIn(4) {
		q.Limit = wrapperspb.Int32(int32(r.IntN(6)))
	}
	if r.oneIn(100) {
		q.Offset = -1
	}
	if r.oneIn(100) {
		q.Limit = wrapperspb.Int32(-1)
	}
	if r.oneIn(4) {
		q.Select = &pb.StructuredQuery_Projection{}
		for len(q.Select.Fields) == 0 || r.oneIn(2) {
			q.Select.Fields = append(q.Select.Fields, literal.Field(r.fieldPath()))
		}
	}
	return parent, q
}

func (r *random) order(path string) *pb.StructuredQuery_Order {
	return &pb.StructuredQuery_Order{Field: literal.Field(path), Direction: pick(r, pb.StructuredQuery_DIRECTION_UNSPECIFIED,
		pb.StructuredQuery_ASCENDING, pb.StructuredQuery_DESCENDING, pb.StructuredQuery_DESCENDING)}
}

func (r *random) cursor(orders []*pb.StructuredQuery_Order) *pb.Cursor {
	c := &pb.Cursor{Before: r.oneIn(2)}
	for i := range r.IntN(len(orders)+1) + max(0, 1-r.IntN(30)) {
		if i < len(orders) && orders[i].Field.FieldPath == "__name__" && !r.oneIn(20) {
			c.Values = append(c.Values, literal.Ref(r.name()))
		} else {
			c.Values = append(c.Values, r.operand())
		}
	}
	return c
}
