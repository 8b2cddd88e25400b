package report

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// axis is what is measured along one side of a chart.
type axis struct {
	title  string // with its unit
	text   func(float64) string
	linear bool // from 0 to 100; otherwise logarithmic
	// marked: the ticks are at the values themselves, not at round numbers.
	marked bool
}

// Pixels between the labels of an axis.
const (
	horizontalGap = 10
	verticalGap   = 12
)

// zeroRoom is the share of a logarithmic axis at whose end 0 stands, which has no place on it.
const zeroRoom = 0.12

// apply sets the axis up for values, on so many pixels.
func (a *axis) apply(to *plot.Axis, values []float64, room vg.Length, gap float64) {
	to.Tick.Label.Font, to.Tick.Label.Color, to.Tick.Label.Handler = sans.Font, muted, plot.DefaultTextHandler
	if a.linear {
		to.Min, to.Max = 0, 100
		to.Tick.Marker = plot.ConstantTicks(a.ticks([]float64{0, 25, 50, 75, 100}, to, room, gap))
		return
	}
	low, high, zero := span(values)
	if a.marked {
		if low == high {
			low, high = low/4, high*1.25 // near the label
		}
	} else {
		low, high = widen(low, high)
	}
	to.Min, to.Max, to.Scale = low, high, logarithmic{zero}
	at := rounds(low, high)
	if a.marked {
		at = slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return v <= 0 })
		slices.Sort(at)
		at = slices.Compact(at)
	}
	if zero {
		at = append([]float64{0}, at...)
	}
	to.Tick.Marker = plot.ConstantTicks(a.ticks(at, to, room, gap))
}

// ticks labels those of the values that have room beside each other: the first and the last before
// powers of ten, these before others.
func (a *axis) ticks(at []float64, on *plot.Axis, room vg.Length, gap float64) []plot.Tick {
	if len(at) == 0 {
		return nil
	}
	type extent struct{ from, to float64 }
	var taken []extent
	labelled := map[int]bool{}
	try := func(i int) {
		middle := on.Norm(at[i]) * float64(room)
		half := gap / 2
		if gap == horizontalGap {
			half += sans.width(a.text(at[i])) / 2
		} else {
			half += sans.Size.Points() / 2
		}
		for _, e := range taken {
			if middle-half < e.to && middle+half > e.from {
				return
			}
		}
		taken = append(taken, extent{middle - half, middle + half})
		labelled[i] = true
	}
	order := []int{0, len(at) - 1}
	for _, tens := range []bool{true, false} {
		for i := 1; i < len(at)-1; i++ {
			if (at[i] > 0 && decade(at[i]) == at[i]) == tens {
				order = append(order, i)
			}
		}
	}
	for _, i := range order {
		if !labelled[i] {
			try(i)
		}
	}
	ticks := make([]plot.Tick, len(at))
	for i, v := range at {
		ticks[i].Value = v
		if labelled[i] {
			ticks[i].Label = a.text(v)
		}
	}
	return ticks
}
