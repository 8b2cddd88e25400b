package conformance_test

import (
	"testing"

	"hippocampus/emulator/internal/conformance"
	"hippocampus/emulator/official/officialtest"
)

func TestMain(m *testing.M) { officialtest.Main(m) }

func TestOfficial(t *testing.T) {
	em := officialtest.Start(t)
	conformance.Run(t, conformance.Target{Conn: officialtest.Dial(t, em.Host()), Host: em.Host(), Official: true})
}
