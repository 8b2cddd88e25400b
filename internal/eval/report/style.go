package report

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// theme is a colour on light paper and on dark. The drawing is made in the first; the page turns it
// into a property of its style sheet, which has both.
type theme struct {
	name        string // of the property
	light, dark string // #RRGGBB
}

// The colours of lines are Okabe and Ito's, which colour-blind people can tell apart, made darker
// for light paper and lighter for dark, so that a text in one can be read on both: contrast 4.5 at
// least. Source: M. Okabe, K. Ito, "Color Universal Design", 2008.
var themes = []theme{
	{"ink", "#1C2127", "#E6EAEE"},
	{"muted", "#59626C", "#9BA6B1"},
	{"faint", "#DFE4E9", "#2E363F"},
	{"blue", "#00639E", "#62BBF0"},
	{"vermilion", "#B34700", "#FF9D5C"},
	{"green", "#00755A", "#38CCA0"},
	{"purple", "#9A3B78", "#EBA0CB"},
	{"grey", "#5B6470", "#AEB8C2"},
	{"pale", "#8A94A0", "#76818D"}, // for a broad line; contrast 3
}

var (
	ink       = light("ink")
	muted     = light("muted")
	faint     = light("faint")
	blue      = light("blue")
	vermilion = light("vermilion")
	green     = light("green")
	purple    = light("purple")
	grey      = light("grey")
	pale      = light("pale")
)

// light returns a colour as it is on light paper.
func light(name string) color.Color {
	for _, t := range themes {
		if t.name == name {
			return fromHex(t.light)
		}
	}
	return color.Black
}

// fromHex returns the colour of #RRGGBB.
func fromHex(text string) color.Color {
	var v [6]uint8
	for i := range v {
		switch d := text[i+1]; {
		case d >= 'A':
			v[i] = d - 'A' + 10
		default:
			v[i] = d - '0'
		}
	}
	return color.NRGBA{R: v[0]<<4 | v[1], G: v[2]<<4 | v[3], B: v[4]<<4 | v[5], A: 255}
}

// styles tell lines apart, by colour, by dashes and by mark, so that any one of these is enough.
// Those without dashes are broad, so that others are seen on them where lines coincide.
var styles = []struct {
	text, line color.Color
	width      float64
	dashes     []vg.Length
	shape      draw.GlyphDrawer
}{
	{blue, blue, 3.5, nil, draw.CircleGlyph{}},
	{vermilion, vermilion, 1.75, []vg.Length{8, 5}, draw.RingGlyph{}},
	{green, green, 1.75, []vg.Length{9, 4, 2, 4}, draw.PyramidGlyph{}},
	{grey, pale, 4, nil, draw.BoxGlyph{}},
	{purple, purple, 1.75, []vg.Length{2, 2.5}, draw.TriangleGlyph{}},
}

// face is a font that measures texts.
type face struct{ font.Font }

// sans has the metrics of Arial and Helvetica.
var sans = face{font.Font{Typeface: "Liberation", Variant: "Sans", Size: 12}}

// width returns how many pixels a text takes.
func (f face) width(text string) float64 {
	found := font.DefaultCache.Lookup(f.Font, f.Size)
	return found.Width(text).Points()
}

// label is a style of text, from the left and around the middle.
func label(c color.Color) text.Style {
	return text.Style{Color: c, Font: sans.Font, XAlign: draw.XLeft, YAlign: draw.YCenter,
		Handler: plot.DefaultTextHandler}
}
