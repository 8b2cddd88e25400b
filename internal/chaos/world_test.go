package chaos

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/emulator/eventarc"
)

// firestoreOf returns where worlds get their Firestore from, by the environment: nil, which is one
// of their own, or a project of the official emulator.
func firestoreOf(t testing.TB) func(context.Context) (eventarc.Firestore, error) {
	if !emulatortest.Official() {
		return nil
	}
	emulatortest.Start(t) // where it is missing, this skips the test
	return func(context.Context) (eventarc.Firestore, error) { return emulatortest.Start(t), nil }
}

// startWorld starts a world of the product that ends with the test.
func startWorld(t testing.TB, cover *coverage) *world {
	w, err := newWorld(t.Context(), product, cover, firestoreOf(t))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.close()) })
	return w
}
