package write_test

import (
	"fmt"
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
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
		{literal.Int(1), literal.Int(2), literal.Int(3)},
		{literal.Int(1), literal.Double(1.5), literal.Double(2.5)},
		{literal.Double(1.5), literal.Int(1), literal.Double(2.5)},
		{literal.Double(1), literal.Double(1), literal.Double(2)},
		{literal.Int(1), literal.Double(0), literal.Double(1)},
		{literal.Str("a"), literal.Int(1), literal.Int(1)},
		{literal.Null(), literal.Double(2), literal.Double(2)},
		{literal.Bool(true), literal.Int(1), literal.Int(1)},
		{literal.Array(), literal.Int(1), literal.Int(1)},
		{literal.Map(fields{"x": literal.Int(1)}), literal.Int(1), literal.Int(1)},
		{literal.Time(5, 0), literal.Int(1), literal.Int(1)},
		{literal.Int(most - 1), literal.Int(5), literal.Int(most)},
		{literal.Int(least + 1), literal.Int(-5), literal.Int(least)},
		{literal.Int(most), literal.Int(least), literal.Int(-1)},
		{literal.Int(most), literal.Double(1), literal.Double(1 << 63)},
		{literal.Int(1<<53 + 1), literal.Double(0), literal.Double(1 << 53)},
		{literal.Double(infinity), literal.Double(-infinity), literal.Double(nan)},
		{literal.Int(1), literal.Double(nan), literal.Double(nan)},
		{literal.Double(math.MaxFloat64), literal.Double(math.MaxFloat64), literal.Double(infinity)},
		{literal.Int(0), literal.Double(negativeZero), literal.Double(0)},
		{literal.Double(negativeZero), literal.Int(0), literal.Double(0)},
	} {
		add("increment", literal.Increment("a", c.by), c.old, c.want, false)
	}
	for _, c := range []struct{ old, by *pb.Value }{
		{literal.Int(1), literal.Int(0)}, {literal.Double(1), literal.Int(0)}, {literal.Double(1), literal.Double(0)}, {literal.Int(most), literal.Int(1)}, {literal.Int(least), literal.Int(-1)},
		{literal.Int(least), literal.Int(least)}, {literal.Double(nan), literal.Int(1)}, {literal.Double(negativeZero), literal.Double(negativeZero)}, {literal.Double(infinity), literal.Int(1)},
	} {
		add("increment that keeps", literal.Increment("a", c.by), c.old, c.old, true)
	}
	// The first of each is the lesser one.
	for _, c := range [][2]*pb.Value{
		{literal.Int(1), literal.Int(2)}, {literal.Int(1), literal.Double(1.5)}, {literal.Double(1.5), literal.Int(2)}, {literal.Double(1.5), literal.Double(2)}, {literal.Int(-1), literal.Double(negativeZero)},
		{literal.Int(most), literal.Double(infinity)}, {literal.Double(-infinity), literal.Int(least)}, {literal.Int(most), literal.Double(1 << 63)}, {literal.Double(1 << 53), literal.Int(1<<53 + 1)},
		{literal.Int(most - 1), literal.Int(most)},
	} {
		add("maximum of a lesser field", literal.Maximum("a", c[1]), c[0], c[1], false)
		add("maximum of a greater field", literal.Maximum("a", c[0]), c[1], c[1], true)
		add("minimum of a lesser field", literal.Minimum("a", c[1]), c[0], c[0], true)
		add("minimum of a greater field", literal.Minimum("a", c[0]), c[1], c[0], false)
	}
	for _, c := range [][2]*pb.Value{
		{literal.Int(1), literal.Double(1)}, {literal.Double(1), literal.Int(1)}, {literal.Int(0), literal.Double(negativeZero)}, {literal.Double(negativeZero), literal.Double(0)},
		{literal.Double(0), literal.Double(negativeZero)}, {literal.Double(negativeZero), literal.Int(0)}, {literal.Double(nan), literal.Int(1)}, {literal.Double(nan), literal.Double(nan)},
		{literal.Double(nan), literal.Double(infinity)}, {literal.Int(1 << 53), literal.Double(1 << 53)},
	} {
		add("maximum that keeps", literal.Maximum("a", c[1]), c[0], c[0], true)
		add("minimum that keeps", literal.Minimum("a", c[1]), c[0], c[0], true)
	}
	for _, old := range []*pb.Value{literal.Str("z"), literal.Null(), literal.Bool(true), literal.Time(9, 0), literal.Map(fields{"b": literal.Int(1)}), literal.Array(literal.Int(5)), literal.Vector(5)} {
		add("maximum of what is no number", literal.Maximum("a", literal.Int(-1)), old, literal.Int(-1), false)
		add("minimum of what is no number", literal.Minimum("a", literal.Double(9)), old, literal.Double(9), false)
	}
	add("maximum with NaN", literal.Maximum("a", literal.Double(nan)), literal.Int(1), literal.Double(nan), false)
	add("minimum with NaN", literal.Minimum("a", literal.Double(nan)), literal.Int(1), literal.Double(nan), false)

	for what, bad := range map[string]*pb.Value{
		"a string": literal.Str("x"), "null": literal.Null(), "nothing": {}, "a time": literal.Time(1, 0), "an array": literal.Array(literal.Int(1)), "a boolean": literal.Bool(true),
	} {
		all = append(all,
			rule{name: "increment by " + what, old: fields{"a": literal.Int(1)}, write: legacy(literal.Increment("a", bad)), code: codes.InvalidArgument},
			rule{name: "maximum with " + what, old: fields{"a": literal.Int(1)}, write: legacy(literal.Maximum("a", bad)), code: codes.InvalidArgument},
			rule{name: "minimum with " + what, old: fields{"a": literal.Int(1)}, write: legacy(literal.Minimum("a", bad)), code: codes.InvalidArgument})
	}
	return all
}
