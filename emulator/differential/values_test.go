package differential_test

import (
	"math"
	"math/rand/v2"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/build"
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
	x := func(v *pb.Value) *pb.Value { return build.Map(fields{"x": v}) }
	return [][]*pb.Value{
		{build.Int(0), build.Double(0), build.Double(negativeZero), build.Double(math.NaN()), build.Null()},
		{build.Int(1), build.Double(1), build.Double(1.5), build.Int(2), build.Double(2), build.Int(3)},
		{build.Int(1 << 53), build.Int(1<<53 + 1), build.Double(1 << 53), build.Int(1<<53 - 1), build.Double(1<<53 + 2)},
		{build.Int(math.MaxInt64), build.Double(1 << 63), build.Int(math.MinInt64), build.Double(-1 << 63), build.Int(math.MaxInt64 - 1), build.Double(math.Inf(1))},
		{build.Vector(1), build.Vector(2), build.Vector(1, 2), build.Vector(0, 0), build.Vector(-1, negativeZero), build.Map(fields{"value": build.Array(build.Double(1))})},
		{build.Str(""), build.Str("a"), build.Str("a\x00"), build.Str("B"), build.Str("é"), build.Str("e\u0301"), build.Str("\U0001f600"), build.Str("\uffee")},
		{build.Ref(r.name("c/a")), build.Ref(r.name("c/b")), build.Ref(r.name("c/__id7__")), build.Ref(r.name("c/__id12__")), build.Ref(r.name("c/a/c/a"))},
		{build.Time(1, 0), build.Time(1, 1000), build.Time(1, 1999), build.Time(0, 999_999_999), build.Time(-1, 0)},
		{build.Geo(0, 0), build.Geo(0, 1), build.Geo(1, 0), build.Geo(1, negativeZero), build.Geo(negativeZero, 0)},
		{build.Map(nil), x(build.Int(1)), x(build.Double(1)), x(build.Null()), x(build.Array(build.Int(1))), build.Map(fields{"x": build.Int(1), "y": build.Null()}), build.Map(fields{"y": build.Int(0)})},
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
		return build.Null()
	case 1:
		return build.Bool(r.oneIn(2))
	case 2:
		return build.Double(math.NaN())
	case 3, 4:
		return build.Double(pick(r, 0, negativeZero, 1, 1.5, 2, math.Inf(-1), math.Inf(1), 1<<53, 1<<63, -1<<63, 5e-324))
	case 5, 6, 7:
		return build.Int(pick[int64](r, 0, 1, 2, 3, -1, 1<<53, 1<<53+1, math.MaxInt64, math.MinInt64))
	case 8:
		return build.Time(r.Int64N(3), pick[int32](r, 0, 1000, 1999, 999_999_999))
	case 9, 10, 11:
		return build.Str(pick(r, "", "a", "b", "B", "é", "e\u0301", "a\x00", "\U0001f600", "\uffee"))
	case 12:
		return build.Bytes(pick(r, "", "a", "\xff", "a\x00"))
	case 13, 14:
		return build.Ref(r.document())
	case 15:
		return build.Geo(float64(r.IntN(2)), pick(r, 0, 1, negativeZero))
	case 16:
		return build.Vector(pick(r, []float64{1}, []float64{2}, []float64{1, 2}, []float64{-1, negativeZero}, []float64{0, 0})...)
	case 17, 18:
		return r.array(depth)
	default:
		return build.Map(r.fields(depth-1, []string{"x", "y", "value", "m-x", "é"}))
	}
}

// array is one whose elements are no arrays.
func (r *random) array(depth int) *pb.Value {
	var values []*pb.Value
	for range r.IntN(4) {
		values = append(values, r.element(depth-1))
	}
	return build.Array(values...)
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
	return pick(r, &pb.Value{}, build.Geo(91, 0), build.Geo(0, -181), build.Geo(math.NaN(), 0), build.Ref("x"), build.Ref(r.name("c")), build.Vector(),
		build.Map(fields{"__x__": build.Null()}), build.Time(0, -1), build.Time(1<<40, 0), build.Array(build.Array()), build.Array(build.Vector(1)),
		build.Map(fields{"__type__": build.Str("__vector__")}), build.Map(fields{"x": build.Map(fields{"__y__": build.Int(1)})}))
}
