package repair_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/emulatortest"
	"hippocampus/internal/tenanttest"
	"hippocampus/repair"
)

// A database that does not exist answers NotFound, as a document does. The
// emulator makes any that is asked for.
func TestAMissingDatabaseIsAnError(t *testing.T) {
	f := newFixture(t)
	f.put("a", day(1))
	for calls := range 5 { // that Firestore answers before: meta, index, scan, versions
		client := emulatortest.Client(t, f.Emulator, before(func(tenanttest.Call) error {
			if calls--; calls >= 0 {
				return nil
			}
			return status.Error(codes.NotFound, "the database (default) does not exist")
		})...)
		begun := calls
		for name, act := range map[string]func() error{
			"due":   func() error { _, err := repair.Due(t.Context(), client); return err },
			"all":   func() error { _, err := repair.All(t.Context(), client); return err },
			"serve": func() error { _, err := repair.Serve(t.Context(), client, memories, f.options()); return err },
			"full":  func() error { _, err := repair.Build(t.Context(), client, memories, f.options()); return err },
		} {
			if begun > 0 && name != "full" {
				continue
			}
			err := act()
			require.ErrorContains(t, err, "does not exist", name)
			require.NotErrorIs(t, err, repair.ErrNoRequest)
			require.NotErrorIs(t, err, repair.ErrSuperseded)
		}
	}
}
