package value_test

import (
	"strconv"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/value"
)

// document returns the same fields every time.
func document() fields {
	return fields{"a": literal.Int(1), "m": literal.Map(fields{"b": literal.Int(2), "n": literal.Map(fields{"c": literal.Int(3)})}), "o": literal.Map(fields{"d": literal.Int(4)})}
}

func same(t *testing.T, want, got fields) {
	t.Helper()
	require.Empty(t, cmp.Diff(want, got, protocmp.Transform()))
}

func remove(f fields, p value.Path) fields {
	e := value.Edit(f)
	e.Remove(p)
	return e.Fields()
}

func TestGet(t *testing.T) {
	f := document()
	for s, want := range map[string]*pb.Value{"a": literal.Int(1), "m.b": literal.Int(2), "m.n.c": literal.Int(3), "o": literal.Map(fields{"d": literal.Int(4)})} {
		p, err := value.ParsePath(s)
		require.NoError(t, err)
		v, ok := value.Get(f, p)
		require.True(t, ok)
		require.True(t, proto.Equal(want, v), s)
	}
	for _, p := range []value.Path{{"x"}, {"a", "x"}, {"m", "x"}, {"m", "n", "c", "x"}, {"x", "x", "x"}} {
		_, ok := value.Get(f, p)
		require.False(t, ok, p)
	}
	_, ok := value.Get(nil, value.Path{"a"})
	require.False(t, ok)
}

func TestSetAndRemove(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(f fields) fields
		want fields
	}{
		{"a field", func(f fields) fields { return value.Set(f, value.Path{"x"}, literal.Null()) },
			fields{"a": literal.Int(1), "m": document()["m"], "o": document()["o"], "x": literal.Null()}},
		{"a nested field", func(f fields) fields { return value.Set(f, value.Path{"o", "d"}, literal.Null()) },
			fields{"a": literal.Int(1), "m": document()["m"], "o": literal.Map(fields{"d": literal.Null()})}},
		{"maps on the way", func(f fields) fields { return value.Set(f, value.Path{"o", "x", "y"}, literal.Null()) },
			fields{"a": literal.Int(1), "m": document()["m"], "o": literal.Map(fields{"d": literal.Int(4), "x": literal.Map(fields{"y": literal.Null()})})}},
		{"what is not a map", func(f fields) fields { return value.Set(f, value.Path{"a", "x"}, literal.Null()) },
			fields{"a": literal.Map(fields{"x": literal.Null()}), "m": document()["m"], "o": document()["o"]}},
		{"remove a field", func(f fields) fields { return remove(f, value.Path{"a"}) },
			fields{"m": document()["m"], "o": document()["o"]}},
		{"the last of a map leaves it empty", func(f fields) fields { return remove(f, value.Path{"o", "d"}) },
			fields{"a": literal.Int(1), "m": document()["m"], "o": literal.Map(fields{})}},
		{"remove deep", func(f fields) fields { return remove(f, value.Path{"m", "n", "c"}) },
			fields{"a": literal.Int(1), "m": literal.Map(fields{"b": literal.Int(2), "n": literal.Map(fields{})}), "o": document()["o"]}},
		{"several", func(f fields) fields {
			e := value.Edit(f)
			e.Set(value.Path{"m", "x"}, literal.Null())
			e.Set(value.Path{"m", "n", "y"}, literal.Null())
			e.Remove(value.Path{"m", "b"})
			e.Remove(value.Path{"o"})
			return e.Fields()
		}, fields{"a": literal.Int(1), "m": literal.Map(fields{"n": literal.Map(fields{"c": literal.Int(3), "y": literal.Null()}), "x": literal.Null()})}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := document()
			same(t, c.want, c.do(f))
			same(t, document(), f)
		})
	}
}

func TestWhatIsNotTouchedIsShared(t *testing.T) {
	f := document()
	g := value.Set(f, value.Path{"m", "n", "x"}, literal.Null())
	require.Same(t, f["a"], g["a"])
	require.Same(t, f["o"], g["o"])
	require.NotSame(t, f["m"], g["m"])
	require.Same(t, f["m"].GetMapValue().Fields["b"], g["m"].GetMapValue().Fields["b"])
}

func TestRemovingNothingReturnsTheSame(t *testing.T) {
	f := document()
	for _, p := range []value.Path{{"x"}, {"a", "x"}, {"m", "x"}, {"x", "y"}} {
		g := remove(f, p)
		g["mark"] = literal.Null()
		require.Contains(t, f, "mark")
		delete(f, "mark")
	}
	require.Nil(t, remove(nil, value.Path{"a"}))
}

func TestSetOnNoFields(t *testing.T) {
	same(t, fields{"a": literal.Map(fields{"b": literal.Null()})}, value.Set(nil, value.Path{"a", "b"}, literal.Null()))
}

// The official emulator replaces a vector when something is put into it, and does not find its
// parts.
func TestVectorsAreNotMaps(t *testing.T) {
	f := fields{"v": literal.Vector(1)}
	_, ok := value.Get(f, value.Path{"v", "value"})
	require.False(t, ok)
	same(t, f, remove(f, value.Path{"v", "value"}))
	same(t, fields{"v": literal.Map(fields{"value": literal.Int(3)})}, value.Set(f, value.Path{"v", "value"}, literal.Int(3)))
	same(t, fields{"v": literal.Vector(1)}, f)
}

// A value that is put in is not changed by what is put into it afterwards.
func TestAnEditorCopiesWhatItWasGiven(t *testing.T) {
	given := literal.Map(fields{"a": literal.Int(1)})
	e := value.Edit(nil)
	e.Set(value.Path{"m"}, given)
	e.Set(value.Path{"m", "b"}, literal.Int(2))
	v, ok := e.Get(value.Path{"m", "b"})
	require.True(t, ok)
	require.True(t, proto.Equal(literal.Int(2), v))
	same(t, fields{"m": literal.Map(fields{"a": literal.Int(1), "b": literal.Int(2)})}, e.Fields())
	require.True(t, proto.Equal(literal.Map(fields{"a": literal.Int(1)}), given))
}

// An entry more costs as much as before, not a copy of the map more.
func TestAnEditorCopiesAMapOnce(t *testing.T) {
	entries := fields{}
	for i := range 1000 {
		entries[strconv.Itoa(i)] = literal.Int(int64(i))
	}
	f := fields{"m": literal.Map(entries)}
	allocated := func(changes int) float64 {
		return testing.AllocsPerRun(5, func() {
			e := value.Edit(f)
			for i := range changes {
				e.Set(value.Path{"m", strconv.Itoa(i)}, literal.Null())
			}
		})
	}
	require.Less(t, allocated(200), 10*allocated(1)+2000)
}
