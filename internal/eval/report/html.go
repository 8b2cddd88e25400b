// Package report shows what an evaluation found: as tables on a terminal and in the documents, as
// plots, and as one HTML page that needs nothing else, no network, no script and no font, for a
// screen of any width, light or dark, and for paper. The tables are the same everywhere, so that
// each figure is written in one place and one way.
package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	css "text/template"
	"unicode"
	"unicode/utf8"

	"hippocampus/internal/eval/result"
)

//go:embed report.html
var markup string

//go:embed style.css
var sheet string

var (
	pageTemplate  = template.Must(template.New("page").Parse(markup))
	styleTemplate = css.Must(css.New("style").Parse(sheet))
)

// document is what the template shows.
type document struct {
	Style    template.CSS
	Title    string
	Answer   answer
	Run      result.Evaluation
	Facts    []fact
	Sections []chapter
}

// answer is all verdicts in one.
type answer struct {
	OK   bool
	Text string
}

// chapter is a measurement as the page shows it.
type chapter struct {
	Measurement
	Why     string // the verdict without its first word, Yes or No
	Figures []drawing
	Grids   []grid
}

// drawing is a plot in the sizes of which the page shows one.
type drawing struct {
	Title string
	Note  string
	Sizes []template.HTML
}

// HTML writes the report. It fails only where w does, or where a plot cannot be drawn.
func HTML(w io.Writer, r *result.Results) error {
	d := document{Title: "Evaluation on " + r.Evaluation.Deployment.Name, Answer: overall(r),
		Run: r.Evaluation, Facts: facts(&r.Evaluation)}
	drawn := charts(r)
	for _, s := range Measurements(r) {
		part := chapter{Measurement: s, Why: why(s.Verdict)}
		for _, c := range drawn {
			if c.section != s.ID {
				continue
			}
			figure := drawing{Title: c.title, Note: c.note}
			for _, size := range []size{desk, phone} {
				svg, err := c.inPage(size)
				if err != nil {
					return err
				}
				figure.Sizes = append(figure.Sizes, template.HTML(svg))
			}
			part.Figures = append(part.Figures, figure)
		}
		for _, t := range s.Tables {
			part.Grids = append(part.Grids, newGrid(t))
		}
		d.Sections = append(d.Sections, part)
	}
	var style, out bytes.Buffer
	if err := styleTemplate.Execute(&style, struct {
		Themes []struct{ Name, Light, Dark string }
		Stacks []int
		Fonts  string
	}{properties(), stacks, fonts}); err != nil {
		return fmt.Errorf("write the report's style: %w", err)
	}
	d.Style = template.CSS(style.String())
	if err := pageTemplate.Execute(&out, d); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	_, err := out.WriteTo(w)
	return err
}

// overall says what all verdicts come to.
func overall(r *result.Results) answer {
	all, no := r.Verdicts(), 0
	for _, v := range all {
		if !v.OK {
			no++
		}
	}
	switch {
	case len(all) == 0:
		return answer{false, "Nothing was measured."}
	case no == 0 && r.Evaluation.Interrupted:
		return answer{true, "So far, no measurement says no: the run was interrupted."}
	case no == 0 && len(all) == 1:
		return answer{true, "The one measurement says yes."}
	case no == 0 && len(all) == 2:
		return answer{true, "Both measurements say yes."}
	case no == 0:
		return answer{true, fmt.Sprintf("All %d measurements say yes.", len(all))}
	case no == len(all) && no == 1:
		return answer{false, "The one measurement says no."}
	case no == len(all) && no == 2:
		return answer{false, "Both measurements say no."}
	case no == len(all):
		return answer{false, fmt.Sprintf("All %d measurements say no.", no)}
	case no == 1:
		return answer{false, fmt.Sprintf("1 of %d measurements says no.", len(all))}
	}
	return answer{false, fmt.Sprintf("%d of %d measurements say no.", no, len(all))}
}

// why returns the verdict's sentence without the word that a badge beside it says.
func why(v result.Verdict) string {
	word := "No"
	if v.OK {
		word = "Yes"
	}
	rest, ok := strings.CutPrefix(v.Text, word)
	if rest = strings.TrimLeft(rest, " ,:.;"); !ok || rest == "" {
		return v.Text
	}
	first, size := utf8.DecodeRuneInString(rest)
	return string(unicode.ToUpper(first)) + rest[size:]
}

func properties() []struct{ Name, Light, Dark string } {
	var all []struct{ Name, Light, Dark string }
	for _, t := range themes {
		all = append(all, struct{ Name, Light, Dark string }{t.name, t.light, t.dark})
	}
	return all
}
