package conformance

import (
	"fmt"
	"slices"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
)

// orderPage is where the order of values is documented.
const orderPage = "firestore/manage-data/data-types"

// ascends checks that OrderBy sorts values as they are given here, and that descending is the
// reverse.
func ascends(name string, values func(t *T) []*pb.Value) Check {
	return Check{Name: name, Page: orderPage, Run: func(t *T) { t.ascends(values(t)) }}
}

// differs is a check with what the official emulator does instead.
func differs(c Check, difference string, official func(t *T)) Check {
	c.Difference, c.Official = difference, official
	return c
}

// undocumented is a check of something that was learned by trying.
func undocumented(c Check) Check {
	c.Page = ""
	return c
}

// given are values that do not depend on the run.
func given(values ...*pb.Value) func(t *T) []*pb.Value {
	return func(*T) []*pb.Value { return values }
}

// ascends stores the values under names of the opposite order, so that the order of names cannot
// pass for theirs.
func (t *T) ascends(values []*pb.Value) {
	t.Helper()
	all := docs{}
	var asc []string
	for i, v := range values {
		id := fmt.Sprint(900 - i)
		all["c/"+id] = fields{"v": v}
		asc = append(asc, id)
	}
	t.store(all)
	t.finds(from("c", by("v")), asc...)
	slices.Reverse(asc)
	t.finds(from("c", by("v desc")), asc...)
}

// ties checks that OrderBy sees two values as equal: only names decide.
func ties(name string, a, b *pb.Value) Check {
	return Check{Name: name, Page: orderPage, Run: func(t *T) {
		t.storeEach(a, b, a)
		t.finds(from("c", by("v")), "0", "1", "2")
		t.finds(from("c", by("v desc")), "2", "1", "0")
	}}
}
