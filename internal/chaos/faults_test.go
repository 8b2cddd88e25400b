package chaos

import (
	"context"
	"fmt"
	"net/http/httptest"
	"testing"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/index"
	"hippocampus/internal/deep"
	"hippocampus/memory"
)

// trial is one piece of work whose n-th call fails, over a tenant of its own.
type trial struct {
	*schedule
	t      testing.TB
	tenant *tenant
	client *firestore.Client // the work's, with the injector
	in     *injector
	hook   *instance // the functions over that client
}

// job is work that is tried with every call of it failing.
type job struct {
	name string
	// prepare makes what the work needs. Its calls do not fail.
	prepare func(*trial)
	do      func(context.Context, *trial) error
	// needsFold: the list is right after the next full fold only, as events were lost.
	needsFold bool
	// survives one call that fails.
	survives bool
	// calls is how many calls the work makes at least, so that what it is about happens.
	calls int
}

// maxCalls is more than any job makes.
const maxCalls = 60

// Whatever call fails, and however, nothing is lost: the list equals the scan, at
// once or after what failed was done again.
func TestFaults(t *testing.T) {
	require.NotEmpty(t, jobs)
	type kind struct {
		fault
		lasting bool
	}
	var all []kind
	for _, f := range faults {
		all = append(all, kind{f, false}, kind{f, true})
	}
	for _, j := range jobs {
		t.Run(j.name, func(t *testing.T) {
			for _, f := range deep.Choose(all[:1], all) {
				name := f.name + ", once"
				if f.lasting {
					name = f.name + ", from then on"
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					everyCall(t, j, f.fault, f.lasting)
				})
			}
		})
	}
}

// everyCall tries a job with the n-th call failing, for n = 0, 1, 2 … until none fails.
func everyCall(t *testing.T, j job, f fault, lasting bool) {
	defer uncaught(t)
	w := startWorld(t, &coverage{})
	client, in := injectedClient(t, w.em)
	hook := faultyHook(t, client)
	for n := range maxCalls {
		c := newTrial(t, w, fmt.Sprintf("n%d", n))
		c.client, c.in, c.hook = client, in, hook
		j.prepare(c)
		in.arm(n, f, lasting)
		ctx, cancel := context.WithTimeout(t.Context(), hangTimeout)
		err := j.do(ctx, c)
		cancel()
		hit := in.disarm()
		if j.survives && !lasting {
			require.NoError(t, err, "call %d", n)
		}
		c.verify(j, n, err)
		if !hit {
			require.NoError(t, err)
			require.GreaterOrEqual(t, n, max(1, j.calls), "the work made fewer calls than it should")
			t.Logf("each of %d calls has failed", n)
			return
		}
	}
	require.FailNow(t, "the work never ends", "%d calls and no end", maxCalls)
}

// uncaught, deferred, fails a test for what a schedule throws.
func uncaught(t testing.TB) {
	switch thrown := recover().(type) {
	case nil:
	case *Failure:
		require.FailNow(t, "a schedule fails", "%s", thrown.Text)
	case *aborted:
		require.NoError(t, thrown.err)
	default:
		panic(thrown)
	}
}

// newTrial makes a tenant.
func newTrial(t testing.TB, w *world, id string) *trial {
	s := newSchedule(t.Context(), w, 0)
	s.epoch = s.now()
	memories := "tenants/" + id + "/memories"
	indexPath, err := index.Path(memories)
	require.NoError(t, err)
	store, err := memory.NewStore(w.client, memories, memory.Schema{})
	require.NoError(t, err)
	of := &tenant{path: memories, index: indexPath, store: store}
	s.tenants = []*tenant{of}
	for _, n := range []string{"a", "b", "c", "d", "e", "f"} {
		of.names = append(of.names, &name{name: n})
	}
	return &trial{schedule: s, t: t, tenant: of}
}

// faultyHook serves the functions over a client whose calls fail.
func faultyHook(t testing.TB, client *firestore.Client) *instance {
	h, err := product.hook(client)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, h.close(context.WithoutCancel(t.Context()))) })
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return &instance{url: server.URL}
}

// verify does again what has failed, and looks whether anything was lost.
func (c *trial) verify(j job, n int, err error) {
	defer func() {
		switch thrown := recover().(type) {
		case nil:
		case *Failure:
			require.FailNow(c.t, "something was lost", "%s with call %d failing (%v):\n%s", j.name, n, err, thrown.Text)
		default:
			panic(thrown)
		}
	}()
	t := c.tenant
	for _, e := range t.pending {
		c.deliverNow(e)
	}
	t.built = t.built || c.exists(t, index.MetaID)
	if !j.needsFold {
		c.mustEqual(t, "after the work and what failed of it")
	}
	c.buildNow(t)
	t.built, t.lost = true, nil
	c.mustEqual(t, "after the next full fold")
	c.noGarbage(t)
}

// deliverNow delivers a pending event, without a fault.
func (c *trial) deliverNow(e *event) {
	require.NoError(c.t, c.post(c.ctx, c.instances[0], e.msg))
	c.acknowledged(e)
}

// try delivers a pending event over the client whose calls fail.
func (c *trial) try(ctx context.Context, e *event, strip bool) error {
	m := e.msg
	if strip {
		m = m.WithoutPayload()
	}
	if err := c.post(ctx, c.hook, m); err != nil {
		return err
	}
	c.acknowledged(e)
	return nil
}

func (c *trial) acknowledged(e *event) {
	c.tenant.pending, c.tenant.done = remove(c.tenant.pending, e), append(c.tenant.done, e)
}
