package differential_test

import (
	"math"
	"math/rand/v2"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/literal"
)

// random makes what programs are made of. Everything is of few different ones, so that steps meet.
type random struct {
	*rand.Rand
	database string      // projects/P/databases/(default)
	theme    []*pb.Value // of most values
	names    []string    // of most fields
	paths    []string    // of most documents

	given map[string]fields // what paths were given last
}

func pick[T any](r *random, of ...T) T { return of[r.IntN(len(of))] }

// oneIn is true once in n times.
func (r *random) oneIn(n int) bool { return r.IntN(n) == 0 }

func (r *random) root() string { return r.database + "/documents" }

func (r *random) name(path string) string { return r.root() + "/" + path }

type fields = map[string]*pb.Value

var negativeZero = math.Copysign(0, -1)

// themes are values that are nearly the same. A program has much of one or two of them.
func themes(r *random) [][]*pb.Value {
	x := func(v *pb.Value) *pb.Value { return literal.Map(fields{"x": v}) }
	return [][]*pb.Value{
		{literal.Int(0), literal.Double(0), literal.Double(negativeZero), literal.Double(math.NaN()), literal.Null()},
		{literal.Int(1), literal.Double(1), literal.Double(1.5), literal.Int(2), literal.Double(2), literal.Int(3)},
		{literal.Int(1 << 53), literal.Int(1<<53 + 1), literal.Double(1 << 53), literal.Int(1<<53 - 1), literal.Double(1<<53 + 2)},
		{literal.Int(math.MaxInt64), literal.Double(1 << 63), literal.Int(math.MinInt64), literal.Double(-1 << 63), literal.Int(math.MaxInt64 - 1), literal.Double(math.Inf(1))},
		{literal.Vector(1), literal.Vector(2), literal.Vector(1, 2), literal.Vector(0, 0), literal.Vector(-1, negativeZero), literal.Map(fields{"value": literal.Array(literal.Double(1))})},
		{literal.Str(""), literal.Str("a"), literal.Str("a\x00"), literal.Str("B"), literal.Str("é"), literal.Str("e\u0301"), literal.Str("\U0001f600"), literal.Str("\uffee")},
		{literal.Ref(r.name("c/a")), literal.Ref(r.name("c/b")), literal.Ref(r.name("c/__id7__")), literal.Ref(r.name("c/__id12__")), literal.Ref(r.name("c/a/c/a"))},
		{literal.Time(1, 0), literal.Time(1, 1000), literal.Time(1, 1999), literal.Time(0, 999_999_999), literal.Time(-1, 0)},
		{literal.Geo(0, 0), literal.Geo(0, 1), literal.Geo(1, 0), literal.Geo(1, negativeZero), literal.Geo(negativeZero, 0)},
		{literal.Map(nil), x(literal.Int(1)), x(literal.Double(1)), x(literal.Null()), x(literal.Array(literal.Int(1))), literal.Map(fields{"x": literal.Int(1), "y": literal.Null()}), literal.Map(fields{"y": literal.Int(0)})},
	}
}

// value is one that can be stored, in maps and arrays of at most a depth.
func (r *random) value(depth int) *pb.Value {
	if len(r.theme) > 0 && !r.oneIn(3) {
		return pick(r, r.theme...)
	}
	kinds := 17
	if depth > 0 {
		kinds = 22
	}
	switch r.IntN(kinds) {
	case 0:
		return literal.Null()
	case 1:
		return literal.Bool(r.oneIn(2))
	case 2:
		return literal.Double(math.NaN())
	case 3, 4:
		return literal.Double(pick(r, 0, negativeZero, 1, 1.5, 2, math.Inf(-1), math.Inf(1), 1<<53, 1<<63, -1<<63, 5e-324))
	case 5, 6, 7:
		return literal.Int(pick[int64](r, 0, 1, 2, 3, -1, 1<<53, 1<<53+1, math.MaxInt64, math.MinInt64))
	case 8:
		return literal.Time(r.Int64N(3), pick[int32](r, 0, 1000, 1999, 999_999_999))
	case 9, 10, 11:
		return literal.Str(pick(r, "", "a", "b", "B", "é", "e\u0301", "a\x00", "\U0001f600", "\uffee"))
	case 12:
		return literal.Bytes(pick(r, "", "a", "\xff", "a\x00"))
	case 13, 14:
		return literal.Ref(r.document())
	case 15:
		return literal.Geo(float64(r.IntN(2)), pick(r, 0, 1, negativeZero))
	case 16:
		return literal.Vector(pick(r, []float64{1}, []float64{2}, []float64{1, 2}, []float64{-1, negativeZero}, []float64{0, 0})...)
	case 17, 18:
		return r.array(depth)
	default:
		return literal.Map(r.fields(depth-1, []string{"x", "y", "value", "m-x", "é"}))
	}
}

// array is one whose elements are no arrays.
func (r *random) array(depth int) *pb.Value {
	var values []*pb.Value
	for range r.IntN(4) {
		values = append(values, r.element(depth-1))
	}
	return literal.Array(values...)
}

func (r *random) element(depth int) *pb.Value {
	for {
		v := r.value(depth)
		if _, is := v.GetValueType().(*pb.Value_ArrayValue); !is && v.GetMapValue().GetFields()["__type__"] == nil {
			return v
		}
	}
}

func (r *random) fields(depth int, names []string) fields {
	f := fields{}
	for _, name := range names {
		if r.oneIn(2) {
			f[name] = r.value(depth)
		}
	}
	return f
}

// unstorable is a value that no document can have.
func (r *random) unstorable() *pb.Value {
	return pick(r, &pb.Value{}, literal.Geo(91, 0), literal.Geo(0, -181), literal.Geo(math.NaN(), 0), literal.Ref("x"), literal.Ref(r.name("c")), literal.Vector(),
		literal.Map(fields{"__x__": literal.Null()}), literal.Time(0, -1), literal.Time(1<<40, 0), literal.Array(literal.Array()), literal.Array(literal.Vector(1)),
		literal.Map(fields{"__type__": literal.Str("__vector__")}), literal.Map(fields{"x": literal.Map(fields{"__y__": literal.Int(1)})}))
}
