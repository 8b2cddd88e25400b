package repair_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/index"
	"hippocampus/internal/eval/bill"
	"hippocampus/repair"
)

// A night of a quiet tenant of n memories, whose changes are in one shard.
func TestBillOfANight(t *testing.T) {
	for n, page := range map[int]int{1: 0, 7: 5, 10: 5, 40: 0} { // 10: the last page is full, and one more is asked for
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			f := newFixture(t)
			var b bill.Meter
			client := emulatortest.Client(t, f.Emulator, b.Options()...)
			for i := range n {
				f.put(fmt.Sprint("m", i), day(1))
			}
			f.build()
			f.Deliver(0, f.put("m0", day(2)))
			o := f.options()
			o.Page = page
			result, err := repair.Build(t.Context(), client, memories, o)
			require.NoError(t, err)
			used := b.Take()
			want := n + 4 // meta twice, the request's absence, a shard, the memories
			if page > 0 && n%page == 0 {
				want++
			}
			require.Equal(t, want, used.Reads)
			require.Equal(t, 1, used.Writes)
			require.Equal(t, 1, used.Deletes)
			require.Equal(t, used.Reads, result.Reads)
			require.Equal(t, used.Writes+used.Deletes, result.Writes)
			f.RequireEqual()
		})
	}
}

// A compaction of k shards that was asked for.
func TestBillOfACompaction(t *testing.T) {
	for k := 1; k <= index.Shards; k++ {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			f := newFixture(t)
			var b bill.Meter
			client := emulatortest.Client(t, f.Emulator, b.Options()...)
			f.put("m", day(1))
			f.build()
			for shard := range k {
				f.Deliver(shard, f.put("m", day(2+shard)))
			}
			f.Request(index.Compaction)
			result, err := repair.Compact(t.Context(), client, memories, f.options())
			require.NoError(t, err)
			used := b.Take()
			require.Equal(t, k+2, used.Reads, "meta, the request and the shards")
			require.Equal(t, 1, used.Writes)
			require.Equal(t, k+1, used.Deletes, "the shards and the request")
			require.Equal(t, used.Reads, result.Reads)
			require.Equal(t, used.Writes+used.Deletes, result.Writes)
			f.RequireEqual()
		})
	}
}

// What finding the work costs: RepairDue asks once for all tenants, OnRequest looks
// at its request.
func TestBillOfFindingWork(t *testing.T) {
	f := newFixture(t)
	var b bill.Meter
	client := emulatortest.Client(t, f.Emulator, b.Options()...)
	for due := range 3 {
		targets, err := repair.Due(t.Context(), client)
		require.NoError(t, err)
		require.Len(t, targets, due)
		reads := b.Take().Reads
		require.Equal(t, 1+max(1, due), reads)
		path, err := index.Path(fmt.Sprintf("tenants/%d/memories", due))
		require.NoError(t, err)
		_, err = f.Client.Doc(path+"/"+index.MetaID).Set(t.Context(), map[string]any{index.DueField: day(1)})
		require.NoError(t, err)
	}

	f.build()
	f.Deliver(0, f.put("m", day(2)))
	f.Request(index.Compaction)
	_, err := repair.Serve(t.Context(), client, memories, f.options())
	require.NoError(t, err)
	reads := b.Take().Reads
	require.Equal(t, 1+3, reads)
}
