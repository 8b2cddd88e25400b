package serial_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// searchTime bounds the search for an order, which takes milliseconds as long as few operations
// overlap.
const searchTime = time.Minute

// checkOrder says what is wrong if no order of the operations explains what they saw.
func checkOrder(all []*operation) error {
	var ops []porcupine.Operation
	for _, o := range all {
		if !o.past {
			ops = append(ops, porcupine.Operation{Input: o, Call: o.called, Return: o.returned})
		}
	}
	if result := porcupine.CheckOperationsTimeout(model, ops, searchTime); result != porcupine.Ok {
		return fmt.Errorf("no order explains the history (%s)", result)
	}
	return nil
}

// checkTimes says what is wrong if the times of the operations are not an order that explains what
// they saw, at past times too, and that fits when they were called and returned.
func checkTimes(all []*operation) error {
	var timed []*operation
	for _, o := range all {
		if !o.at.IsZero() {
			timed = append(timed, o)
		}
	}
	for _, a := range timed {
		for _, b := range timed {
			if a.past || b.past || a.returned >= b.called {
				continue
			}
			if b.at.Before(a.at) || b.at.Equal(a.at) && len(b.changes) > 0 {
				return fmt.Errorf("the times are not in order: %s\nreturned before this was called: %s", a, b)
			}
		}
	}
	slices.SortStableFunc(timed, func(a, b *operation) int {
		if c := a.at.Compare(b.at); c != 0 {
			return c
		}
		return min(len(b.changes), 1) - min(len(a.changes), 1) // a read sees the commit of its time
	})
	var s state
	var last time.Time
	for _, o := range timed {
		if len(o.changes) > 0 {
			if !last.Before(o.at) {
				return fmt.Errorf("it has the time of another commit: %s", o)
			}
			last = o.at
		}
		possible, next := s.step(o)
		if !possible {
			return fmt.Errorf("in the order of times it cannot have seen this of %v: %s", s, o)
		}
		s = next
	}
	return nil
}

// describe is the history, for whoever looks for the error.
func describe(all []*operation) string {
	sorted := slices.SortedFunc(slices.Values(all), func(a, b *operation) int { return int(a.called - b.called) })
	var s strings.Builder
	for _, o := range sorted {
		fmt.Fprintln(&s, o)
	}
	return s.String()
}
