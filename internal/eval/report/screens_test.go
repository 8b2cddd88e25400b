package report_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/eval/report"
	"hippocampus/internal/eval/result"
)

// documents are what reports are made from: the samples, and what was measured for the documents.
func documents(t *testing.T) map[string]*result.Results {
	t.Helper()
	files, err := filepath.Glob("testdata/*.json")
	require.NoError(t, err)
	require.Len(t, files, len(samples))
	const measured = "../../../docs/evaluation/results.json"
	if _, err := os.Stat(measured); !errors.Is(err, fs.ErrNotExist) {
		files = append(files, measured)
	}
	all := map[string]*result.Results{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		all[file], err = result.Read(bytes.NewReader(text))
		require.NoError(t, err, file)
	}
	return all
}

// screens are a phone's, a tablet's and a desk's, light and dark, widths at which the page changes
// its layout, and paper.
var screens = []screen{
	{360, "screen", "light"}, {360, "screen", "dark"}, {768, "screen", "light"}, {768, "screen", "dark"},
	{1280, "screen", "light"}, {1280, "screen", "dark"}, {320, "screen", "light"}, {481, "screen", "light"}, {719, "screen", "light"},
	{961, "screen", "light"}, {1100, "screen", "light"}, {1201, "screen", "light"}, {1920, "screen", "dark"},
	{680, "print", "light"}, {680, "print", "dark"},
}

func TestNothingIsCutOffOrOverlaps(t *testing.T) {
	b := startBrowser(t)
	for file, results := range documents(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var written bytes.Buffer
			require.NoError(t, report.HTML(&written, results))
			address := b.open(t, written.Bytes())
			for _, s := range screens {
				t.Run(fmt.Sprintf("%d %s %s", s.width, s.media, s.scheme), func(t *testing.T) {
					b.look(t, s)
					found := b.audit(t)
					require.Empty(t, strings.Join(found.Problems, "\n"))
					require.Greater(t, found.Looked["texts"], 10)
					if results.Cost != nil {
						require.Greater(t, found.Looked["plots"], 3)
						require.Greater(t, found.Looked["plotTexts"], 10*found.Looked["plots"]/2)
						require.Greater(t, found.Looked["pairs"], 30)
						switch {
						case s.media == "screen" && s.width < 400:
							require.Greater(t, found.Looked["labels"], 30, "a phone has blocks, not tables")
						case s.media == "print" || s.width >= 1280:
							require.Zero(t, found.Looked["labels"], "a desk and paper have tables, not blocks")
						}
					}
					b.shoot(t, fmt.Sprintf("%s-%d-%s-%s", filepath.Base(file), s.width, s.media, s.scheme))
				})
			}
			requests, messages := b.did()
			require.Equal(t, []string{address}, requests, "it needs nothing else")
			require.Empty(t, messages)
		})
	}
}
