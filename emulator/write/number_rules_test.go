package write_test

import (
	"fmt"
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
)

func numberRules() []rule {
	const most, least = math.MaxInt64, math.MinInt64
	var all []rule
	add := func(name string, c *change, old, want *pb.Value, kept bool) {
		r := rule{name: fmt.Sprintf("%s: %d", name, len(all)), old: fields{"a": old}, write: legacy(c), results: []*pb.Value{want}, kept: kept}
		if !kept {
			r.want = fields{"a": want}
		}
		all = append(all, r)
	}
	for _, c := range []struct{ old, by, want *pb.Value }{
		{integer(1), integer(2), integer(3)},
		{integer(1), double(1.5), double(2.5)},
		{double(1.5), integer(1), double(2.5)},
		{double(1), double(1), double(2)},
		{integer(1), double(0), double(1)},
		{str("a"), integer(1), integer(1)},
		{null(), double(2), double(2)},
		{boolean(true), integer(1), integer(1)},
		{array(), integer(1), integer(1)},
		{mapOf(fields{"x": integer(1)}), integer(1), integer(1)},
		{timestamp(5, 0), integer(1), integer(1)},
		{integer(most - 1), integer(5), integer(most)},
		{integer(least + 1), integer(-5), integer(least)},
		{integer(most), integer(least), integer(-1)},
		{integer(most), double(1), double(1 << 63)},
		{integer(1<<53 + 1), double(0), double(1 << 53)},
		{double(infinity), double(-infinity), double(nan)},
		{integer(1), double(nan), double(nan)},
		{double(math.MaxFloat64), double(math.MaxFloat64), double(infinity)},
		{integer(0), double(negativeZero), double(0)},
		{double(negativeZero), integer(0), double(0)},
	} {
		add("increment", increment("a", c.by), c.old, c.want, false)
	}
	for _, c := range []struct{ old, by *pb.Value }{
		{integer(1), integer(0)}, {double(1), integer(0)}, {double(1), double(0)}, {integer(most), integer(1)}, {integer(least), integer(-1)},
		{integer(least), integer(least)}, {double(nan), integer(1)}, {double(negativeZero), double(negativeZero)}, {double(infinity), integer(1)},
	} {
		add("increment that keeps", increment("a", c.by), c.old, c.old, true)
	}
	// The first of each is the lesser one.
	for _, c := range [][2]*pb.Value{
		{integer(1), integer(2)}, {integer(1), double(1.5)}, {double(1.5), integer(2)}, {double(1.5), double(2)}, {integer(-1), double(negativeZero)},
		{integer(most), double(infinity)}, {double(-infinity), integer(least)}, {integer(most), double(1 << 63)}, {double(1 << 53), integer(1<<53 + 1)},
		{integer(most - 1), integer(most)},
	} {
		add("maximum of a lesser field", maximum("a", c[1]), c[0], c[1], false)
		add("maximum of a greater field", maximum("a", c[0]), c[1], c[1], true)
		add("minimum of a lesser field", minimum("a", c[1]), c[0], c[0], true)
		add("minimum of a greater field", minimum("a", c[0]), c[1], c[0], false)
	}
	for _, c := range [][2]*pb.Value{
		{integer(1), double(1)}, {double(1), integer(1)}, {integer(0), double(negativeZero)}, {double(negativeZero), double(0)},
		{double(0), double(negativeZero)}, {double(negativeZero), integer(0)}, {double(nan), integer(1)}, {double(nan), double(nan)},
		{double(nan), double(infinity)}, {integer(1 << 53), double(1 << 53)},
	} {
		add("maximum that keeps", maximum("a", c[1]), c[0], c[0], true)
		add("minimum that keeps", minimum("a", c[1]), c[0], c[0], true)
	}
	for _, old := range []*pb.Value{str("z"), null(), boolean(true), timestamp(9, 0), mapOf(fields{"b": integer(1)}), array(integer(5)), vector(5)} {
		add("maximum of what is no number", maximum("a", integer(-1)), old, integer(-1), false)
		add("minimum of what is no number", minimum("a", double(9)), old, double(9), false)
	}
	add("maximum with NaN", maximum("a", double(nan)), integer(1), double(nan), false)
	add("minimum with NaN", minimum("a", double(nan)), integer(1), double(nan), false)

	for what, bad := range map[string]*pb.Value{
		"a string": str("x"), "null": null(), "nothing": {}, "a time": timestamp(1, 0), "an array": array(integer(1)), "a boolean": boolean(true),
	} {
		all = append(all,
			rule{name: "increment by " + what, old: fields{"a": integer(1)}, write: legacy(increment("a", bad)), code: codes.InvalidArgument},
			rule{name: "maximum with " + what, old: fields{"a": integer(1)}, write: legacy(maximum("a", bad)), code: codes.InvalidArgument},
			rule{name: "minimum with " + what, old: fields{"a": integer(1)}, write: legacy(minimum("a", bad)), code: codes.InvalidArgument})
	}
	return all
}
