package serial_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// insist makes a commit without a transaction, which only the official emulator may abort.
func (x *server) insist(commit func() error) error {
	for {
		if err := commit(); !x.official || status.Code(err) != codes.Aborted {
			return err
		}
	}
}

var errTaken = errors.New("taken")

// Two doctors are on call. Each may leave if the other one stays, and writes only that he himself
// has left: one stays.
func TestWriteSkew(t *testing.T) {
	onBoth(t, 20, 1, func(t *testing.T, x *server, size int) {
		require.NoError(t, together(size, func(ward int) error {
			doctors := x.client.Collection(fmt.Sprintf("wards/%d/doctors", ward))
			for i := range 2 {
				if _, err := doctors.Doc(fmt.Sprint(i)).Set(x.ctx, map[string]any{"calls": true}); err != nil {
					return err
				}
			}
			onCall := doctors.Where("calls", "==", true)
			err := together(2, func(i int) error {
				return x.client.RunTransaction(x.ctx, func(_ context.Context, tx *firestore.Transaction) error {
					n, err := count(tx, doctors, onCall, ward%2 == 0)
					if err != nil || n < 2 {
						return err
					}
					return tx.Update(doctors.Doc(fmt.Sprint(i)), []firestore.Update{{Path: "calls", Value: false}})
				}, firestore.MaxAttempts(tries))
			})
			if err != nil {
				return err
			}
			left, err := onCall.Documents(x.ctx).GetAll()
			if err == nil && len(left) != 1 {
				err = fmt.Errorf("ward %d: %d doctors are left", ward, len(left))
			}
			return err
		}))
	})
}

// count counts the doctors on call, by a query or by reading both.
func count(tx *firestore.Transaction, doctors *firestore.CollectionRef, onCall firestore.Query, byQuery bool) (n int, err error) {
	if byQuery {
		docs, err := tx.Documents(onCall).GetAll()
		return len(docs), err
	}
	docs, err := tx.GetAll([]*firestore.DocumentRef{doctors.Doc("0"), doctors.Doc("1")})
	for _, doc := range docs {
		if doc.Data()["calls"] == true {
			n++
		}
	}
	return n, err
}

// Everybody wants the same room for a day. Each looks whether it is free, which a query that finds
// nothing says, and then adds his own booking, at an hour of his own: there is one.
func TestPhantoms(t *testing.T) {
	const guests = 4
	onBoth(t, 10, 1, func(t *testing.T, x *server, size int) {
		require.NoError(t, together(size, func(room int) error {
			bookings := x.client.Collection(fmt.Sprintf("rooms/%d/bookings", room))
			day := bookings.Where("hour", ">=", 8).Where("hour", "<", 8+guests)
			if room%2 == 1 {
				day = day.OrderBy("hour", firestore.Desc).Limit(1)
			}
			err := together(guests, func(i int) error {
				err := x.client.RunTransaction(x.ctx, func(_ context.Context, tx *firestore.Transaction) error {
					found, err := tx.Documents(day).GetAll()
					if err != nil {
						return err
					}
					if len(found) > 0 {
						return errTaken
					}
					return tx.Create(bookings.NewDoc(), map[string]any{"hour": 8 + i})
				}, firestore.MaxAttempts(tries))
				if errors.Is(err, errTaken) {
					return nil
				}
				return err
			})
			if err != nil {
				return err
			}
			found, err := bookings.Documents(x.ctx).GetAll()
			if err == nil && len(found) != 1 {
				err = fmt.Errorf("room %d has %d bookings", room, len(found))
			}
			return err
		}))
	})
}
