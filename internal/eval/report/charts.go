package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"hippocampus/internal/eval/result"
	"hippocampus/internal/figure"
)

// wayStyle gives each way the same style in each chart, the index the first.
var wayStyle = map[result.Way]int{result.Index: 0, result.NamesScan: 1, result.Maps: 2,
	result.FullScan: 3, result.Changed: 4}

// memories is the axis of a store's size.
var memories = axis{title: "Memories", text: round, marked: true}

// costs are what a turn costs in each way against the number of memories.
func costs(c *result.Cost) []chart {
	if c == nil {
		return nil
	}
	of := func(name, title, y, note string, at func(result.Turn) point) chart {
		return chart{
			name: name, title: title, section: "cost", x: memories, y: axis{title: y, text: round},
			note:  note,
			lines: byWay(c.Turns, at),
		}
	}
	return []chart{
		of("cost-documents", "What a turn reads", "Documents a turn", "",
			func(t result.Turn) point {
				return point{y: float64(t.Documents),
					text: figure.Count(t.Documents) + " documents"}
			}),
		of("cost-bytes", "What a turn receives", "Bytes a turn", "",
			func(t result.Turn) point { return point{y: float64(t.Bytes), text: figure.Count(t.Bytes) + " bytes"} }),
		of("cost-time", "How long the list takes", "Milliseconds a turn, median",
			"The whiskers end at the 95th percentile.",
			func(t result.Turn) point {
				text := fmt.Sprintf("median %s ms, p95 %s ms", figure.Decimal(t.MedianMS),
					figure.Decimal(t.P95MS))
				return point{y: t.MedianMS, high: t.P95MS, text: text}
			}),
		of("cost-money", "What a million turns cost",
			cmp.Or(c.Prices.Currency, "Dollars")+" a million turns", "",
			func(t result.Turn) point { return point{y: t.Dollars, text: figure.Money(t.Dollars)} }),
	}
}

// byWay returns a line for each way, in their order; ways that are not known come last.
func byWay(turns []result.Turn, at func(result.Turn) point) []line {
	ways := slices.Clone(result.Ways)
	for _, t := range turns {
		if !slices.Contains(ways, t.Way) {
			ways = append(ways, t.Way)
		}
	}
	var lines []line
	for i, way := range ways {
		style, known := wayStyle[way]
		if !known {
			style = i % len(styles)
		}
		l := line{name: way.Name(), style: style}
		for _, t := range turns {
			if t.Way == way {
				p := at(t)
				p.x, p.text = float64(t.Memories), fmt.Sprintf("%s, %s memories: %s", l.name,
					figure.Count(t.Memories), p.text)
				l.points = append(l.points, p)
			}
		}
		lines = append(lines, l.sorted())
	}
	return lines
}

// lags are the shares of the writes that were listed, against the time since their commits.
func lags(f *result.Freshness) []chart {
	if f == nil {
		return nil
	}
	c := chart{
		name: "freshness-listed", title: "How soon a write is in the list", section: "freshness",
		x: axis{title: "Time since the commit", text: duration},
		y: axis{title: "Share of the writes, %", text: round, linear: true},
	}
	for i, lag := range f.Lags {
		l := line{name: while(lag.Situation), style: i % len(styles), steps: true}
		listed := slices.Clone(lag.MS)
		slices.Sort(listed)
		watched := max(lag.Writes, len(listed))
		if watched > 0 && len(listed) == 0 {
			c.note = strings.TrimSpace(fmt.Sprintf("%s While %s, none of %s writes was listed.",
				c.note, l.name, figure.Count(watched)))
		}
		for n, ms := range listed {
			// Of writes listed at the same time, only the last is a point.
			if n+1 < len(listed) && listed[n+1] == ms {
				continue
			}
			l.points = append(l.points, point{x: ms, y: 100 * float64(n+1) / float64(watched)})
		}
		c.lines = append(c.lines, l)
	}
	return []chart{c}
}

func while(situation string) string {
	switch situation {
	case "idle":
		return "nothing else is written"
	case "import":
		return "an import runs"
	}
	return situation
}

// duration writes milliseconds as people say them.
func duration(ms float64) string {
	switch {
	case ms >= 60_000:
		return round(ms/60_000) + " min"
	case ms >= 1_000:
		return round(ms/1_000) + " s"
	case ms == 0:
		return "0"
	}
	return round(ms) + " ms"
}

// round writes a number for an axis: as figure does, but round ones as short as they can be.
func round(v float64) string {
	if v >= 1 && v < 1e15 && v == math.Trunc(v) {
		return figure.Count(int64(v))
	}
	text := figure.Decimal(v)
	if strings.Contains(text, ".") {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// repairs are what a repair mends and costs against the number of memories.
func repairs(r *result.Repair) []chart {
	if r == nil {
		return nil
	}
	at := func(name string, style int, y func(result.Mended) float64, unit string) line {
		l := line{name: name, style: style}
		for _, m := range r.Stores {
			text := fmt.Sprintf("%s, %s memories: %s%s", name, figure.Count(m.Memories),
				figure.Decimal(y(m)), unit)
			l.points = append(l.points, point{x: float64(m.Memories), y: y(m), text: text})
		}
		return l.sorted()
	}
	of := func(name, title, y string, lines ...line) chart {
		return chart{name: name, title: title, section: "repair", x: memories,
			y: axis{title: y, text: round}, lines: lines}
	}
	return []chart{
		of("repair-drift", "Drift before and after the repair", "Differences between list and scan",
			at("before the repair", 1, func(m result.Mended) float64 { return float64(m.Before.Total()) }, " differ"),
			at("after it", 0, func(m result.Mended) float64 { return float64(m.After.Total()) }, " differ")),
		of("repair-documents", "What a repair reads and writes", "Documents",
			at("reads", 0, func(m result.Mended) float64 { return float64(m.Reads) }, ""),
			at("writes and deletes", 1, func(m result.Mended) float64 { return float64(m.Writes) }, "")),
		of("repair-time", "How long a repair takes", "Milliseconds",
			at("time", 0, func(m result.Mended) float64 { return m.MS }, " ms")),
	}
}

// bursts are the hook's commits and extra writes against the size of a burst.
func bursts(w *result.Writes) []chart {
	if w == nil {
		return nil
	}
	of := func(name string, style int, count func(result.Burst) int) line {
		l := line{name: name, style: style}
		for _, b := range w.Bursts {
			if b.Changes > 0 {
				a := float64(count(b)) / float64(b.Changes)
				text := fmt.Sprintf("%s, %s changes: %s a change", name, figure.Count(b.Changes),
					figure.Decimal(a))
				l.points = append(l.points, point{x: float64(b.Changes), y: a, text: text})
			}
		}
		return l.sorted()
	}
	return []chart{{
		name: "writes-commits", title: "What the hook adds to a change", section: "writes",
		x: axis{title: "Changes in a burst", text: round, marked: true},
		y: axis{title: "Commits and extra writes a change", text: round},
		lines: []line{
			of("commits", 0, func(b result.Burst) int { return b.Commits }),
			of("extra writes", 1, func(b result.Burst) int { return b.Writes }),
		},
	}}
}

// sorted orders the points by x.
func (l line) sorted() line {
	slices.SortStableFunc(l.points, func(a, b point) int { return cmp.Compare(a.x, b.x) })
	return l
}
