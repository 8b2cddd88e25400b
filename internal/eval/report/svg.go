package report

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"regexp"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// fonts have the metrics of the font that the texts were measured in.
const fonts = "'Liberation Sans',Arimo,Arial,Helvetica,sans-serif"

var (
	head  = regexp.MustCompile(`(?s)^.*?<svg [^>]*>\n`)
	texts = regexp.MustCompile(`<text (x="[^"]*" y="[^"]*") transform="scale\(1, -1\)"\s+style="[^"]*?font-size:12px(?:;fill:(#[0-9A-F]{6}))?">([^<]*)</text>`)
)

// finish returns what is inside the drawing's svg element: its texts as wide as they were measured,
// in whatever font the reader has, and places that say what they are when pointed at.
func finish(canvas *vgsvg.Canvas, marks []mark) ([]byte, error) {
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return nil, err
	}
	drawn := out.String()
	opening := head.FindString(drawn)
	drawn, closed := strings.CutSuffix(strings.TrimPrefix(drawn, opening), "</svg>\n")
	if opening == "" || !closed {
		return nil, errors.New("the drawing is not the SVG that was expected: which version of gonum.org/v1/plot is this?")
	}
	n := strings.Count(drawn, "<text")
	drawn = texts.ReplaceAllStringFunc(drawn, func(text string) string {
		n--
		part := texts.FindStringSubmatch(text)
		return fmt.Sprintf(`<text %s transform="scale(1,-1)" style="fill:%s" textLength="%.1f" lengthAdjust="spacingAndGlyphs">%s</text>`,
			part[1], part[2], sans.width(html.UnescapeString(part[3])), part[3])
	})
	if n != 0 {
		return nil, fmt.Errorf("%d texts of the drawing are not as expected: which version of gonum.org/v1/plot is this?", n)
	}
	var b strings.Builder
	b.WriteString(drawn)
	for _, m := range marks {
		fmt.Fprintf(&b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"7\" fill-opacity=\"0\"><title>%s</title></circle>\n", m.x, m.y, html.EscapeString(m.text))
	}
	return []byte(b.String()), nil
}

// inPage returns the drawing as an element of the page, its colours those of the page's style
// sheet.
func (c *chart) inPage(s size) (string, error) {
	inside, err := c.draw(s)
	if err != nil {
		return "", fmt.Errorf("draw %s: %w", c.name, err)
	}
	drawn := string(inside)
	for _, t := range themes {
		drawn = strings.ReplaceAll(drawn, t.light, "var(--"+t.name+")")
	}
	id := c.name + "-" + s.name
	return fmt.Sprintf(`<svg class="plot %s" role="img" aria-labelledby="%s-title" aria-describedby="%s-desc" viewBox="0 0 %g %g" xmlns="http://www.w3.org/2000/svg">
<title id="%s-title">%s</title>
<desc id="%s-desc">%s</desc>
%s</svg>`, s.name, id, id, s.width, s.height, id, html.EscapeString(c.title), id, html.EscapeString(c.description()), drawn), nil
}

// alone returns the drawing as a file of its own. It brings its paper, as it may be shown on any.
func (c *chart) alone(s size) ([]byte, error) {
	inside, err := c.draw(s)
	if err != nil {
		return nil, fmt.Errorf("draw %s: %w", c.name, err)
	}
	const margin = 16
	return fmt.Appendf(nil, `<?xml version="1.0" encoding="UTF-8"?>
<svg role="img" width="%g" height="%g" viewBox="%d %d %g %g" font-family="%s" font-size="%g" xmlns="http://www.w3.org/2000/svg">
<title>%s</title>
<desc>%s</desc>
<rect x="%d" y="%d" width="%g" height="%g" rx="6" fill="#FFFFFF"/>
%s</svg>
`, s.width+2*margin, s.height+2*margin, -margin, -margin, s.width+2*margin, s.height+2*margin, fonts, sans.Size.Points(),
		html.EscapeString(c.title), html.EscapeString(c.description()),
		-margin, -margin, s.width+2*margin, s.height+2*margin, inside), nil
}

// description says in words what the lines show: where each begins and ends.
func (c *chart) description() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, against %s.", c.y.title, lower(c.x.title))
	for _, l := range c.lines {
		if len(l.points) == 0 {
			continue
		}
		first, last := l.points[0], l.points[len(l.points)-1]
		fmt.Fprintf(&b, " %s: %s at %s", l.name, c.y.text(first.y), c.x.text(first.x))
		if len(l.points) > 1 {
			fmt.Fprintf(&b, ", %s at %s", c.y.text(last.y), c.x.text(last.x))
		}
		b.WriteString(".")
	}
	return b.String()
}

// lower returns a title as it is within a sentence.
func lower(title string) string {
	if title == "" {
		return ""
	}
	return strings.ToLower(title[:1]) + title[1:]
}

// widest returns how many pixels the labels of an axis take.
func widest(marker plot.Ticker, a plot.Axis) vg.Length {
	widest := 0.0
	for _, t := range marker.Ticks(a.Min, a.Max) {
		widest = max(widest, sans.width(t.Label))
	}
	return vg.Length(widest)
}
