package corpus_test

import (
	"testing"

	"hippocampus/emulator/emulatortest"
)

func TestMain(m *testing.M) { emulatortest.Main(m) }
