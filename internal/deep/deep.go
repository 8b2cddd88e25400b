// Package deep tells the tests that everybody runs, which take three minutes and need Go alone,
// from those that take longer or need more: the official emulator, the Google Cloud CLI, a browser.
//
//	HIPPOCAMPUS_DEEP=1 go test ./...
//
// runs all of them. What a deep test needs and does not find is then a failure, never a skip.
package deep

import (
	"os"
	"testing"
)

// Variable is the environment variable that switches the deep tests on, with any value.
const Variable = "HIPPOCAMPUS_DEEP"

// On reports whether deep tests are wanted.
func On() bool { return os.Getenv(Variable) != "" }

// Only skips a test unless deep tests are wanted.
func Only(t testing.TB) {
	t.Helper()
	if !On() {
		t.Skip("deep: set " + Variable + "=1 to run it")
	}
}

// Choose returns the one or the other size of a test: that for everybody, or the deep one.
func Choose[T any](quick, deep T) T {
	if On() {
		return deep
	}
	return quick
}
