package serial_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Eight clients want one document. Somebody loses only to an older one that commits, and keeps his
// age when he tries again, so everybody's turn comes after at most seven losses.
func TestProgress(t *testing.T) {
	const clients, each = 8, 100
	x := embedded(t, nil)
	_, _, err := x.commit(nil, []change{{document: 0, number: 1}})
	require.NoError(t, err)
	losses := make([]int, clients)
	longest := make([]int, clients)
	require.NoError(t, together(clients, func(i int) error {
		for range each {
			var failed []byte
			for lost := 0; ; lost++ {
				longest[i] = max(longest[i], lost)
				transaction, err := x.increment(failed)
				if err == nil {
					break
				}
				if status.Code(err) != codes.Aborted {
					return err
				}
				losses[i]++
				failed = transaction
			}
		}
		return nil
	}))
	all, _, _, err := x.get(view{}, []int{0})
	require.NoError(t, err)
	require.Equal(t, []entry{{0, 1 + clients*each}}, all)
	total := 0
	for i := range clients {
		total += losses[i]
		require.Less(t, longest[i], clients, "client %d lost that often with one transaction", i)
	}
	require.Positive(t, total, "nobody was in anybody's way")
	t.Logf("%d commits, %d losses, at most %v with one transaction", clients*each, total, longest)
}

// increment adds one to document 0 in a transaction.
func (x *server) increment(failed []byte) (transaction []byte, err error) {
	if transaction, err = x.begin(readWrite(failed)); err != nil {
		return nil, err
	}
	all, _, _, err := x.get(view{transaction: transaction}, []int{0})
	if err != nil {
		return transaction, err
	}
	_, _, err = x.commit(transaction, []change{{document: 0, number: all[0].number + 1}})
	return transaction, err
}
