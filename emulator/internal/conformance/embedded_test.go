package conformance_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator"
	"hippocampus/emulator/internal/conformance"
	"hippocampus/emulator/official/officialtest"
)

func TestEmbedded(t *testing.T) {
	em, err := emulator.Start(t.Context(), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, em.Close()) })
	conformance.Run(t, conformance.Target{Conn: officialtest.Dial(t, em.Host()), Host: em.Host()})
}
