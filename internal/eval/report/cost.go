package report

import (
	"cmp"
	"fmt"
	"slices"

	"hippocampus/internal/eval/result"
	"hippocampus/internal/figure"
)

func cost(c *result.Cost) Measurement {
	s := Measurement{
		ID:       "cost",
		Title:    "Cost",
		Question: "What does a turn cost, and does that stop growing?",
		Verdict:  c.Verdict,
	}
	turns := Table{
		Caption: "One turn for the list" + sizes(c.Turns) + ".",
		Columns: []Column{
			figures("memories"), words("way"), figures("documents read"), figures("bytes"),
			spare(1, "bytes an entry"),
			figures("median ms"), spare(2, "p95 ms"), spare(3, "allocations"),
			spare(4, "prompt bytes"),
			figures(currency(&c.Prices) + " a million turns"),
			figures("reads vs scan"), figures("bytes vs scan"), figures("time vs scan"),
			spare(5, "turns measured"),
		},
		Grouped: true,
	}
	for _, size := range bySize(c.Turns) {
		scan := of(size, result.NamesScan)
		for _, t := range size {
			row := []string{
				figure.Count(t.Memories), t.Way.Name(), figure.Count(t.Documents),
				figure.Count(t.Bytes), anEntry(t),
				figure.Decimal(t.MedianMS), figure.Decimal(t.P95MS), figure.Count(t.Allocations),
				figure.Count(t.PromptBytes),
				figure.Money(t.Dollars),
			}
			if scan != nil {
				row = append(row, figure.Against(float64(t.Documents), float64(scan.Documents)),
					figure.Against(float64(t.Bytes),
						float64(scan.Bytes)), figure.Against(t.MedianMS, scan.MedianMS))
			} else {
				row = append(row, "", "", "")
			}
			turns.Rows = append(turns.Rows, append(row, figure.Count(t.Turns)))
		}
	}
	s.Tables = append(s.Tables, turns)
	s.Notes = append(s.Notes,
		"Vs scan: beside the names-only scan of the same store, and less is better: 1/5,000 is a five thousandth of it, 11× is "+
			"eleven times as much, 1 is as much. The time is the median. Allocations are of the client's process, a turn.",
		fmt.Sprintf("Prices: %s, as of %s: %s %s for 100,000 reads, %s for writes, %s for deletes. Yours depend on the location.",
			printable(c.Prices.Source), printable(c.Prices.Date), figure.Money(c.Prices.Reads),
			currency(&c.Prices),
			figure.Money(c.Prices.Writes), figure.Money(c.Prices.Deletes)))
	return s
}

func currency(p *result.Prices) string { return printable(cmp.Or(p.Currency, "dollars")) }

// sizes says what the memories have on average.
func sizes(turns []result.Turn) string {
	if len(turns) == 0 {
		return ""
	}
	bytes := func(a, b result.Turn) int { return cmp.Compare(a.MemoryBytes, b.MemoryBytes) }
	least, most := slices.MinFunc(turns, bytes).MemoryBytes, slices.MaxFunc(turns,
		bytes).MemoryBytes
	if least == most {
		return fmt.Sprintf(", memories of %s bytes on average", figure.Count(least))
	}
	return fmt.Sprintf(", memories of %s to %s bytes on average", figure.Count(least),
		figure.Count(most))
}

func anEntry(t result.Turn) string {
	if t.Memories == 0 {
		return ""
	}
	return figure.Decimal(float64(t.Bytes) / float64(t.Memories))
}

// bySize returns the turns of each number of memories, the ways in their order.
func bySize(turns []result.Turn) [][]result.Turn {
	turns = slices.Clone(turns)
	slices.SortStableFunc(turns, func(a, b result.Turn) int {
		return cmp.Or(cmp.Compare(a.Memories, b.Memories), cmp.Compare(rank(a.Way), rank(b.Way)))
	})
	var all [][]result.Turn
	for i, t := range turns {
		if i == 0 || t.Memories != turns[i-1].Memories {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], t)
	}
	return all
}

// rank is a way's place in the order in which they are shown; those that are not known come last.
func rank(w result.Way) int {
	if i := slices.Index(result.Ways, w); i >= 0 {
		return i
	}
	return len(result.Ways)
}

// of returns the turn in that way, nil if there is none.
func of(turns []result.Turn, way result.Way) *result.Turn {
	if i := slices.IndexFunc(turns, func(t result.Turn) bool { return t.Way == way }); i >= 0 {
		return &turns[i]
	}
	return nil
}
