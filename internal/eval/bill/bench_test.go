package bill_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"cloud.google.com/go/firestore"
	apiv1 "cloud.google.com/go/firestore/apiv1"
	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/api/option"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	"hippocampus/emulator"
	"hippocampus/emulator/meter"
	"hippocampus/internal/eval/bill"
	"hippocampus/internal/eval/corpus"
)

const caller = "bench"

// one is the fields of a document.
var one = map[string]any{"n": 1, "k": 1 << 40}

// bench is an emulator, which counts, too, and collections of ten, of 2,500 and of no documents.
type bench struct {
	em     *emulator.Emulator
	meter  bill.Meter
	client *firestore.Client
	calls  *apiv1.Client
	// Documents are written to spare only.
	docs, many, none, spare *firestore.CollectionRef
}

func newBench(t *testing.T) *bench {
	t.Helper()
	em, err := emulator.Start(t.Context(), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, em.Close()) })
	b := &bench{em: em}
	b.client, err = em.ClientOf(t.Context(), caller, b.meter.Options()...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.client.Close()) })
	b.calls, err = apiv1.NewClient(t.Context(), append(b.meter.Options(),
		option.WithEndpoint(em.Host()), option.WithoutAuthentication(),
		option.WithGRPCDialOption(grpc.WithTransportCredentials(insecure.NewCredentials())))...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.calls.Close()) })

	b.docs, b.many = b.client.Collection("docs"), b.client.Collection("many")
	b.none, b.spare = b.client.Collection("none"), b.client.Collection("spare")
	for c, n := range map[*firestore.CollectionRef]int{b.docs: 10, b.many: 2500} {
		documents := make([]corpus.Memory, n)
		for i := range documents {
			v := firestore.Vector32{float32(i), 1}
			documents[i] = corpus.Memory{Name: fmt.Sprint(i), Fields: map[string]any{"n": i, "k": 1 << 40, "v": v}}
		}
		require.NoError(t, corpus.Write(t.Context(), b.client, c.ID, &corpus.WriteOptions{PlainIDs: true}, documents))
	}
	client, server := b.take(t)
	require.Equal(t, server, client)
	require.Equal(t, 2510, client.Writes)
	return b
}

// take returns the counts of both sides, whose bytes it has compared: the emulator's are without
// the 5 before each message.
func (b *bench) take(t *testing.T) (client, server bill.Count) {
	t.Helper()
	client = b.meter.Take()
	u := b.em.Usage()[caller]
	b.em.ResetUsage()
	for _, bytes := range [][2]int64{{client.Received, u.ResponseBytes}, {client.Sent, u.RequestBytes}} {
		require.GreaterOrEqual(t, bytes[0], bytes[1])
		require.Zero(t, (bytes[0]-bytes[1])%5)
		require.Equal(t, bytes[0] > 0, bytes[0] > bytes[1])
	}
	return client, bill.Count{
		Reads: int(u.Reads), Writes: int(u.Writes), Deletes: int(u.Deletes), Received: client.Received, Sent: client.Sent,
	}
}

func second[T any](_ T, err error) error { return err }

func failed[T any](_ T, err error) error {
	if err == nil {
		return errors.New("it has not failed")
	}
	return nil
}

func does[T any](call func(context.Context) (T, error)) func(context.Context) error {
	return func(ctx context.Context) error { return second(call(ctx)) }
}

func fails[T any](call func(context.Context) (T, error)) func(context.Context) error {
	return func(ctx context.Context) error { return failed(call(ctx)) }
}

func query(q firestore.Query) func(context.Context) error {
	return func(ctx context.Context) error { return second(q.Documents(ctx).GetAll()) }
}

func count(q firestore.Query) func(context.Context) error {
	return does(q.NewAggregationQuery().WithCount("k").Get)
}

func (b *bench) countAndSum(ctx context.Context) (firestore.AggregationResult, error) {
	return b.many.NewAggregationQuery().WithSum("n", "s").WithCount("c").Get(ctx)
}

func listing(c *firestore.CollectionRef) func(context.Context) error {
	return func(ctx context.Context) error { return second(c.DocumentRefs(ctx).GetAll()) }
}

func (b *bench) collections(ctx context.Context) error {
	return second(b.client.Collections(ctx).GetAll())
}

func (b *bench) set(ctx context.Context) (*firestore.WriteResult, error) {
	return b.spare.Doc("1").Set(ctx, one)
}

func (b *bench) create(ctx context.Context) (*firestore.WriteResult, error) {
	return b.docs.Doc("1").Create(ctx, one)
}

func (b *bench) remove(ctx context.Context) (*firestore.WriteResult, error) {
	return b.none.Doc("1").Delete(ctx)
}

func (b *bench) nearest(ctx context.Context) error {
	q := b.many.FindNearest("v", firestore.Vector32{1, 2}, 5, firestore.DistanceMeasureEuclidean, nil)
	return second(q.Documents(ctx).GetAll())
}

// get is a unary call, which the client has no use for.
func (b *bench) get(id string) func(context.Context) error {
	return func(ctx context.Context) error {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer owner", meter.Header, caller)
		_, err := b.calls.GetDocument(ctx, &pb.GetDocumentRequest{Name: b.docs.Doc(id).Path})
		if id == "none" {
			return failed(0, err)
		}
		return err
	}
}

func (b *bench) getAll(ids ...string) func(context.Context) error {
	return func(ctx context.Context) error {
		refs := make([]*firestore.DocumentRef, len(ids))
		for i, id := range ids {
			refs[i] = b.docs.Doc(id)
		}
		return second(b.client.GetAll(ctx, refs))
	}
}

func (b *bench) ended(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return failed(b.docs.Documents(ctx).GetAll())
}

// batch is one call with four writes, one of which fails.
func (b *bench) batch(ctx context.Context) error {
	w := b.client.BulkWriter(ctx)
	var jobs []*firestore.BulkWriterJob
	add := func(job *firestore.BulkWriterJob, err error) error {
		jobs = append(jobs, job)
		return err
	}
	if err := errors.Join(add(w.Set(b.spare.Doc("1"), one)), add(w.Set(b.spare.Doc("2"), one)),
		add(w.Delete(b.none.Doc("1"))), add(w.Create(b.docs.Doc("3"), one))); err != nil {
		return err
	}
	w.End()
	for _, job := range jobs[:3] {
		if _, err := job.Results(); err != nil {
			return err
		}
	}
	return failed(jobs[3].Results())
}

func (b *bench) transaction(f func(*firestore.Transaction) error) func(context.Context) error {
	return func(ctx context.Context) error {
		return b.client.RunTransaction(ctx, func(_ context.Context, tx *firestore.Transaction) error { return f(tx) })
	}
}
