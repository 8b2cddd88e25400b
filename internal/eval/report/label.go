package report

import (
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	leader     = 26 // pixels between the plot and the labels of its lines
	lineHeight = 15 // pixels from one line of text to the next
)

// labels names each line at its end.
type labels struct {
	of []named
}

type named struct {
	line line
	text []string // wrapped
}

// labels returns what the lines with points are called.
func (c *chart) labels(s size) *labels {
	l := &labels{}
	for _, line := range c.lines {
		if len(line.points) > 0 {
			l.of = append(l.of, named{line, wrap(line.name, s.wrap)})
		}
	}
	return l
}

// width returns the pixels that the widest takes.
func (l *labels) width() vg.Length {
	widest := 0.0
	for _, n := range l.of {
		for _, text := range n.text {
			widest = math.Max(widest, sans.width(text))
		}
	}
	return vg.Length(math.Ceil(widest) + 2)
}

// Plot draws the labels to the right of the data, each with a thin line from where its own ends.
func (l *labels) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	at, heights := make([]float64, len(l.of)), make([]float64, len(l.of))
	order := make([]int, len(l.of))
	for i, n := range l.of {
		order[i], heights[i] = i, float64(len(n.text)*lineHeight)
		at[i] = y(n.line.points[len(n.line.points)-1].y).Points()
	}
	// From the foot to the top, for spread; of lines that end together, the first is on top.
	slices.SortStableFunc(order, func(a, b int) int {
		if at[a] != at[b] {
			return compare(at[a], at[b])
		}
		return b - a
	})
	wanted, sizes := make([]float64, len(order)), make([]float64, len(order))
	for k, i := range order {
		wanted[k], sizes[k] = at[i], heights[i]
	}
	placed := spread(wanted, sizes, c.Min.Y.Points()-6, c.Max.Y.Points()+6)
	for k, i := range order {
		n, style := l.of[i], styles[l.of[i].line.style]
		end := n.line.points[len(n.line.points)-1].x
		if n.line.steps {
			end = p.X.Max
		}
		from := vg.Point{X: x(end) + 6, Y: vg.Length(at[i])}
		right := c.Max.X
		c.StrokeLines(draw.LineStyle{Color: muted, Width: 0.75, Dashes: []vg.Length{1, 1.5}},
			[]vg.Point{
				from, {X: max(right-2, from.X), Y: from.Y},
				{X: right + leader - 12, Y: vg.Length(placed[k])},
				{X: right + leader - 6, Y: vg.Length(placed[k])},
			})
		text := label(style.text)
		for row, words := range n.text {
			above := float64(len(n.text)-1)/2 - float64(row)
			c.FillText(text, vg.Point{X: right + leader - 3,
				Y: vg.Length(placed[k] + above*lineHeight + 1)}, words)
		}
	}
}

func compare(a, b float64) int {
	if a < b {
		return -1
	}
	return 1
}

// spread moves things of these sizes, wanted around places in ascending order, as little as
// possible (least squares) so that none overlaps another or is outside low and high, if there is
// room. Pool adjacent violators: R. E. Barlow and others, Statistical Inference under Order
// Restrictions, 1972.
func spread(wanted, sizes []float64, low, high float64) []float64 {
	type pool struct {
		sum float64
		n   int
	}
	// Without the room that those below take, places must only not fall.
	offsets, taken := make([]float64, len(wanted)), 0.0
	var pools []pool
	for i := range wanted {
		offsets[i] = taken + sizes[i]/2
		taken += sizes[i]
		pools = append(pools, pool{wanted[i] - offsets[i], 1})
		for k := len(pools) - 1; k > 0 &&
			pools[k-1].sum*float64(pools[k].n) > pools[k].sum*float64(pools[k-1].n); k-- {
			pools[k-1].sum, pools[k-1].n = pools[k-1].sum+pools[k].sum, pools[k-1].n+pools[k].n
			pools = pools[:k]
		}
	}
	var placed []float64
	for _, p := range pools {
		mean := math.Max(low, math.Min(p.sum/float64(p.n), high-taken))
		for range p.n {
			placed = append(placed, mean+offsets[len(placed)])
		}
	}
	return placed
}

// wrap breaks a text at spaces so that no line is wider than this, unless one word is.
func wrap(text string, width float64) []string {
	var lines []string
	for _, word := range strings.Fields(text) {
		if last := len(lines) - 1; last >= 0 && sans.width(lines[last]+" "+word) <= width {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}
