package main

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"golang.org/x/text/unicode/norm"

	"hippocampus/memory"
	"hippocampus/reader"
)

// suggestions is how many names a "did you mean" shows at most.
const suggestions = 3

// didYouMean returns a line that offers the listed names most like one that was
// not found, or nothing. It costs what a turn costs, and its own failure is no
// matter.
func didYouMean(ctx context.Context, c *connection, memories, name string) string {
	list, err := reader.New(c.client, &reader.Options{Schema: c.schema}).List(ctx, memories)
	if err != nil {
		return ""
	}
	names := make([]string, len(list.Entries))
	for i, e := range list.Entries {
		names[i] = e.Name
	}
	found := similar(names, name)
	if len(found) == 0 {
		return ""
	}
	for i, name := range found {
		found[i] = reader.Escape(name)
	}
	return "\n  Did you mean: " + strings.Join(found, ", ") + "?"
}

// similar returns the names most like the given one, the best first. Case, the
// form of accents and a missing folder count little.
func similar(names []string, name string) []string {
	type candidate struct {
		name     string
		distance int
	}
	wanted := folded(name)
	near := 1 + (len(wanted)+1)/4
	var candidates []candidate
	for _, n := range names {
		f := folded(n)
		distance := levenshtein.ComputeDistance(f, wanted)
		if base := f[strings.LastIndex(f, "/")+1:]; base != f {
			distance = min(distance, 1+levenshtein.ComputeDistance(base, wanted))
		}
		if n != name && distance <= near {
			candidates = append(candidates, candidate{n, distance})
		}
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var best []string
	for _, c := range candidates[:min(len(candidates), suggestions)] {
		best = append(best, c.name)
	}
	return best
}

func folded(name string) string {
	if len(name) > memory.MaxNameBytes {
		return ""
	}
	return strings.ToLower(norm.NFC.String(name))
}
