package report

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// chart is a plot that is not drawn yet: lines over two axes.
type chart struct {
	name    string // of its file, without .svg
	title   string
	section string // the ID of the Section to which it belongs
	x, y    axis
	lines   []line
	note    string // what one must know to read it; may be empty
}

// line is a way, a situation or a quantity.
type line struct {
	name   string
	style  int     // index of styles
	points []point // by x
	steps  bool    // y stays until the next x
}

// point is a measured value. high is where its whisker ends, 0 for none.
type point struct {
	x, y, high float64
	text       string // what the point says when it is pointed at
}

// size is how a chart is drawn: in pixels, in which a font's size is as well.
type size struct {
	name          string
	width, height float64
	wrap          float64 // the widest that a line's label may be before it is wrapped
}

// A page has both and shows the one that fits, so that text is as large on a phone as on a desk.
var (
	desk  = size{"desk", 568, 320, 150}
	phone = size{"phone", 328, 320, 84}
	// file is the size of a plot on its own.
	file = size{"file", 760, 360, 240}
)

// Pixels around a plot and its axes.
const (
	above = 26 // for the title of the axis of y
	below = 28 // for that of x
	edges = 60 // beside the data, for the first label of the axis of x and the last
	foot  = 16 // for the labels of the axis of x
)

// values returns the chart's numbers along each axis, ends of whiskers among them.
func (c *chart) values() (xs, ys []float64) {
	for _, l := range c.lines {
		for _, p := range l.points {
			xs, ys = append(xs, p.x), append(ys, p.y)
			if p.high > 0 {
				ys = append(ys, p.high)
			}
		}
	}
	return xs, ys
}

// empty: there is nothing to draw.
func (c *chart) empty() bool {
	xs, _ := c.values()
	return len(xs) == 0
}

// draw returns the chart as SVG of the light theme's colours.
func (c *chart) draw(s size) ([]byte, error) {
	width, height := vg.Length(s.width), vg.Length(s.height)
	p := plot.New()
	p.BackgroundColor = nil
	xs, ys := c.values()
	names := c.labels(s)
	gutter := names.width() + leader

	c.y.apply(&p.Y, ys, height-above-below-foot, verticalGap)
	p.Y.Padding, p.Y.LineStyle.Width, p.Y.Tick.LineStyle.Width = 6, 0, 0
	c.x.apply(&p.X, xs, width-gutter-widest(p.Y.Tick.Marker, p.Y)-edges, horizontalGap)
	p.X.Padding, p.X.LineStyle.Color, p.X.Tick.LineStyle.Color, p.X.Tick.Length = 4, muted, muted, 5

	xMin, xMax, yMin, yMax := p.X.Min, p.X.Max, p.Y.Min, p.Y.Max

	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = faint, faint
	grid.Vertical.Width, grid.Horizontal.Width = 0, 1
	p.Add(grid)
	// What is dashed is drawn over what is not, so that both are seen where lines coincide.
	over := slices.Clone(c.lines)
	slices.SortStableFunc(over, func(a, b line) int { return min(len(styles[a.style].dashes), 1) - min(len(styles[b.style].dashes), 1) })
	for _, l := range over {
		if err := l.add(p); err != nil {
			return nil, err
		}
	}
	// Add widens the axes to the data, and so to a 0 that they have no place for.
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = xMin, xMax, yMin, yMax
	places := &tips{lines: c.lines, height: height}
	p.Add(names, places, under(c.x.title))

	canvas := vgsvg.New(width, height)
	area := draw.New(canvas)
	style := label(ink)
	style.YAlign = draw.YTop
	area.FillText(style, vg.Point{X: 1, Y: height - 2}, c.y.title)
	p.Draw(draw.Crop(area, 0, -gutter, below, -above))
	return finish(canvas, places.marks)
}

// add draws the line, its points and their whiskers.
func (l *line) add(p *plot.Plot) error {
	style := styles[l.style]
	xys := make(plotter.XYs, 0, len(l.points)+1)
	var whiskers struct {
		plotter.XYs
		plotter.YErrors
	}
	for _, point := range l.points {
		xys = append(xys, plotter.XY{X: point.x, Y: point.y})
		if point.high > point.y {
			whiskers.XYs = append(whiskers.XYs, plotter.XY{X: point.x, Y: point.y})
			whiskers.YErrors = append(whiskers.YErrors,
				struct{ Low, High float64 }{0, point.high - point.y})
		}
	}
	glyphs := xys
	if l.steps && len(xys) > 0 {
		// It rises from 0, and stays what it is after the last.
		xys = append(plotter.XYs{{X: xys[0].X}}, xys...)
		xys = append(xys, plotter.XY{X: math.Max(p.X.Max, xys[len(xys)-1].X), Y: xys[len(xys)-1].Y})
	}
	drawn, err := plotter.NewLine(xys)
	if err != nil {
		return err
	}
	drawn.LineStyle = draw.LineStyle{Color: style.line, Width: vg.Length(style.width),
		Dashes: style.dashes}
	if l.steps {
		drawn.StepStyle = plotter.PostStep
	}
	p.Add(drawn)
	if len(whiskers.XYs) > 0 {
		bars, err := plotter.NewYErrorBars(whiskers)
		if err != nil {
			return err
		}
		bars.LineStyle, bars.CapWidth = draw.LineStyle{Color: style.line, Width: 1}, 6
		p.Add(bars)
	}
	if l.steps {
		return nil // one mark a write would be a smear
	}
	scatter, err := plotter.NewScatter(glyphs)
	if err != nil {
		return err
	}
	scatter.GlyphStyle = draw.GlyphStyle{Color: style.text, Radius: 3.5, Shape: style.shape}
	p.Add(scatter)
	return nil
}

// under is the title of the axis below the data. The library would give it room as if the scale
// were linear.
type under string

// Plot writes the title.
func (u under) Plot(c draw.Canvas, _ *plot.Plot) {
	style := label(ink)
	style.XAlign = draw.XCenter
	c.FillText(style, vg.Point{X: c.Center().X, Y: 12}, string(u))
}

// tips collects where the points are, for the texts that a reader sees who points at one.
type tips struct {
	lines  []line
	height vg.Length
	marks  []mark
}

// mark is a place on the drawing, from its top left corner, and what is there.
type mark struct {
	x, y float64
	text string
}

// Plot notes the places; it draws nothing.
func (t *tips) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, l := range t.lines {
		for _, point := range l.points {
			if point.text != "" {
				t.marks = append(t.marks,
					mark{x(point.x).Points(), (t.height - y(point.y)).Points(), point.text})
			}
		}
	}
}
