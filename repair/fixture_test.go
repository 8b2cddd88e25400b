package repair_test

import (
	"context"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"
	"google.golang.org/api/option"

	"hippocampus/emulator/emulatortest"
	"hippocampus/emulator/eventarc"
	"hippocampus/index"
	"hippocampus/internal/tenanttest"
	"hippocampus/memory"
	"hippocampus/repair"
)

const memories = tenanttest.Memories

// fixture is one tenant in a project of its own. Its tests write to the index
// as the hook does, one event at a time, so that they decide which events
// arrive, and when.
type fixture struct {
	*testing.T
	*tenanttest.Tenant
}

func newFixture(t *testing.T) *fixture {
	return &fixture{t, tenanttest.New(t, memory.Schema{})}
}

// options reads at the server's now: nothing else writes while a fold reads.
func (f *fixture) options() *repair.Options { return &repair.Options{Horizon: -1} }

func (f *fixture) build() *repair.Result {
	f.Helper()
	result, err := repair.Build(f.Context(), f.Client, memories, f.options())
	require.NoError(f, err)
	require.Empty(f, result.Uncleaned)
	return result
}

func (f *fixture) compact() *repair.Result {
	f.Helper()
	result, err := repair.Compact(f.Context(), f.Client, memories, f.options())
	require.NoError(f, err)
	require.Empty(f, result.Uncleaned)
	return result
}

// put changes a memory and returns its event.
func (f *fixture) put(name string, date time.Time) index.Change {
	f.Helper()
	before := f.state(name)
	f.Put(name, date)
	return f.event(name, before)
}

// remove deletes a memory and returns its event.
func (f *fixture) remove(name string) index.Change {
	f.Helper()
	before := f.state(name)
	f.Delete(name)
	return f.event(name, before)
}

func (f *fixture) event(name string, before *index.State) index.Change {
	id, err := memory.ID(name)
	require.NoError(f, err)
	return index.Change{ID: id, Old: before, New: f.state(name)}
}

func (f *fixture) state(name string) *index.State {
	found, err := f.Store.Open(f.Context(), name)
	if err != nil {
		require.ErrorIs(f, err, memory.ErrNotFound)
		return nil
	}
	return &index.State{Version: found[0].Version, Date: found[0].Date}
}

func day(d int) time.Time { return time.Date(2026, 5, d, 12, 0, 0, 0, time.UTC) }

// importNoise writes n memories whose names do not compress, so that the base
// needs several parts.
func (f *fixture) importNoise(n int) {
	f.Helper()
	names := make([]string, n)
	for i := range names {
		names[i] = noise(i)
	}
	f.Import(names, day(1), time.Second)
}

// before are options of a client that acts ahead of each call; an error fails the
// call.
func before(act func(tenanttest.Call) error) []option.ClientOption {
	wire := &tenanttest.Wire{Call: func(_ context.Context, c tenanttest.Call, send func() error) error {
		if err := act(c); err != nil {
			return err
		}
		return send()
	}}
	return wire.Options()
}

// aroundUnary are options of a client whose unary calls, its commits, are made by
// around, or are not.
func aroundUnary(around func(send func() error) error) []option.ClientOption {
	wire := &tenanttest.Wire{Call: func(_ context.Context, c tenanttest.Call, send func() error) error {
		if c.Stream {
			return send()
		}
		return around(send)
	}}
	return wire.Options()
}

// during returns a client that acts once, ahead of the call after the given number
// of calls: inside a fold.
func during(t *testing.T, em eventarc.Firestore, calls int, act func()) *firestore.Client {
	t.Helper()
	return emulatortest.Client(t, em, before(func(tenanttest.Call) error {
		if calls--; calls == -1 {
			act()
		}
		return nil
	})...)
}
