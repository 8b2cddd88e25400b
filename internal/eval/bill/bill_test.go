package bill_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hippocampus/internal/eval/bill"
)

func TestTheEmulatorCountsTheSame(t *testing.T) {
	b := newBench(t)
	for name, c := range map[string]struct {
		call func(ctx context.Context) error
		want bill.Count
	}{
		"a document":                     {does(b.docs.Doc("3").Get), bill.Count{Reads: 1}},
		"a document that is missing":     {fails(b.docs.Doc("none").Get), bill.Count{Reads: 1}},
		"a document by the plain call":   {b.get("3"), bill.Count{Reads: 1}},
		"a missing one by it":            {b.get("none"), bill.Count{Reads: 1}},
		"a query":                        {query(b.docs.Where("n", "<", 4)), bill.Count{Reads: 4}},
		"a query of names":               {query(b.docs.Select()), bill.Count{Reads: 10}},
		"a query without results":        {query(b.docs.Where("n", "<", 0)), bill.Count{Reads: 1}},
		"a query with an offset":         {query(b.docs.Offset(7)), bill.Count{Reads: 10}},
		"a query whose offset is past":   {query(b.docs.Offset(70)), bill.Count{Reads: 10}},
		"a count":                        {count(b.docs.Query), bill.Count{Reads: 1}},
		"a count of nothing":             {count(b.docs.Where("n", "<", 0)), bill.Count{Reads: 1}},
		"a count of many":                {count(b.many.Query), bill.Count{Reads: 3}},
		"a count and a sum":              {does(b.countAndSum), bill.Count{Reads: 3}},
		"a sum of few":                   {does(b.docs.NewAggregationQuery().WithSum("n", "s").Get), bill.Count{Reads: 1}},
		"a sum that is large":            {does(b.docs.NewAggregationQuery().WithSum("k", "s").Get), bill.Count{Reads: 1}},
		"a list of collections":          {b.collections, bill.Count{Reads: 1}},
		"a listing":                      {listing(b.docs), bill.Count{Reads: 10}},
		"a listing of nothing":           {listing(b.none), bill.Count{Reads: 1}},
		"a write":                        {does(b.set), bill.Count{Writes: 1}},
		"a write that fails":             {fails(b.create), bill.Count{}},
		"a delete of what is not there":  {does(b.remove), bill.Count{Deletes: 1}},
		"a read that ends before":        {b.ended, bill.Count{}},
		"documents, one of them missing": {b.getAll("1", "none", "2"), bill.Count{Reads: 3}},
		"a batch with a failure":         {b.batch, bill.Count{Writes: 2, Deletes: 1}},
		"a transaction": {b.transaction(func(tx *firestore.Transaction) error {
			if _, err := tx.Documents(b.docs.Where("n", "<", 2)).GetAll(); err != nil {
				return err
			}
			if _, err := tx.Get(b.docs.Doc("7")); err != nil {
				return err
			}
			return errors.Join(tx.Set(b.spare.Doc("1"), one), tx.Delete(b.none.Doc("1")))
		}), bill.Count{Reads: 3, Writes: 1, Deletes: 1}},
		"a transaction that finds nothing": {b.transaction(func(tx *firestore.Transaction) error {
			return second(tx.Documents(b.docs.Where("n", "<", 0)).GetAll())
		}), bill.Count{Reads: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, c.call(t.Context()))
			got, server := b.take(t)
			require.Equal(t, server, got)
			c.want.Received, c.want.Sent = got.Received, got.Sent
			require.Equal(t, c.want, got)
			require.Zero(t, b.meter.Take(), "it is taken")
		})
	}
}

// What is billed and does not show on the wire.
func TestTheEmulatorCountsMore(t *testing.T) {
	b := newBench(t)
	for name, c := range map[string]struct {
		call           func(ctx context.Context) error
		client, server int
	}{
		"a sum of many without a count": {does(b.many.NewAggregationQuery().WithSum("n", "s").Get), 1, 3},
		"a search for nearest vectors":  {b.nearest, 5, 5 + 25},
		"a listener": {func(ctx context.Context) error {
			snapshots := b.docs.Snapshots(ctx)
			defer snapshots.Stop()
			return second(snapshots.Next())
		}, 0, 10},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, c.call(t.Context()))
			client, server := b.take(t)
			require.Equal(t, c.client, client.Reads)
			require.Equal(t, c.server, server.Reads)
		})
	}
	t.Run("a query that is left before its end", func(t *testing.T) {
		documents := b.many.Documents(t.Context())
		for range 2 {
			_, err := documents.Next()
			require.NoError(t, err)
		}
		documents.Stop()
		client, server := b.meter.Take(), b.em.Usage()[caller]
		require.Equal(t, 2, client.Reads)
		require.GreaterOrEqual(t, server.Reads, int64(2))
	})
}

func TestCallsAtTheSameTime(t *testing.T) {
	b := newBench(t)
	const callers, calls = 8, 20
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for range calls {
				_, err := b.docs.Where("n", "<", 3).Documents(t.Context()).GetAll()
				assert.NoError(t, err)
				_, err = b.spare.Doc("x").Set(t.Context(), one)
				assert.NoError(t, err)
			}
		})
	}
	var sum bill.Count
	ended := make(chan struct{})
	go func() { all.Wait(); close(ended) }()
	for running := true; running; {
		select {
		case <-ended:
			running = false
		default:
		}
		c := b.meter.Take()
		sum.Reads, sum.Writes = sum.Reads+c.Reads, sum.Writes+c.Writes
	}
	require.Equal(t, bill.Count{Reads: callers * calls * 3, Writes: callers * calls}, sum)
}
