package serial_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"
)

// tries is enough for any transaction here: one that is tried again is older than those that come
// after it.
const tries = 50

func number(doc *firestore.DocumentSnapshot) int64 {
	n, _ := doc.Data()["n"].(int64)
	return n
}

// Money goes from account to account. Whoever looks, in a transaction or with a query, sees all of
// it.
func TestTransfers(t *testing.T) {
	const accounts, each = 4, 100
	onBoth(t, 60, 2, func(t *testing.T, x *server, size int) {
		account := func(i int) *firestore.DocumentRef { return x.client.Doc(fmt.Sprintf("accounts/%d", i)) }
		for i := range accounts {
			_, err := account(i).Set(x.ctx, map[string]any{"n": each})
			require.NoError(t, err)
		}
		transfer := func(r *rand.Rand) error {
			pair, amount := r.Perm(accounts)[:2], 1+r.Int64N(each)
			return x.client.RunTransaction(x.ctx, func(_ context.Context, tx *firestore.Transaction) error {
				docs, err := tx.GetAll([]*firestore.DocumentRef{account(pair[0]), account(pair[1])})
				if err != nil {
					return err
				}
				from, to := number(docs[0]), number(docs[1])
				if from < amount {
					return nil
				}
				if err := tx.Set(docs[0].Ref, map[string]any{"n": from - amount}); err != nil {
					return err
				}
				return tx.Set(docs[1].Ref, map[string]any{"n": to + amount})
			}, firestore.MaxAttempts(tries))
		}
		inTransaction := func(options ...firestore.TransactionOption) (docs []*firestore.DocumentSnapshot, err error) {
			err = x.client.RunTransaction(x.ctx, func(_ context.Context, tx *firestore.Transaction) error {
				docs, err = tx.Documents(x.client.Collection("accounts")).GetAll()
				return err
			}, options...)
			return docs, err
		}
		looks := []func() ([]*firestore.DocumentSnapshot, error){
			func() ([]*firestore.DocumentSnapshot, error) {
				return x.client.Collection("accounts").Where("n", ">=", 0).Documents(x.ctx).GetAll()
			},
			func() ([]*firestore.DocumentSnapshot, error) { return inTransaction(firestore.ReadOnly) },
			func() ([]*firestore.DocumentSnapshot, error) { return inTransaction(firestore.MaxAttempts(tries)) },
		}
		require.NoError(t, together(3+len(looks), func(i int) error {
			r := rand.New(rand.NewPCG(*first, uint64(i)))
			for range size {
				if i >= len(looks) {
					if err := transfer(r); err != nil {
						return err
					}
					continue
				}
				docs, err := looks[i]()
				if err != nil {
					return err
				}
				var sum int64
				for _, doc := range docs {
					sum += number(doc)
				}
				if sum != accounts*each || len(docs) != accounts {
					return fmt.Errorf("look %d: %d accounts have %d together, not %d", i, len(docs), sum, accounts*each)
				}
			}
			return nil
		}), "seed %d", *first)
	})
}

// Of all that is added to one number, in transactions and by transforms, nothing is lost.
func TestCounters(t *testing.T) {
	onBoth(t, 30, 1, func(t *testing.T, x *server, size int) {
		doc := x.client.Doc("counters/n")
		_, err := doc.Set(x.ctx, map[string]any{"n": 0})
		require.NoError(t, err)
		const transacting, transforming = 4, 2
		require.NoError(t, together(transacting+transforming, func(i int) error {
			for range size {
				var err error
				if i < transacting {
					err = x.client.RunTransaction(x.ctx, func(_ context.Context, tx *firestore.Transaction) error {
						got, err := tx.Get(doc)
						if err != nil {
							return err
						}
						return tx.Set(doc, map[string]any{"n": number(got) + 1})
					}, firestore.MaxAttempts(tries))
				} else {
					err = x.insist(func() error {
						_, err := doc.Update(x.ctx, []firestore.Update{{Path: "n", Value: firestore.Increment(1)}})
						return err
					})
				}
				if err != nil {
					return err
				}
			}
			return nil
		}))
		got, err := doc.Get(x.ctx)
		require.NoError(t, err)
		require.EqualValues(t, size*(transacting+transforming), number(got))
	})
}
