package conformance

import "github.com/stretchr/testify/require"

const limitPage = "firestore/query-data/order-limit-data"

// limitsOffsets are about how many results a query has.
var limitsOffsets = []Check{
	cursorCheck("a limit takes the first", from("c", by("v desc"), limitTo(2)), "5", "4"),
	cursorCheck("a limit of 0 is nothing", from("c", limitTo(0))),
	cursorCheck("a limit of more than there are is all", from("c", limitTo(100)), "0", "1", "2", "3", "4", "5"),
	cursorCheck("an offset skips the first", from("c", by("v"), skip(4)), "4", "5"),
	cursorCheck("an offset of all is nothing", from("c", skip(6))),
	cursorCheck("an offset of more than there are is nothing", from("c", skip(100))),
	cursorCheck("a limit counts after the offset", from("c", by("v"), skip(1), limitTo(2)), "1", "2"),
	cursorCheck("an offset and a limit of 0 are nothing", from("c", skip(2), limitTo(0))),
	cursorCheck("an offset counts what passes the filter", from("c", where(v("==", one)), skip(1)), "2", "3"),
	cursorCheck("a limit counts what passes the filter", from("c", where(v("==", one)), limitTo(2)), "1", "2"),
	cursorCheck("an offset of 0 is none", from("c", by("v desc"), skip(0), limitTo(1)), "5"),
	{
		Name: "skipped results are counted in the answers",
		Page: "proto firestore.proto, RunQueryResponse.skipped_results",
		Run: func(t *T) {
			t.storeEach(one, one, one)
			require.EqualValues(t, 2, t.skipped(2))
			require.EqualValues(t, 0, t.skipped(0))
		},
		Difference: "skipped results are not counted",
		Official: func(t *T) {
			t.storeEach(one, one, one)
			require.EqualValues(t, 0, t.skipped(2))
		},
	},
	{
		Name: "skipped results are only as many as there were",
		Page: "proto firestore.proto, RunQueryResponse.skipped_results",
		Run: func(t *T) {
			t.storeEach(one, one, one)
			require.EqualValues(t, 3, t.skipped(7))
		},
		Difference: "skipped results are not counted",
		Official: func(t *T) {
			t.storeEach(one, one, one)
			require.EqualValues(t, 0, t.skipped(7))
		},
	},
}

// skipped returns how many results a query of c with an offset says to have skipped.
func (t *T) skipped(n int32) int32 {
	t.Helper()
	answers, err := t.query("", from("c", skip(n)))
	require.NoError(t, err)
	var sum int32
	for _, a := range answers {
		sum += a.GetSkippedResults()
	}
	return sum
}
