package conformance

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator"
	"hippocampus/emulator/official/officialtest"
)

func TestEmbedded(t *testing.T) {
	em, err := emulator.Start(t.Context(), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, em.Close()) })
	Run(t, Server{Conn: officialtest.Dial(t, em.Host()), Host: em.Host()})
}
