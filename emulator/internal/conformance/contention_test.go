package conformance

import (
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

const contentionPage = "firestore/transaction-data-contention"

// contention is about transactions at the same time.
var contention = []Check{
	{
		Name: "reads of one document in two transactions do not disturb each other",
		Page: contentionPage,
		Run: func(t *T) {
			t.commit(t.set("c/d", nil))
			a, b := t.begin(nil), t.begin(nil)
			for _, tx := range [][]byte{a, b} {
				_, err := t.getIn(tx, "c/d")
				require.NoError(t, err)
			}
			for _, tx := range [][]byte{a, b} {
				_, err := t.commitIn(tx)
				require.NoError(t, err)
			}
		},
	},
	{
		Name: "transactions that read and write different documents do not disturb each other",
		Page: contentionPage,
		Run: func(t *T) {
			t.commit(t.set("c/d", nil), t.set("c/e", nil))
			a, b := t.begin(nil), t.begin(nil)
			_, err := t.getIn(a, "c/d")
			require.NoError(t, err)
			_, err = t.getIn(b, "c/e")
			require.NoError(t, err)
			_, err = t.commitIn(b, t.set("c/e", fields{"n": literal.Int(2)}))
			require.NoError(t, err)
			_, err = t.commitIn(a, t.set("c/d", fields{"n": literal.Int(1)}))
			require.NoError(t, err)
			t.has("c/d", fields{"n": literal.Int(1)})
			t.has("c/e", fields{"n": literal.Int(2)})
		},
	},
	{
		Name: "transactions that write one document without reading it both succeed",
		Page: contentionPage,
		Run: func(t *T) {
			a, b := t.begin(nil), t.begin(nil)
			_, err := t.commitIn(b, t.set("c/d", fields{"n": literal.Int(2)}))
			require.NoError(t, err)
			_, err = t.commitIn(a, t.set("c/d", fields{"n": literal.Int(1)}))
			require.NoError(t, err)
			t.has("c/d", fields{"n": literal.Int(1)})
		},
	},
	{
		Name: "what a transaction has read can be read by others",
		Page: contentionPage,
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"n": literal.Int(1)}))
			tx := t.reading("c/d")
			t.has("c/d", fields{"n": literal.Int(1)})
			doc, err := t.getIn(t.begin(readOnly(nil)), "c/d")
			require.NoError(t, err)
			t.is(literal.Int(1), doc.Fields["n"])
			_, err = t.commitIn(tx, t.set("c/d", nil))
			require.NoError(t, err)
		},
	},
	{
		Name: "a transaction that only reads does not keep others from writing",
		Page: "firestore/manage-data/transactions: read-only transactions do not lock",
		Run: func(t *T) {
			t.commit(t.set("c/d", nil))
			tx := t.begin(readOnly(nil))
			_, err := t.getIn(tx, "c/d")
			require.NoError(t, err)
			_, err = t.findIn(tx, "c")
			require.NoError(t, err)
			t.commit(t.set("c/d", fields{"n": literal.Int(1)}), t.set("c/e", nil))
		},
	},
	{
		Name: "a transaction that was rolled back does not keep others from writing",
		Page: "proto firestore.proto, Firestore.Rollback",
		Run: func(t *T) {
			t.commit(t.set("c/d", nil))
			tx := t.reading("c/d")
			require.NoError(t, t.rollback(tx))
			t.commit(t.set("c/d", fields{"n": literal.Int(1)}))
			t.has("c/d", fields{"n": literal.Int(1)})
		},
	},
	{
		Name: "a transaction that was committed does not keep others from writing",
		Page: contentionPage,
		Run: func(t *T) {
			t.commit(t.set("c/d", nil))
			tx := t.reading("c/d")
			_, err := t.commitIn(tx)
			require.NoError(t, err)
			t.commit(t.set("c/d", fields{"n": literal.Int(1)}))
		},
	},
	{
		Name: "a write of a document that a transaction has read comes after the transaction",
		Page: contentionPage + ": pessimistic",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"n": literal.Int(1)}))
			tx := t.reading("c/d")
			write := t.start(nil, t.set("c/d", fields{"n": literal.Int(2)}))
			inside, err := t.commitIn(tx, t.set("c/d", fields{"n": literal.Int(3)}))
			require.NoError(t, err)
			outside := <-write
			require.NoError(t, outside.err)
			t.before(inside.CommitTime, outside.res.CommitTime)
			t.has("c/d", fields{"n": literal.Int(2)})
		},
	},
	{
		Name: "a new document that a transaction's query would have found comes after the transaction",
		Page: contentionPage + ": serializable",
		Run: func(t *T) {
			t.commit(t.set("c/d", nil))
			tx := t.begin(nil)
			_, err := t.findIn(tx, "c")
			require.NoError(t, err)
			write := t.start(nil, t.set("c/e", nil))
			inside, err := t.commitIn(tx, t.set("x/count", fields{"n": literal.Int(1)}))
			require.NoError(t, err)
			outside := <-write
			require.NoError(t, outside.err)
			t.before(inside.CommitTime, outside.res.CommitTime)
		},
	},
	oneWins("of two transactions that read and write one document one wins", []string{"c/d"}, false, "c/d", "c/d"),
	oneWins("of two transactions that find a document missing and create it one wins", []string{"c/missing"}, false, "c/missing", "c/missing"),
	oneWins("of two transactions that read two documents and write one each one wins", []string{"c/d", "c/e"}, false, "c/d", "c/e"),
	oneWins("of two transactions that query a collection and add to it one wins", nil, true, "c/new1", "c/new2"),
	{
		Name: "a transaction that lost succeeds when it is tried again",
		Page: transactionPage,
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"n": literal.Int(0)}))
			add := func(failed []byte) ([]byte, error) {
				tx := t.begin(readWrite(failed))
				doc, err := t.getIn(tx, "c/d")
				if err != nil {
					return tx, err
				}
				_, err = t.commitIn(tx, t.set("c/d", fields{"n": literal.Int(doc.Fields["n"].GetIntegerValue() + 1)}))
				return tx, err
			}
			type outcome struct {
				tx  []byte
				err error
			}
			outcomes := make(chan outcome, 2)
			for range 2 {
				go func() {
					tx, err := add(nil)
					outcomes <- outcome{tx, err}
				}()
			}
			first, second := <-outcomes, <-outcomes
			for _, o := range []outcome{first, second} { // one after the other, so that none is in the way
				if o.err != nil {
					t.fails(codes.Aborted, o.err)
					_, o.err = add(o.tx)
				}
				require.NoError(t, o.err)
			}
			t.has("c/d", fields{"n": literal.Int(2)})
		},
	},
}

// committed is the outcome of a commit.
type committed struct {
	res *firestorepb.CommitResponse
	err error
}

// start commits while the check goes on, in a transaction if it is not nil.
func (t *T) start(tx []byte, writes ...*firestorepb.Write) <-chan committed {
	done := make(chan committed, 1)
	go func() {
		res, err := t.commitIn(tx, writes...)
		done <- committed{res, err}
	}()
	return done
}

// oneWins is the check that of two transactions that read the same, documents or a query of their
// collection, and write what the other has read, one is committed.
func oneWins(name string, read []string, query bool, write1, write2 string) Check {
	race := func(t *T) (won int) {
		t.commit(t.set("c/d", nil), t.set("c/e", nil))
		transactions := [][]byte{t.begin(nil), t.begin(nil)}
		for _, tx := range transactions {
			for _, path := range read {
				_, err := t.getIn(tx, path)
				require.NoError(t, err)
			}
			if query {
				_, err := t.findIn(tx, "c")
				require.NoError(t, err)
			}
		}
		var running []<-chan committed
		for i, path := range []string{write1, write2} {
			running = append(running, t.start(transactions[i], t.set(path, fields{"by": literal.Int(int64(i))})))
		}
		for _, r := range running {
			c := <-r
			if c.err == nil {
				won++
				continue
			}
			t.fails(codes.Aborted, c.err)
		}
		return won
	}
	return Check{
		Name:       name,
		Page:       contentionPage + ": serializable",
		Run:        func(t *T) { require.Equal(t, 1, race(t)) },
		Difference: "both transactions may fail, each after waiting about two seconds for the other",
		Official:   func(t *T) { require.LessOrEqual(t, race(t), 1) },
	}
}
