package write_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"pgregory.net/rapid"

	"hippocampus/emulator/internal/literal"
)

// names of fields are few, so that writes meet.
var names = rapid.SampledFrom([]string{"a", "b", "c", "é.", "`"})

// anyValue draws values of all types, now and then one that cannot be stored.
func anyValue(depth int) *rapid.Generator[*pb.Value] {
	double := rapid.Map(rapid.SampledFrom([]float64{-1.5, negativeZero, 0, 1, 2, 1 << 53, 1 << 63, infinity, nan}), literal.Double)
	all := []*rapid.Generator[*pb.Value]{
		rapid.Just(literal.Null()), rapid.Map(rapid.Bool(), literal.Bool), double, double,
		rapid.Map(rapid.SampledFrom([]int64{math.MinInt64, -1, 0, 1, 2, 1<<53 + 1, math.MaxInt64}), literal.Int),
		rapid.Map(rapid.SampledFrom([]string{"", "a", "é"}), literal.Str),
		rapid.Map(rapid.Int32Range(0, 3), func(n int32) *pb.Value { return literal.Time(int64(n), n*500) }),
		rapid.Map(rapid.SampledFrom([]float64{negativeZero, 0, 90}), func(f float64) *pb.Value { return literal.Geo(f, 2*f) }),
		rapid.SampledFrom([]*pb.Value{literal.Ref(root + "a/b"), literal.Ref(root + "a/__id7__"), literal.Vector(1), literal.Vector(1, negativeZero)}),
	}
	if depth > 0 {
		inner := anyValue(depth - 1)
		all = append(all,
			rapid.Map(rapid.SliceOfN(inner, 0, 3), func(v []*pb.Value) *pb.Value { return literal.Array(v...) }),
			rapid.Map(rapid.MapOfN(names, inner, 0, 3), literal.Map), rapid.Map(rapid.MapOfN(names, inner, 0, 3), literal.Map))
	}
	bad := rapid.SampledFrom([]*pb.Value{{}, literal.Geo(91, 0), literal.Ref("x"), literal.Vector(), literal.Map(fields{"__x__": literal.Null()}), literal.Time(0, -1), literal.Array(literal.Array())})
	all = append(all, rapid.Custom(func(t *rapid.T) *pb.Value {
		if rapid.IntRange(0, 19).Draw(t, "luck") == 0 {
			return bad.Draw(t, "bad")
		}
		return double.Draw(t, "good")
	}))
	return rapid.OneOf(all...)
}

var (
	anyFields = rapid.MapOfN(names, anyValue(2), 0, 4)
	anyPath   = rapid.Custom(func(t *rapid.T) string {
		if rapid.IntRange(0, 29).Draw(t, "luck") == 0 {
			return rapid.SampledFrom([]string{"", "a..b", "1", "__x__", "`a"}).Draw(t, "bad")
		}
		quote := strings.NewReplacer("`", "\\`")
		var parts []string
		for range rapid.SampledFrom([]int{1, 1, 2, 3}).Draw(t, "depth") {
			parts = append(parts, "`"+quote.Replace(names.Draw(t, "name"))+"`")
		}
		return strings.Join(parts, ".")
	})
	anyChange = rapid.Custom(func(t *rapid.T) *change {
		path, number := anyPath.Draw(t, "path"), anyValue(0)
		elements := rapid.SliceOfN(anyValue(1).Filter(func(v *pb.Value) bool { return !nested(v) }), 0, 3)
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			return literal.RequestTime(path)
		case 1:
			return literal.Increment(path, number.Draw(t, "by"))
		case 2:
			return literal.Maximum(path, number.Draw(t, "with"))
		case 3:
			return literal.Minimum(path, number.Draw(t, "with"))
		case 4:
			return literal.Append(path, elements.Draw(t, "add")...)
		default:
			return literal.RemoveAll(path, elements.Draw(t, "take")...)
		}
	})
	anyWrite = rapid.Custom(func(t *rapid.T) *pb.Write {
		var w *pb.Write
		changes := rapid.SliceOfN(anyChange, 0, 3)
		switch rapid.IntRange(0, 7).Draw(t, "operation") {
		case 0:
			w = remove()
		case 1:
			w = legacy(changes.Draw(t, "changes")...)
		case 2:
			w = update(anyFields.Draw(t, "fields"))
		case 3:
			w = update(anyFields.Draw(t, "fields"), changes.Draw(t, "changes")...)
		case 4, 5:
			w = merge(anyFields.Draw(t, "fields"), rapid.SliceOfN(anyPath, 0, 4).Draw(t, "mask"))
		default:
			w = merge(anyFields.Draw(t, "fields"), rapid.SliceOfN(anyPath, 0, 4).Draw(t, "mask"), changes.Draw(t, "changes")...)
		}
		switch rapid.IntRange(0, 9).Draw(t, "precondition") {
		case 0:
			w = ifExists(w, true)
		case 1:
			w = ifExists(w, false)
		}
		return w
	})
	// anyProgram is writes of one document, one after the other.
	anyProgram = rapid.SliceOfN(anyWrite, 1, 8)
)

// nested reports whether the official emulator stores v in an array though it may not be there.
func nested(v *pb.Value) bool {
	_, ok := v.GetValueType().(*pb.Value_ArrayValue)
	return ok || v.GetMapValue().GetFields()["__type__"] != nil
}

// The official emulator and Apply are given the same writes. A program is its number: nothing else
// is random.
func TestRandomWritesOfficially(t *testing.T) {
	const programs = 200
	em := official(t)
	applied, refused, kept, gone := 0, 0, 0, 0
	for seed := range programs {
		name := em.name(fmt.Sprintf("random/%d", seed))
		var doc *pb.Document // as the official emulator has it
		for i, w := range anyProgram.Example(seed) {
			w = named(w, name)
			says := fmt.Sprintf("program %d, write %d: %v", seed, i, w)
			result, officially := em.commit(t, w)
			after, results, err := apply(doc, w, time.Now())
			require.Equal(t, status.Code(officially), status.Code(err), "officially %v, here %v; %s", officially, err, says)
			if err != nil {
				refused++
				continue
			}
			applied++
			stored := em.get(t, name)
			require.Equal(t, stored == nil, after == nil, says)
			require.Empty(t, cmp.Diff(comparable(stored.GetFields()), comparable(after.GetFields()), exactly, emptyIsNil), says)
			require.Empty(t, cmp.Diff(comparable(listed(result.GetTransformResults())), comparable(listed(results)), exactly), says)
			if doc != nil && stored != nil {
				same := stored.UpdateTime.AsTime().Equal(doc.UpdateTime.AsTime())
				require.Equal(t, same, after == doc, "whether it changes anything; %s", says)
				if same {
					kept++
				}
				require.True(t, doc.CreateTime.AsTime().Equal(stored.CreateTime.AsTime()), says)
			}
			if stored == nil {
				gone++
			}
			doc = stored
		}
	}
	require.Greater(t, applied, 2*programs)
	require.Greater(t, refused, programs/2)
	require.Greater(t, kept, programs/10)
	require.Greater(t, gone, programs/10)
}

// Apply never panics, and never changes what it is given.
func TestApplyChangesNothingThatItIsGiven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var doc *pb.Document
		for _, w := range anyProgram.Draw(t, "program") {
			w = named(w, root+"c/d")
			doc = unchanged(t, doc, w)
		}
	})
}

// unchanged applies w to doc and compares both with how they were.
func unchanged(t *rapid.T, doc *pb.Document, w *pb.Write) *pb.Document {
	docBefore, writeBefore := fmt.Sprint(doc), fmt.Sprint(w)
	before := comparable(doc.GetFields())
	after, _, err := apply(doc, w, now)
	require.Equal(t, writeBefore, fmt.Sprint(w))
	require.Equal(t, docBefore, fmt.Sprint(doc))
	require.Empty(t, cmp.Diff(before, comparable(doc.GetFields()), exactly, emptyIsNil))
	if err != nil {
		require.Contains(t, []codes.Code{codes.InvalidArgument, codes.NotFound, codes.AlreadyExists}, status.Code(err))
		return doc
	}
	return after
}

func listed(values []*pb.Value) fields { return fields{"results": literal.Array(values...)} }

// comparable returns fields with the times of the server, which differ, made one.
func comparable(f fields) fields {
	var of func(v *pb.Value) *pb.Value
	of = func(v *pb.Value) *pb.Value {
		switch t := v.GetValueType().(type) {
		case *pb.Value_TimestampValue:
			if t.TimestampValue.GetSeconds() > 1000 {
				return literal.Str("the server's time")
			}
		case *pb.Value_ArrayValue:
			var values []*pb.Value
			for _, element := range t.ArrayValue.GetValues() {
				values = append(values, of(element))
			}
			return literal.Array(values...)
		case *pb.Value_MapValue:
			return literal.Map(comparable(t.MapValue.GetFields()))
		}
		return v
	}
	made := fields{}
	for name, v := range f {
		made[name] = of(v)
	}
	return made
}
