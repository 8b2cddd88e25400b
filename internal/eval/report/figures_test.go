package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"hippocampus/internal/eval/report"
)

// shown is what testdata/figures.js finds.
type shown struct {
	Title       string            `json:"title"`
	Answer      string            `json:"answer"`
	Interrupted bool              `json:"interrupted"`
	Facts       map[string]string `json:"facts"`
	Left        []string          `json:"left"`
	Summary     [][2]string       `json:"summary"`
	Sections    []shownSection    `json:"sections"`
}

type shownSection struct {
	ID      string                  `json:"id"`
	Verdict string                  `json:"verdict"`
	No      bool                    `json:"no"`
	Notes   []string                `json:"notes"`
	Plots   map[string][]shownPoint `json:"plots"`
	Tables  []shownTable            `json:"tables"`
}

type shownTable struct {
	Caption string     `json:"caption"`
	Head    []string   `json:"head"`
	Rows    [][]string `json:"rows"`
}

type shownPoint struct {
	X    float64 `json:"x"`
	Y    float64 `json:"y"`
	Text string  `json:"text"`
}

// What the page says is what results.json says: each cell of each table is read from the browser
// and compared with the number in the JSON, which is decoded and reckoned with here anew.
func TestFiguresAreThoseOfTheResults(t *testing.T) {
	b := startBrowser(t)
	script, err := os.ReadFile("testdata/figures.js")
	require.NoError(t, err)
	for file, results := range documents(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var written bytes.Buffer
			require.NoError(t, report.HTML(&written, results))
			b.open(t, written.Bytes())
			found, err := chromedp.Run(b.ctx, chromedp.Evaluate[shown](string(script)))
			require.NoError(t, err)

			source := decode(t, file)
			run := source.at("run")
			require.Equal(t, "Evaluation on "+run.at("target").text("name"), found.Title)
			require.Equal(t, run.text("command"), found.Facts["Command"])
			require.Equal(t, run.text("seed"), found.Facts["Seed"])
			require.Contains(t, found.Facts["Target"], run.at("target").text("name"))
			require.Contains(t, found.Facts["Machine"], run.at("machine").text("cpu"))
			require.Contains(t, found.Facts["Source"], run.text("commit"))
			require.Contains(t, found.Facts["Versions"], strings.TrimPrefix(run.text("go"), "go"))
			require.Equal(t, run["interrupted"] == true, found.Interrupted)
			require.Len(t, found.Left, len(run.list("left")))
			for i, left := range run.list("left") {
				require.Equal(t, left.text("what")+": "+left.text("why"), found.Left[i])
			}

			sections := report.Measurements(results)
			require.Len(t, found.Sections, len(sections))
			require.Len(t, found.Summary, len(sections))
			cells := 0
			for i, s := range found.Sections {
				require.Equal(t, sections[i].ID, s.ID)
				require.Equal(t, source.at(s.ID).at("verdict").text("text"), s.Verdict)
				require.Equal(t, source.at(s.ID).at("verdict")["ok"] != true, s.No)
				require.Equal(t, map[bool]string{true: "No", false: "Yes"}[s.No], found.Summary[i][0])
				require.Equal(t, sections[i].Notes, s.Notes)
				require.Len(t, s.Tables, len(sections[i].Tables))
				for k, shown := range s.Tables {
					require.Equal(t, sections[i].Tables[k].Caption, shown.Caption)
					cells += compare(t, shown, expected(t, source, s.ID, shown.Head))
				}
			}
			if results.Cost != nil {
				require.Greater(t, cells, 25)
			}
		})
	}
}

// compare holds the cells of a table to the expected rows, and returns how many it compared.
func compare(t *testing.T, shown shownTable, expected []object) int {
	t.Helper()
	require.Len(t, shown.Rows, len(expected), shown.Caption)
	cells := 0
	for i, row := range shown.Rows {
		require.Len(t, row, len(shown.Head))
		for k, name := range shown.Head {
			require.Contains(t, expected[i], name, "%s: what is the column %q?", shown.Caption, name)
			cells++
			where := fmt.Sprintf("%s: %s in row %d: %q", shown.Caption, name, i, row[k])
			switch want := expected[i][name].(type) {
			case nil:
				require.Empty(t, row[k], where)
			case string:
				require.Equal(t, want, row[k], where)
			case float64:
				exact := want == math.Trunc(want) && want < 1e15 && !strings.ContainsAny(row[k], "/×.")
				switch got := number(t, row[k]); {
				case exact && !strings.Contains(name, "ms") && !strings.Contains(name, " a "):
					require.Equal(t, want, got, where)
				case want == 0:
					require.Zero(t, got, where)
				default: // two or three significant digits are shown
					require.InEpsilon(t, want, got, 0.051, where)
					if strings.Contains(name, "ms") {
						require.InEpsilon(t, want, got, 0.0051, where)
					}
				}
			}
		}
	}
	return cells
}

// number reads a figure as people do: 1,234.5, 1/5,000 or 11×.
func number(t *testing.T, text string) float64 {
	t.Helper()
	text = strings.TrimSuffix(strings.ReplaceAll(text, ",", ""), "×")
	over, below, fraction := strings.Cut(text, "/")
	v, err := strconv.ParseFloat(over, 64)
	require.NoError(t, err)
	if fraction {
		d, err := strconv.ParseFloat(below, 64)
		require.NoError(t, err)
		v /= d
	}
	return v
}

// The points of the plots are where their values say, and none is missing.
func TestPointsAreThoseOfTheResults(t *testing.T) {
	b := startBrowser(t)
	script, err := os.ReadFile("testdata/figures.js")
	require.NoError(t, err)
	var written bytes.Buffer
	require.NoError(t, report.HTML(&written, sample()))
	b.open(t, written.Bytes())
	found, err := chromedp.Run(b.ctx, chromedp.Evaluate[shown](string(script)))
	require.NoError(t, err)
	source := decode(t, "testdata/results.json")
	turns := source.at("cost").list("turns")
	cost := found.Sections[slices.IndexFunc(found.Sections, func(s shownSection) bool { return s.ID == "cost" })]
	for plot, field := range map[string]string{
		"cost-documents": "documents_read", "cost-bytes": "bytes", "cost-time": "median_ms", "cost-money": "dollars_a_million_turns",
	} {
		points := cost.Plots[plot]
		require.Len(t, points, len(turns), plot)
		values := map[string]float64{}
		for _, turn := range turns {
			name := map[string]string{
				"full-scan": "full scan", "names-scan": "names-only scan", "maps": "maps of fields", "index": "index",
				"index-changed": "index, a tenth changed",
			}[turn.text("way")]
			values[fmt.Sprintf("%s, %s memories", name, thousands(turn.number("memories")))] = turn.number(field)
		}
		require.Len(t, values, len(turns))
		// On a logarithmic axis, equal ratios are equally far apart.
		scale := math.NaN()
		for _, p := range points {
			for _, q := range points {
				of := func(p shownPoint) float64 {
					name, _, _ := strings.Cut(p.Text, ":")
					require.Contains(t, values, name)
					return math.Log10(values[name])
				}
				if ratio := of(p) - of(q); ratio > 1 {
					pixels := (q.Y - p.Y) / ratio
					if math.IsNaN(scale) {
						scale = pixels
					}
					require.InDelta(t, scale, pixels, 0.3, "%s: %q and %q", plot, p.Text, q.Text)
				}
			}
		}
		require.Greater(t, scale, 10.0, plot)
	}
}

// thousands writes a whole number below a million as people do.
func thousands(v float64) string {
	if v < 1000 {
		return fmt.Sprint(v)
	}
	return fmt.Sprintf("%d,%03d", int(v)/1000, int(v)%1000)
}

// object is one of a JSON document.
type object map[string]any

func decode(t *testing.T, file string) object {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var o object
	require.NoError(t, decoder.Decode(&o))
	return o
}

func (o object) at(name string) object {
	inner, _ := o[name].(map[string]any)
	return inner
}

func (o object) list(name string) []object {
	var all []object
	items, _ := o[name].([]any)
	for _, item := range items {
		inner, _ := item.(map[string]any)
		all = append(all, inner)
	}
	return all
}

func (o object) text(name string) string {
	if o[name] == nil {
		return ""
	}
	return fmt.Sprint(o[name])
}

func (o object) number(name string) float64 {
	if o[name] == nil {
		return 0
	}
	v, err := o[name].(json.Number).Float64()
	if err != nil {
		return math.NaN()
	}
	return v
}
