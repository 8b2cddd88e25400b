package store_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"hippocampus/emulator/clock"
	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/query"
	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/store"
)

var (
	database = resource.Database{Project: "p", ID: "(default)"}
	start    = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	now      time.Time // the newest state
)

func newStore(o store.Options) (*store.Store, *clock.Manual) {
	c := clock.NewManual(start)
	o.Now = c.Now
	return store.New(&o), c
}

func document(path resource.Path, n int) *firestorepb.Document {
	return &firestorepb.Document{Name: database.Name(path), Fields: map[string]*firestorepb.Value{"n": literal.Int(int64(n))}}
}

// put commits a document with n, or its deletion if n is negative.
func put(t testing.TB, s *store.Store, path resource.Path, n int) time.Time {
	t.Helper()
	at, err := s.Commit(func(tx *store.Tx) error {
		if n < 0 {
			tx.Put(path, nil)
		} else {
			tx.Put(path, document(path, n))
		}
		return nil
	})
	require.NoError(t, err)
	return at
}

// at returns n of the document at a path, -1 if there is none.
func at(t testing.TB, s *store.Store, when time.Time, path resource.Path) int {
	t.Helper()
	docs, _, err := s.Get(when, path)
	require.NoError(t, err)
	if docs[0] == nil {
		return -1
	}
	return int(docs[0].GetFields()["n"].GetIntegerValue())
}

func compile(t testing.TB, parent resource.Path, q *firestorepb.StructuredQuery) *query.Query {
	t.Helper()
	compiled, err := query.Compile(database, database.Name(parent), q)
	require.NoError(t, err)
	return compiled
}

func TestReadsInThePastAreExact(t *testing.T) {
	s, c := newStore(store.Options{})
	before := s.Time()
	first := put(t, s, "c/d", 1)
	between := s.Time()
	second := put(t, s, "c/d", 2)
	c.Advance(time.Minute)
	gone := put(t, s, "c/d", -1)
	for _, tt := range []struct {
		when time.Time
		want int
	}{
		{before, -1}, {first, 1}, {between, 1}, {second.Add(-time.Microsecond), 1}, {second, 2},
		{gone.Add(-time.Microsecond), 2}, {gone, -1}, {now, -1},
	} {
		require.Equal(t, tt.want, at(t, s, tt.when, "c/d"), "at %s", tt.when)
	}
}

func TestTimesStrictlyIncrease(t *testing.T) {
	s, _ := newStore(store.Options{}) // whose clock stands still
	last := time.Time{}
	for n := range 100 {
		read := s.Time()
		require.False(t, read.Before(last))
		written := put(t, s, "c/d", n)
		require.True(t, written.After(read), "a commit is later than every read before it")
		last = written
	}
}

func TestTimesDoNotGoBackWithTheClock(t *testing.T) {
	s, c := newStore(store.Options{})
	c.Advance(time.Minute)
	read := s.Time()
	c.Advance(-time.Minute)
	require.False(t, s.Time().Before(read))
	require.True(t, put(t, s, "c/d", 1).After(read))
}

func TestReadTimesAreChecked(t *testing.T) {
	s, c := newStore(store.Options{})
	put(t, s, "c/d", 1)
	c.Advance(2 * time.Hour)
	_, _, err := s.Get(c.Now().Add(time.Second), "c/d")
	require.ErrorIs(t, err, store.ErrFuture)
	_, _, err = s.Get(c.Now().Add(-time.Hour-time.Microsecond), "c/d")
	require.ErrorIs(t, err, store.ErrTooOld)
	require.Equal(t, 1, at(t, s, c.Now().Add(-time.Hour), "c/d"))
}

func TestHistoryIsBounded(t *testing.T) {
	s, c := newStore(store.Options{HistoryBytes: 10_000})
	first := put(t, s, "c/d", 0)
	for n := range 1_000 {
		c.Advance(time.Millisecond)
		put(t, s, "c/d", n)
	}
	_, _, err := s.Get(first, "c/d")
	require.ErrorIs(t, err, store.ErrTooOld)
	require.Equal(t, 999, at(t, s, now, "c/d"))
	require.Equal(t, 998, at(t, s, c.Now().Add(-time.Microsecond), "c/d"), "the latest history is there")
}

func TestDeletedDocumentsAreForgotten(t *testing.T) {
	s, c := newStore(store.Options{})
	put(t, s, "c/d", 1)
	put(t, s, "c/d", -1)
	c.Advance(time.Hour + time.Second)
	put(t, s, "other/d", 1)
	ids, _, err := s.CollectionIDs(now, "", "", 10)
	require.NoError(t, err)
	require.Equal(t, []string{"other"}, ids)
	require.Equal(t, -1, at(t, s, now, "c/d"))
}

func TestACommitIsAtomicAndReportedOnce(t *testing.T) {
	s, _ := newStore(store.Options{})
	var times []time.Time
	var changes [][]store.Change
	stop := s.Watch(func(at time.Time, c []store.Change) { times, changes = append(times, at), append(changes, c) })
	made, err := s.Commit(func(tx *store.Tx) error {
		tx.Put("c/a", document("c/a", 1))
		tx.Put("c/b", document("c/b", 1))
		tx.Put("c/a", document("c/a", 2))
		require.EqualValues(t, 2, tx.Get("c/a").GetFields()["n"].GetIntegerValue())
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, []time.Time{made}, times)
	require.Len(t, changes[0], 2)
	require.Nil(t, changes[0][0].Before)
	require.EqualValues(t, 2, changes[0][0].After.GetFields()["n"].GetIntegerValue())

	_, err = s.Commit(func(tx *store.Tx) error {
		tx.Put("c/a", nil)
		return fmt.Errorf("refused")
	})
	require.Error(t, err)
	_, err = s.Commit(func(tx *store.Tx) error {
		tx.Put("c/a", tx.Get("c/a"))
		tx.Put("c/none", nil)
		return nil
	})
	require.NoError(t, err)
	require.Len(t, changes, 1, "what changes nothing is not reported")
	require.Equal(t, 2, at(t, s, now, "c/a"))
	stop()
	put(t, s, "c/a", 3)
	require.Len(t, changes, 1)
}

func TestListingsHaveMissingDocuments(t *testing.T) {
	s, _ := newStore(store.Options{})
	for _, p := range []resource.Path{"c/b", "c/a/sub/x", "c/b/sub/x", "c/d/one/x/two/y", "c-other/z", "c/ab", "d/e/c/f"} {
		put(t, s, p, 1)
	}
	before := s.Time()
	put(t, s, "c/d/one/x/two/y", -1)
	list := func(when time.Time, after resource.Path, limit int) (all []string) {
		listed, _, err := s.List(when, "c", after, limit)
		require.NoError(t, err)
		for _, l := range listed {
			name := string(l.Path)
			if l.Document == nil {
				name += " missing"
			}
			all = append(all, name)
		}
		return all
	}
	require.Equal(t, []string{"c/a missing", "c/ab", "c/b"}, list(now, "", 10))
	require.Equal(t, []string{"c/a missing", "c/ab", "c/b", "c/d missing"}, list(before, "", 10))
	require.Equal(t, []string{"c/a missing", "c/ab"}, list(now, "", 2))
	require.Equal(t, []string{"c/b"}, list(now, "c/ab", 2))
	require.Equal(t, []string{"c/ab", "c/b"}, list(now, "c/a", 2))

	ids := func(parent resource.Path, after string, limit int) []string {
		all, _, err := s.CollectionIDs(now, parent, after, limit)
		require.NoError(t, err)
		return all
	}
	require.Equal(t, []string{"c", "c-other", "d"}, ids("", "", 10))
	require.Equal(t, []string{"c-other"}, ids("", "c", 1))
	require.Equal(t, []string{"sub"}, ids("c/a", "", 10))
	require.Empty(t, ids("c/d", "", 10))
}

// Queries find the same by an index as without one, at every time, in the same order.
func TestIndexesChangeNothing(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		s, _ := newStore(store.Options{})
		paths := make([]resource.Path, 400)
		for i := range paths {
			paths[i] = resource.Path(fmt.Sprintf("c/%03d", i))
			if i%4 == 0 {
				paths[i] = resource.Path(fmt.Sprintf("x/y/c/%03d", i))
			}
		}
		change := func() {
			p := paths[r.IntN(len(paths))]
			_, err := s.Commit(func(tx *store.Tx) error {
				doc := document(p, r.IntN(20))
				switch r.IntN(6) {
				case 0:
					doc = nil
				case 1:
					delete(doc.Fields, "n")
				}
				if doc != nil {
					doc.Fields["kind"] = literal.Int(r.Int64N(3))
				}
				tx.Put(p, doc)
				return nil
			})
			require.NoError(t, err)
		}
		for range 2_000 {
			change()
		}
		for range 30 {
			q := compile(t, "", randomQuery(r))
			indexed, err := s.Query(now, q)
			require.NoError(t, err)
			when := indexed.Time
			for range 20 {
				change()
			}
			scanned, err := s.Query(when, q)
			require.NoError(t, err)
			require.Equal(t, names(scanned), names(indexed), "seed %d", seed)
			n := 0
			_, err = s.Each(when, q, func(*firestorepb.Document) { n++ })
			require.NoError(t, err)
			require.Equal(t, len(indexed.Documents), n)
		}
	}
}

func names(r store.Result) []string {
	all := []string{}
	for _, d := range r.Documents {
		all = append(all, d.GetName())
	}
	return all
}

func fieldFilter(name string, op firestorepb.StructuredQuery_FieldFilter_Operator, n int64) *firestorepb.StructuredQuery_Filter {
	return &firestorepb.StructuredQuery_Filter{FilterType: &firestorepb.StructuredQuery_Filter_FieldFilter{
		FieldFilter: &firestorepb.StructuredQuery_FieldFilter{Field: literal.Field(name), Op: op, Value: literal.Int(n)},
	}}
}

func randomQuery(r *rand.Rand) *firestorepb.StructuredQuery {
	q := &firestorepb.StructuredQuery{
		From:   literal.From("c", r.IntN(2) == 0),
		Offset: int32(r.IntN(3)),
	}
	var filters []*firestorepb.StructuredQuery_Filter
	if r.IntN(2) == 0 {
		filters = append(filters, fieldFilter("kind", firestorepb.StructuredQuery_FieldFilter_EQUAL, r.Int64N(3)))
	}
	ranged := r.IntN(2) == 0
	if ranged {
		ops := []firestorepb.StructuredQuery_FieldFilter_Operator{
			firestorepb.StructuredQuery_FieldFilter_LESS_THAN, firestorepb.StructuredQuery_FieldFilter_LESS_THAN_OR_EQUAL,
			firestorepb.StructuredQuery_FieldFilter_GREATER_THAN, firestorepb.StructuredQuery_FieldFilter_GREATER_THAN_OR_EQUAL,
		}
		filters = append(filters, fieldFilter("n", ops[r.IntN(len(ops))], r.Int64N(20)))
	}
	if len(filters) > 0 {
		q.Where = &firestorepb.StructuredQuery_Filter{FilterType: &firestorepb.StructuredQuery_Filter_CompositeFilter{
			CompositeFilter: &firestorepb.StructuredQuery_CompositeFilter{Op: firestorepb.StructuredQuery_CompositeFilter_AND, Filters: filters},
		}}
	}
	direction := firestorepb.StructuredQuery_Direction(1 + r.IntN(2))
	if !ranged && r.IntN(2) == 0 {
		if len(filters) == 0 { // as Firestore has it
			direction = firestorepb.StructuredQuery_ASCENDING
		}
		name := func() []*firestorepb.Value {
			path := []string{"c/%03d", "x/y/c/%03d", "b/%03d", "d/%03d"}[r.IntN(4)]
			return []*firestorepb.Value{literal.Ref(database.Name(resource.Path(fmt.Sprintf(path, r.IntN(400)))))}
		}
		q.OrderBy = append(q.OrderBy, &firestorepb.StructuredQuery_Order{Field: literal.Field("__name__"), Direction: direction})
		if r.IntN(2) == 0 {
			q.StartAt = &firestorepb.Cursor{Values: name(), Before: r.IntN(2) == 0}
		}
		if r.IntN(2) == 0 {
			q.EndAt = &firestorepb.Cursor{Values: name(), Before: r.IntN(2) == 0}
		}
	} else if r.IntN(3) > 0 {
		q.OrderBy = append(q.OrderBy, &firestorepb.StructuredQuery_Order{Field: literal.Field("n"), Direction: direction})
		if r.IntN(2) == 0 {
			q.StartAt = &firestorepb.Cursor{Values: []*firestorepb.Value{literal.Int(r.Int64N(20))}, Before: r.IntN(2) == 0}
		}
		if r.IntN(2) == 0 {
			q.EndAt = &firestorepb.Cursor{Values: []*firestorepb.Value{literal.Int(r.Int64N(20))}, Before: r.IntN(2) == 0}
		}
		if r.IntN(2) == 0 {
			q.OrderBy = append(q.OrderBy, &firestorepb.StructuredQuery_Order{Field: literal.Field("__name__"), Direction: firestorepb.StructuredQuery_Direction(1 + r.IntN(2))})
		}
	}
	return q
}

// A range of an ordered field with a limit looks at what it returns, not at the collection.
func TestOrderedRangesExamineWhatTheyReturn(t *testing.T) {
	s, _ := newStore(store.Options{})
	for n := range 5_000 {
		put(t, s, resource.Path(fmt.Sprintf("c/%04d", n)), n*7919%5_000)
	}
	q := compile(t, "", &firestorepb.StructuredQuery{
		From: literal.From("c", false),
		OrderBy: []*firestorepb.StructuredQuery_Order{{
			Field: literal.Field("n"), Direction: firestorepb.StructuredQuery_DESCENDING,
		}},
		StartAt: &firestorepb.Cursor{Values: []*firestorepb.Value{literal.Int(2_500)}, Before: true},
	})
	q.Limit = 10
	r, err := s.Query(now, q)
	require.NoError(t, err)
	require.Len(t, r.Documents, 10)
	require.EqualValues(t, 2_500, r.Documents[0].GetFields()["n"].GetIntegerValue())
	require.EqualValues(t, 2_491, r.Documents[9].GetFields()["n"].GetIntegerValue())
	require.Equal(t, 10, r.Examined)
}

// Pages of equal documents in the order of their names do, too.
func TestPagesByNameExamineWhatTheyReturn(t *testing.T) {
	s, _ := newStore(store.Options{})
	for n := range 3_000 {
		put(t, s, resource.Path(fmt.Sprintf("c/%04d", n)), n%2)
	}
	for _, direction := range []firestorepb.StructuredQuery_Direction{firestorepb.StructuredQuery_ASCENDING, firestorepb.StructuredQuery_DESCENDING} {
		q := compile(t, "", &firestorepb.StructuredQuery{
			From:    literal.From("c", false),
			Where:   fieldFilter("n", firestorepb.StructuredQuery_FieldFilter_EQUAL, 1),
			OrderBy: []*firestorepb.StructuredQuery_Order{{Field: literal.Field("__name__"), Direction: direction}},
			StartAt: &firestorepb.Cursor{Values: []*firestorepb.Value{literal.Ref(database.Name("c/1501"))}},
			Limit:   wrapperspb.Int32(10),
		})
		r, err := s.Query(now, q)
		require.NoError(t, err)
		require.Len(t, r.Documents, 10)
		require.LessOrEqual(t, r.Examined, 11)
	}
	q := compile(t, "", &firestorepb.StructuredQuery{
		From:    literal.From("c", false),
		Where:   fieldFilter("n", firestorepb.StructuredQuery_FieldFilter_EQUAL, 1),
		OrderBy: []*firestorepb.StructuredQuery_Order{{Field: literal.Field("__name__"), Direction: firestorepb.StructuredQuery_ASCENDING}},
		StartAt: &firestorepb.Cursor{Values: []*firestorepb.Value{literal.Ref(database.Name("c/1501"))}, Before: true},
		EndAt:   &firestorepb.Cursor{Values: []*firestorepb.Value{literal.Ref(database.Name("c/1505"))}},
	})
	r, err := s.Query(now, q)
	require.NoError(t, err)
	require.Equal(t, []string{database.Name("c/1501"), database.Name("c/1503"), database.Name("c/1505")}, names(r))
}

// deepStore has two collections, each with n documents that do not exist but have documents below
// them.
func deepStore(t testing.TB, n int) *store.Store {
	s, _ := newStore(store.Options{})
	_, err := s.Commit(func(tx *store.Tx) error {
		for i := range 2 * n {
			path := resource.Path(fmt.Sprintf("c%d/%d/below/d", 1+i%2, i))
			tx.Put(path, document(path, i))
		}
		return nil
	})
	require.NoError(t, err)
	return s
}

func TestListingsPassOverWhatIsBelow(t *testing.T) {
	s := deepStore(t, 1_000)
	ids, _, err := s.CollectionIDs(now, "", "", 10)
	require.NoError(t, err)
	require.Equal(t, []string{"c1", "c2"}, ids)
	ids, _, err = s.CollectionIDs(now, "", "c1", 10)
	require.NoError(t, err)
	require.Equal(t, []string{"c2"}, ids)
}

// The cost of a listing grows with what it lists, not with what is below that.
func BenchmarkCollectionIDs(b *testing.B) {
	for _, n := range []int{100, 40_000} {
		b.Run(fmt.Sprint("below=", n), func(b *testing.B) {
			s := deepStore(b, n)
			for b.Loop() {
				if _, _, err := s.CollectionIDs(now, "", "", 10); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
