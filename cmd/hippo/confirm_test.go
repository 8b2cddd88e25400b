package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestConfirm(t *testing.T) {
	for answer, expected := range map[string]string{"y\n": "", " Yes \n": "", "n\n": "nothing was done", "\n": "nothing was done", "": "read the answer: EOF"} {
		t.Run(strings.TrimSpace(answer), func(t *testing.T) {
			var asked bytes.Buffer
			env := &environment{in: strings.NewReader(answer), errs: &asked}
			err := env.confirm(t.Context(), false, "Go on?", "nothing was done")
			require.Equal(t, "Go on? [y/N] ", asked.String())
			if expected == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, expected)
			}
		})
	}
}

// An interruption is an answer.
func TestConfirmInterrupted(t *testing.T) {
	in, _ := io.Pipe()
	t.Cleanup(func() { require.NoError(t, in.Close()) })
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	env := &environment{in: in, errs: io.Discard}
	require.ErrorIs(t, env.confirm(ctx, false, "Go on?", "nothing was done"), context.Canceled)
}
