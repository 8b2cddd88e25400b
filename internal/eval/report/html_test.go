package report_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"hippocampus/internal/deep"
	"hippocampus/internal/eval/report"
	"hippocampus/internal/eval/result"
)

// The report is one file that needs nothing else.
func TestReportStandsAlone(t *testing.T) {
	for name, results := range documents(t) {
		var written bytes.Buffer
		require.NoError(t, report.HTML(&written, results), name)
		text := written.String()
		require.True(t, strings.HasPrefix(text, "<!DOCTYPE html>"), name)
		for _, foreign := range []string{"<script", "<img", "@import", "url(", "src=", "href=\"http", "NaN", "ZgotmplZ"} {
			require.NotContains(t, text, foreign, name)
		}
	}
}

// What people have named cannot become markup.
func TestNamesAreEscaped(t *testing.T) {
	var written bytes.Buffer
	require.NoError(t, report.HTML(&written, sampleOfNo()))
	require.Contains(t, written.String(), "&lt;script&gt;alert(1)&lt;/script&gt;")
	require.Contains(t, written.String(), "a made-up sample that says &lt;no&gt;")
}

// The line at the top counts the answers.
func TestAnswersAreCounted(t *testing.T) {
	yes, no := result.Verdict{OK: true, Text: "Yes: it is"}, result.Verdict{Text: "No: it is not"}
	for want, verdicts := range map[string][]result.Verdict{
		"Nothing was measured.":         {},
		"The one measurement says yes.": {yes},
		"The one measurement says no.":  {no},
		"Both measurements say yes.":    {yes, yes},
		"Both measurements say no.":     {no, no},
		"1 of 2 measurements says no.":  {yes, no},
		"2 of 3 measurements say no.":   {no, yes, no},
		"All 3 measurements say yes.":   {yes, yes, yes},
		"All 3 measurements say no.":    {no, no, no},
	} {
		t.Run(want, func(t *testing.T) {
			var r result.Results
			for i, v := range verdicts {
				switch i {
				case 0:
					r.Cost = &result.Cost{Verdict: v}
				case 1:
					r.Repair = &result.Repair{Verdict: v}
				case 2:
					r.Writes = &result.Writes{Verdict: v}
				}
			}
			var written bytes.Buffer
			require.NoError(t, report.HTML(&written, &r))
			require.Contains(t, written.String(), ">"+want+"</p>")
		})
	}
}

type broken struct{}

var errBroken = errors.New("the disk is full")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteSaysThatItCouldNot(t *testing.T) {
	require.ErrorIs(t, report.HTML(broken{}, sample()), errBroken)
}

// Whatever a document holds, the report says so and does not panic.
func TestOddResultsAreShown(t *testing.T) {
	for name, results := range map[string]*result.Results{
		"empty":          {},
		"no figures":     {Cost: &result.Cost{}, Equivalence: &result.Equivalence{}, Freshness: &result.Freshness{}, Repair: &result.Repair{}, Writes: &result.Writes{}},
		"nothing listed": {Freshness: &result.Freshness{Lags: []result.Lag{{Situation: "idle", Writes: 3}}}},
		"a way that is not known": {Cost: &result.Cost{Turns: []result.Turn{
			{Memories: 10, Way: "by carrier pigeon", Documents: 3, MedianMS: 2}, {Memories: 100, Way: "by <raven>", Documents: 4, MedianMS: 3},
		}}},
		"zeros": {Cost: &result.Cost{Turns: []result.Turn{{Way: result.Index}, {Memories: 5, Way: result.Index}}},
			Writes: &result.Writes{Bursts: []result.Burst{{}, {Changes: 10}}}, Repair: &result.Repair{Stores: []result.Mended{{}}}},
		"below zero": {Cost: &result.Cost{Turns: []result.Turn{{Memories: -7, Way: result.Index, Documents: -1, MedianMS: -2, P95MS: -1}}},
			Freshness: &result.Freshness{Lags: []result.Lag{{Situation: "idle", Writes: -1, Listed: 1, MS: []float64{-5, 3}}}}},
		"as great and as small as can be": {Cost: &result.Cost{Turns: []result.Turn{
			{Memories: 1, Way: result.Index, Bytes: math.MaxInt64, MedianMS: math.SmallestNonzeroFloat64, Dollars: math.MaxFloat64, Documents: 1},
			{Memories: math.MaxInt, Way: result.Index, Bytes: 1, MedianMS: math.MaxFloat64, Dollars: 1e-300, Documents: math.MaxInt},
		}}},
		"no numbers": {Cost: &result.Cost{Turns: []result.Turn{{Memories: 1, Way: result.Index, MedianMS: math.NaN(), P95MS: math.Inf(1)}}}},
		"the same size twice": {Cost: &result.Cost{Turns: []result.Turn{
			{Memories: 7, Way: result.Index, Documents: 1}, {Memories: 7, Way: result.Index, Documents: 2},
		}}},
	} {
		t.Run(name, func(t *testing.T) {
			var written bytes.Buffer
			require.NoError(t, report.HTML(&written, results))
			require.Contains(t, written.String(), "</html>")
			require.NotContains(t, written.String(), "NaN")
			require.NotContains(t, written.String(), "Inf")
			_, err := report.Plots(results)
			require.NoError(t, err)
		})
	}
}

// Paper has all of it, on more than one page.
func TestReportCanBePrinted(t *testing.T) {
	b := startBrowser(t)
	var written bytes.Buffer
	require.NoError(t, report.HTML(&written, sample()))
	b.open(t, written.Bytes())
	paper, err := chromedp.Run(b.ctx, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4)))
	require.NoError(t, err)
	require.True(t, bytes.HasPrefix(paper, []byte("%PDF-")))
	require.Greater(t, len(paper), 40_000)
	require.Greater(t, bytes.Count(paper, []byte("/Type /Page\n")), 2)
}

// What the tests look for in a page is found in one that has it.
func TestAuditFindsWhatIsWrong(t *testing.T) {
	b := startBrowser(t)
	fine := `<p>` + strings.Repeat("A fine text. ", 9) + `</p>`
	for what, body := range map[string]string{
		"wide on 360":              `<div style="width: 3000px">wide</div>`,
		"is cut off":               `<div style="width: 40px; overflow: hidden; white-space: nowrap">a text that has no room</div>`,
		"two texts overlap":        `<div style="position: absolute; top: 20px; left: 10px">one</div><div style="position: absolute; top: 24px; left: 14px">two</div>`,
		"contrast 1":               `<p style="color: #CCCCCC">pale</p>`,
		"a text is outside the":    `<p style="position: absolute; left: -30px">to the left</p>`,
		"a text is outside its":    `<svg viewBox="0 0 50 50" width="50" height="50" style="overflow: visible"><text x="40" y="20">outside of it</text></svg>`,
		"text of a plot":           `<svg viewBox="0 0 1000 50" width="200"><text x="40" y="20" font-size="12">small</text></svg>`,
		"0 drawings of a plot":     `<figure>no drawing</figure>`,
		"a plot without a text":    `<figure><svg width="50" height="50"><rect width="9" height="9"/></svg></figure>`,
		"a heading out of order":   `<h3>third</h3>`,
		"a table without":          `<table><tr><td>1</td></tr></table>`,
		"a th without a scope":     `<table><caption>c</caption><tr><th>1</th></tr></table>`,
		"an id twice":              `<p id="a">a</p><p id="a">b</p>`,
		"no language or no title":  fine,
		"the name of a column":     `<style>[data-label]::before { content: attr(data-label); display: block; width: 90px }</style><div style="width: 50px; overflow: visible" data-label="a long name">1</div>`,
		"contrast 1.00 of rgb(255": `<style>[data-label]::before { content: attr(data-label); color: white }</style><p data-label="white on white">1</p>`,
	} {
		t.Run(what, func(t *testing.T) {
			page := `<!DOCTYPE html><html><body style="margin: 50px">` + fine + body + `</body></html>`
			b.open(t, []byte(page))
			b.look(t, screen{360, "screen", "light"})
			require.Contains(t, strings.Join(b.audit(t).Problems, "\n"), what)
		})
	}
	t.Run("network and console", func(t *testing.T) {
		address := b.open(t, []byte(`<!DOCTYPE html><html><body><img src="/missing.png"><script>console.log("hello"); nothing.at.all</script></body></html>`))
		requests, messages := b.did()
		require.Contains(t, requests, strings.TrimSuffix(address, "/report.html")+"/missing.png")
		text := strings.Join(messages, "\n")
		require.Contains(t, text, "console: log")
		require.Contains(t, text, "exception: ")
		require.Contains(t, text, "log: Failed to load resource")
	})
}

// Without a word nobody needs Chromium; deep tests do, and where it is missing they fail.
func TestAbsenceIsAFailure(t *testing.T) {
	for name, tt := range map[string]struct {
		deep, says string
		fails      bool
	}{
		"not wanted": {"", "--- SKIP: TestReportCanBePrinted", false},
		"deep":       {"1", "--- FAIL: TestReportCanBePrinted", true},
	} {
		t.Run(name, func(t *testing.T) {
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestReportCanBePrinted$", "-test.v")
			child.Env = append(os.Environ(), "PATH=/nowhere", deep.Variable+"="+tt.deep)
			out, err := child.CombinedOutput()
			require.Equal(t, tt.fails, err != nil, "%s", out)
			require.Contains(t, string(out), tt.says)
			if tt.fails {
				require.Contains(t, string(out), "apt-get install chromium", "it says what to do")
			}
		})
	}
}
