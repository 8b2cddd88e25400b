package page_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/eval/page"
)

func TestEverySampleIsWritten(t *testing.T) {
	for name, make := range samples {
		var written bytes.Buffer
		require.NoError(t, page.Write(&written, make()), name)
		require.Contains(t, written.String(), "</html>", name)
	}
}
