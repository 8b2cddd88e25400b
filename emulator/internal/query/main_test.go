package query_test

import (
	"testing"

	"hippocampus/emulator/official/officialtest"
)

func TestMain(m *testing.M) { officialtest.Main(m) }
