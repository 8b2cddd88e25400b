package conformance

import (
	"testing"

	"hippocampus/emulator/official/officialtest"
)

func TestMain(m *testing.M) { officialtest.Main(m) }

func TestOfficial(t *testing.T) {
	em := officialtest.Start(t)
	Run(t, Server{Conn: officialtest.Dial(t, em.Host()), Host: em.Host(), Official: true})
}
