package result

import (
	"fmt"
	"math"

	"hippocampus/internal/figure"
)

// verdict compares the answers to a question that is not about time; nil is one that was not asked.
func (c *Comparison) verdict(what string, was, now *Verdict) {
	switch {
	case was == nil:
	case now == nil:
		c.Lacking = append(c.Lacking, what)
	default:
		c.Points++
		if was.OK && !now.OK {
			c.Regressions = append(c.Regressions,
				Regression{What: "the verdict", Where: what, From: quoted(was), To: quoted(now)})
		}
	}
}

func quoted(v *Verdict) string { return fmt.Sprintf("%q", v.Text) }

// turns compares what a turn costs: documents read, of which there may be no more, and bytes an
// entry.
func (c *Comparison) turns(was, now []Turn) {
	for _, w := range was {
		where := fmt.Sprintf("a turn by %s at %s memories", w.Way.Name(), figure.Count(w.Memories))
		n := find(now, func(t *Turn) bool { return t.Way == w.Way && t.Memories == w.Memories })
		if n == nil {
			c.Lacking = append(c.Lacking, where)
			continue
		}
		c.Points++
		if n.Documents > w.Documents {
			c.worse("documents read", where, float64(w.Documents), float64(n.Documents), whole)
		}
		if w.Memories == 0 {
			continue
		}
		if !near(n.MemoryBytes, w.MemoryBytes, tolerance) {
			c.Lacking = append(c.Lacking,
				fmt.Sprintf("bytes an entry, %s: memories have %s bytes, and had %s",
					where, figure.Count(n.MemoryBytes), figure.Count(w.MemoryBytes)))
			continue
		}
		before, after := float64(w.Bytes)/float64(w.Memories), float64(n.Bytes)/float64(n.Memories)
		if after > before*(1+tolerance) {
			c.worse("bytes an entry", where, before, after, figure.Decimal)
		}
	}
}

// repairs compares the reads of repairs. A store is not of exactly the same size again, since
// changes are made while the repair runs, and some of these cost it a read.
func (c *Comparison) repairs(was, now []Mended) {
	for _, w := range was {
		where := fmt.Sprintf("the repair of a store of %s memories", figure.Count(w.Memories))
		n := find(now, func(m *Mended) bool { return near(m.Memories, w.Memories, sameStore) })
		if n == nil {
			c.Lacking = append(c.Lacking, where)
			continue
		}
		c.Points++
		room := float64(n.During + indexReads)
		expected := float64(w.Reads)
		if w.Memories > 0 {
			expected *= float64(n.Memories) / float64(w.Memories)
		}
		if float64(n.Reads) > expected*(1+tolerance)+room {
			c.worse("documents read for a store of that size", where, expected, float64(n.Reads), whole)
		}
	}
}

// bursts holds the hook to at most one write a change, if the baseline kept to that. How many fewer
// it makes depends on which events came together.
func (c *Comparison) bursts(was, now []Burst) {
	for _, w := range was {
		where := fmt.Sprintf("a burst of %s changes", figure.Count(w.Changes))
		n := find(now, func(b *Burst) bool { return b.Changes == w.Changes })
		if n == nil {
			c.Lacking = append(c.Lacking, where)
			continue
		}
		c.Points++
		if w.Writes <= w.Changes && n.Writes > n.Changes {
			c.worse("extra writes", where, float64(w.Writes), float64(n.Writes), whole)
		}
	}
}

func (c *Comparison) worse(what, where string, from, to float64, written func(float64) string) {
	by := "+" + written(to-from)
	if times := figure.Times(to, from); times != "" {
		by += ", " + times
	}
	c.Regressions = append(c.Regressions,
		Regression{What: what, Where: where, From: written(from), To: written(to), By: by})
}

func whole(f float64) string { return figure.Count(int64(math.Round(f))) }

// near reports whether a is b, give or take that part of b.
func near(a, b int,
	part float64) bool {
	return math.Abs(float64(a-b)) <= part*math.Abs(float64(b))
}

func find[T any](all []T, is func(*T) bool) *T {
	for i := range all {
		if is(&all[i]) {
			return &all[i]
		}
	}
	return nil
}
