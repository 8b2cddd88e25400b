package report

import (
	"math"

	"gonum.org/v1/plot"
)

// logarithmic is a scale on which equal ratios are equally far apart. With zero, the axis' start is
// 0's, and what follows begins zeroRoom later.
type logarithmic struct{ zero bool }

var _ plot.Normalizer = logarithmic{}

// Normalize implements plot.Normalizer. Unlike plot.LogScale it takes any value: none is below the
// axis.
func (s logarithmic) Normalize(low, high, v float64) float64 {
	if v <= 0 {
		return 0
	}
	at := (math.Log(v) - math.Log(low)) / (math.Log(high) - math.Log(low))
	if s.zero {
		return zeroRoom + (1-zeroRoom)*at
	}
	return at
}

// span returns the least and the greatest of the values above 0, and whether any is not above it.
func span(values []float64) (low, high float64, zero bool) {
	low, high = math.Inf(1), 0
	for _, v := range values {
		if v <= 0 {
			zero = true
			continue
		}
		low, high = math.Min(low, v), math.Max(high, v)
	}
	if high == 0 {
		return 1, 10, zero
	}
	return low, high, zero
}

// steps divide a decade.
var steps = []float64{1, 2, 5, 10}

// widen returns round numbers around low and high, a decade apart at least.
func widen(low, high float64) (from, to float64) {
	under, over := decade(low), decade(high)
	for _, s := range steps {
		if s*under <= low {
			from = s * under
		}
		if to < high {
			to = s * over
		}
	}
	if to/from >= 10 {
		return from, to
	}
	from, to = under, over
	for to < high {
		to *= 10
	}
	if from == to {
		from, to = from/10, to*10
	}
	return from, to
}

// decade returns the power of ten at or below v, which is above 0.
func decade(v float64) float64 {
	d := math.Pow10(int(math.Floor(math.Log10(v))))
	switch {
	case d > v: // rounding
		return d / 10
	case d == 0: // v is so small that it has none
		return v
	}
	return d
}

// rounds returns the powers of ten from low to high, thinned to a few, or with 2 and 5 between them
// if they are few.
func rounds(low, high float64) []float64 {
	decades := math.Log10(high) - math.Log10(low)
	parts, by := steps[:1], int(math.Ceil(decades/7))
	if decades < 2.5 {
		parts, by = steps[:3], 1
	}
	var at []float64
	for d := decade(low); d <= high; d *= math.Pow10(max(by, 1)) {
		for _, s := range parts {
			if v := s * d; v >= low*(1-1e-9) && v <= high*(1+1e-9) {
				at = append(at, v)
			}
		}
	}
	return at
}
