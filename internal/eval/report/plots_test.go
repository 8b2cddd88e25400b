package report_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/eval/report"
)

// A plot on its own is a well-formed SVG file that needs no style sheet, and brings its paper.
func TestPlotsStandAlone(t *testing.T) {
	for name, tt := range map[string]struct{ plots []string }{
		"results": {[]string{
			"cost-documents", "cost-bytes", "cost-time", "cost-money", "freshness-listed", "repair-drift", "repair-documents", "repair-time",
			"writes-commits",
		}},
		"interrupted": {[]string{"cost-documents", "cost-bytes", "cost-time", "cost-money"}},
		"nothing":     {nil},
	} {
		t.Run(name, func(t *testing.T) {
			plots, err := report.Plots(samples[name]())
			require.NoError(t, err)
			var names []string
			for _, p := range plots {
				names = append(names, p.Name)
				require.NotEmpty(t, p.Title)
				require.Regexp(t, `: [0-9][0-9.,]* at [0-9]`, p.Description)
				require.NotContains(t, string(p.SVG), "var(", "colours are real")
				elements := elementsOf(t, p.SVG)
				require.Equal(t, "svg", elements[0].Name.Local)
				texts := 0
				for _, e := range elements {
					for _, a := range e.Attr {
						require.NotContains(t, a.Value, "http://www.w3.org/1999", "nothing is linked")
						if color := regexp.MustCompile(`fill:(#\w{6})`).FindStringSubmatch(a.Value); e.Name.Local == "text" && color != nil {
							texts++
							require.GreaterOrEqual(t, onWhite(t, color[1]), 4.5, "%s: %s", p.Name, color[1])
						}
					}
				}
				require.Greater(t, texts, 5)
			}
			require.Equal(t, tt.plots, names)
		})
	}
}

// The same results give the same files, so that they can be committed.
func TestPlotsAreTheSameEachTime(t *testing.T) {
	first, err := report.Plots(sample())
	require.NoError(t, err)
	second, err := report.Plots(sample())
	require.NoError(t, err)
	require.NotEmpty(t, first)
	require.Equal(t, first, second)
}

// A description says where each line begins and ends, for those who do not see it.
func TestDescriptionsSayWhatIsDrawn(t *testing.T) {
	plots, err := report.Plots(sample())
	require.NoError(t, err)
	require.Equal(t, "Documents a turn, against memories. full scan: 100 at 100, 20,000 at 20,000. names-only scan: 100 at 100, 20,000 at "+
		"20,000. maps of fields: 1 at 100, 3 at 20,000. index: 1 at 100, 1 at 20,000. index, a tenth changed: 2 at 100, 2 at 20,000.",
		plots[0].Description)
}

func elementsOf(t *testing.T, text []byte) []xml.StartElement {
	t.Helper()
	var all []xml.StartElement
	for decoder := xml.NewDecoder(strings.NewReader(string(text))); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		if element, ok := token.(xml.StartElement); ok {
			all = append(all, element.Copy())
		}
	}
}

// onWhite returns a colour's contrast on white, as WCAG 2.2 defines it.
func onWhite(t *testing.T, color string) float64 {
	t.Helper()
	luminance := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v, err := strconv.ParseUint(color[1+2*i:3+2*i], 16, 8)
		require.NoError(t, err, fmt.Sprint(color))
		c := float64(v) / 255
		if c <= 0.04045 {
			luminance += weight * c / 12.92
		} else {
			luminance += weight * math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return 1.05 / (luminance + 0.05)
}
