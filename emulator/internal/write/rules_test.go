package write_test

import (
	"slices"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/write"
)

// rule is one thing that a write does. Every rule is also tried on the official emulator.
type rule struct {
	name  string
	old   fields // nil: there is no document
	write *pb.Write

	code    codes.Code // what is refused leaves the document as it was
	want    fields     // nil: there is no document afterwards
	results []*pb.Value
	kept    bool // the write changes nothing, and want need not be given

	// differs says how the official emulator does otherwise, and officially with which code.
	differs    string
	officially codes.Code
}

// rules returns all of them, made anew.
func rules() []rule {
	return slices.Concat(preconditionRules(), maskRules(), valueRules(), numberRules(), arrayRules(), transformRules())
}

var (
	created = time.Date(2026, 1, 2, 3, 4, 5, 678_000, time.UTC)
	now     = created.Add(time.Hour + 123*time.Microsecond)
)

func document(f fields) *pb.Document {
	if f == nil {
		return nil
	}
	return &pb.Document{Name: root + "c/d", Fields: f, CreateTime: timestamppb.New(created), UpdateTime: timestamppb.New(created)}
}

func TestRules(t *testing.T) {
	all := rules()
	require.Greater(t, len(all), 200)
	names := map[string]bool{}
	for _, r := range all {
		require.False(t, names[r.name], "two rules are called %q", r.name)
		names[r.name] = true
		t.Run(r.name, func(t *testing.T) {
			old, w := document(r.old), named(r.write, root+"c/d")
			oldBefore, writeBefore := proto.CloneOf(old), proto.CloneOf(w)

			after, results, err := apply(old, w, now)

			require.Empty(t, cmp.Diff(oldBefore, old, exactly), "the old document stays as it is")
			require.Empty(t, cmp.Diff(writeBefore, w, exactly), "the write stays as it is")
			require.Equal(t, r.code, status.Code(err), "%v", err)
			if r.code != codes.OK {
				require.Nil(t, after)
				require.Nil(t, results)
				require.NotEmpty(t, status.Convert(err).Message())
				return
			}
			require.Empty(t, cmp.Diff(r.results, results, exactly), "the results")
			switch {
			case r.kept:
				require.Same(t, old, after)
			case r.want == nil:
				require.Nil(t, after)
			default:
				require.NotSame(t, old, after)
				want := document(r.want)
				want.UpdateTime = timestamppb.New(now)
				if old == nil {
					want.CreateTime = want.UpdateTime
				}
				require.Empty(t, cmp.Diff(want, after, exactly))
			}
		})
	}
}

func TestName(t *testing.T) {
	for _, w := range []*pb.Write{update(nil), remove(), legacy(literal.RequestTime("a"))} {
		op, err := write.Check(named(w, "n"))
		require.NoError(t, err)
		require.Equal(t, "n", op.Name)
	}
	for _, w := range []*pb.Write{nil, {}} {
		_, err := write.Check(w)
		require.Equal(t, codes.InvalidArgument, status.Code(err))
	}
	op, err := write.Check(&pb.Write{Operation: &pb.Write_Update{}})
	require.NoError(t, err)
	require.Empty(t, op.Name)
	_, err = write.Check(&pb.Write{Operation: &pb.Write_Transform{}})
	require.Equal(t, codes.InvalidArgument, status.Code(err), "no transform")
}

func TestPreconditionOfAVersion(t *testing.T) {
	at := func(d time.Duration) *timestamppb.Timestamp { return timestamppb.New(created.Add(d)) }
	for _, w := range []func() *pb.Write{
		func() *pb.Write { return update(fields{"a": literal.Int(2)}) },
		func() *pb.Write { return merge(fields{"a": literal.Int(2)}, paths("a")) },
		func() *pb.Write { return legacy(literal.Increment("a", literal.Int(1))) },
		remove,
	} {
		old := document(fields{"a": literal.Int(1)})
		_, _, err := apply(old, ifUpdated(w(), at(0)), now)
		require.NoError(t, err)
		_, _, err = apply(old, ifUpdated(w(), at(-time.Microsecond)), now)
		require.Equal(t, codes.FailedPrecondition, status.Code(err))
		_, _, err = apply(old, ifUpdated(w(), at(time.Microsecond)), now)
		require.Equal(t, codes.InvalidArgument, status.Code(err))
		_, _, err = apply(old, ifUpdated(w(), at(time.Nanosecond)), now)
		require.Equal(t, codes.InvalidArgument, status.Code(err))
	}
}

// Times of the server are of milliseconds, and those of one request the same.
func TestServerTime(t *testing.T) {
	after, results, err := apply(document(fields{"a": literal.Int(1)}), legacy(literal.RequestTime("a"), literal.RequestTime("b.c")), now)
	require.NoError(t, err)
	want := &pb.Value{ValueType: &pb.Value_TimestampValue{TimestampValue: timestamppb.New(now.Truncate(time.Millisecond))}}
	require.Empty(t, cmp.Diff([]*pb.Value{want, want}, results, exactly))
	require.Empty(t, cmp.Diff(fields{"a": want, "b": literal.Map(fields{"c": want})}, after.Fields, exactly))
}

func TestWhatAMergeLeavesIsShared(t *testing.T) {
	old := document(fields{"a": literal.Int(1), "m": literal.Map(fields{"x": literal.Int(1), "y": literal.Map(nil)})})
	after, _, err := apply(old, merge(fields{"m": literal.Map(fields{"x": literal.Int(2)})}, paths("m.x")), now)
	require.NoError(t, err)
	require.Same(t, old.Fields["a"], after.Fields["a"])
	require.Same(t, old.Fields["m"].GetMapValue().Fields["y"], after.Fields["m"].GetMapValue().Fields["y"])
}

// One that is checked may be applied more than once, as after a conflict.
func TestAnOperationIsAppliedAnyNumberOfTimes(t *testing.T) {
	op, err := write.Check(named(update(fields{"a": literal.Array(literal.Int(1))}, literal.Append("a", literal.Int(2)), literal.RemoveAll("a", literal.Int(1))), "n"))
	require.NoError(t, err)
	require.Equal(t, "n", op.Name)
	for range 3 {
		after, _, err := op.Apply(nil, now)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(fields{"a": literal.Array(literal.Int(2))}, after.Fields, exactly))
	}
}

// Two writes may add to the same stored array.
func TestAddingLeavesTheSpareRoomOfAnArray(t *testing.T) {
	values := []*pb.Value{literal.Int(1), nil, nil}
	old := document(fields{"a": literal.Array(values[:1]...)})
	_, _, err := apply(old, legacy(literal.Append("a", literal.Int(2))), now)
	require.NoError(t, err)
	require.Nil(t, values[1])
}
