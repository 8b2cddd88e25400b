package report

import (
	"math"
	"slices"

	"hippocampus/internal/eval/result"
)

// Plot is one plot as an SVG file of its own, on paper of its own: it can be read wherever it is
// shown.
type Plot struct {
	Name        string // of the file, without .svg
	Title       string // a line
	Description string // what it shows, in words
	SVG         []byte
}

// Plots returns the plots of what was measured, in the order of the report. There is none for what
// has no figures.
func Plots(r *result.Results) ([]Plot, error) {
	var all []Plot
	for _, c := range charts(r) {
		svg, err := c.alone(file)
		if err != nil {
			return nil, err
		}
		all = append(all, Plot{c.name, c.title, c.description(), svg})
	}
	return all, nil
}

// charts returns what can be drawn.
func charts(r *result.Results) []chart {
	var all []chart
	for _, c := range [][]chart{costs(r.Cost), lags(r.Freshness), repairs(r.Repair),
		bursts(r.Writes)} {
		for _, c := range c {
			if c = c.drawable(); !c.empty() {
				all = append(all, c.noted())
			}
		}
	}
	return all
}

// drawable returns the chart without what is no number and what nobody can have measured, which an
// axis would be ruined by. The tables have it.
func (c chart) drawable() chart {
	const least, most = 1e-12, 1e19
	can := func(v float64) bool { return v <= 0 && !math.IsInf(v, 0) || v >= least && v <= most }
	lines := slices.Clone(c.lines)
	for i, l := range lines {
		lines[i].points = nil
		for _, p := range l.points {
			if !can(p.high) {
				p.high = 0
			}
			if can(p.x) && can(p.y) {
				lines[i].points = append(lines[i].points, p)
			}
		}
	}
	c.lines = lines
	return c
}

// noted says in the chart's note how what has no place on a logarithmic axis is shown.
func (c chart) noted() chart {
	const zero = "0 has no place on a logarithmic axis: it stands at its foot."
	xs, ys := c.values()
	_, _, zeroX := span(xs)
	_, _, zeroY := span(ys)
	if zeroX && !c.x.linear || zeroY && !c.y.linear {
		if c.note != "" {
			c.note += " "
		}
		c.note += zero
	}
	return c
}
