package emulatortest_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator"
	"hippocampus/emulator/emulatortest"
	"hippocampus/emulator/official"
	"hippocampus/emulator/official/officialtest"
)

func TestMain(m *testing.M) { emulatortest.Main(m) }

// Each test has documents of its own, on the emulator that the environment says.
func TestStart(t *testing.T) {
	one, two := emulatortest.Start(t), emulatortest.Start(t)
	require.Equal(t, one.Host(), two.Host())
	require.NotEqual(t, one.Project(), two.Project())
	if emulatortest.Official() {
		require.IsType(t, &official.Emulator{}, one)
	} else {
		require.IsType(t, &emulator.Emulator{}, one)
	}
	client := emulatortest.Client(t, one)
	_, err := client.Doc("c/d").Set(t.Context(), map[string]any{})
	require.NoError(t, err)
	got, err := emulatortest.Client(t, two).Collection("c").Documents(t.Context()).GetAll()
	require.NoError(t, err)
	require.Empty(t, got)
	require.Empty(t, os.Getenv("FIRESTORE_EMULATOR_HOST"), "somebody else's")
}

func TestTheEnvironment(t *testing.T) {
	for name, tt := range map[string]struct {
		variable, says string
		fails          bool
	}{
		"the default":        {emulatortest.Variable + "=", "--- PASS: TestStart", false},
		"embedded":           {emulatortest.Variable + "=embedded", "--- PASS: TestStart", false},
		"official":           {emulatortest.Variable + "=official", "--- PASS: TestStart", false},
		"no such emulator":   {emulatortest.Variable + "=oficial", "set it to official or embedded", true},
		"a wrong difference": {emulatortest.ClockVariable + "=10", "missing unit", true},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "official" {
				officialtest.Need(t)
			}
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestStart$", "-test.v")
			child.Env = append(os.Environ(), emulatortest.Variable+"=", "FIRESTORE_EMULATOR_HOST=127.0.0.1:1", tt.variable)
			out, err := child.CombinedOutput()
			require.Equal(t, tt.fails, err != nil, "%s", out)
			require.Contains(t, string(out), tt.says)
		})
	}
}
