package write_test

import (
	"fmt"
	"math"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/build"
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
		{build.Int(1), build.Int(2), build.Int(3)},
		{build.Int(1), build.Double(1.5), build.Double(2.5)},
		{build.Double(1.5), build.Int(1), build.Double(2.5)},
		{build.Double(1), build.Double(1), build.Double(2)},
		{build.Int(1), build.Double(0), build.Double(1)},
		{build.Str("a"), build.Int(1), build.Int(1)},
		{build.Null(), build.Double(2), build.Double(2)},
		{build.Bool(true), build.Int(1), build.Int(1)},
		{build.Array(), build.Int(1), build.Int(1)},
		{build.Map(fields{"x": build.Int(1)}), build.Int(1), build.Int(1)},
		{build.Time(5, 0), build.Int(1), build.Int(1)},
		{build.Int(most - 1), build.Int(5), build.Int(most)},
		{build.Int(least + 1), build.Int(-5), build.Int(least)},
		{build.Int(most), build.Int(least), build.Int(-1)},
		{build.Int(most), build.Double(1), build.Double(1 << 63)},
		{build.Int(1<<53 + 1), build.Double(0), build.Double(1 << 53)},
		{build.Double(infinity), build.Double(-infinity), build.Double(nan)},
		{build.Int(1), build.Double(nan), build.Double(nan)},
		{build.Double(math.MaxFloat64), build.Double(math.MaxFloat64), build.Double(infinity)},
		{build.Int(0), build.Double(negativeZero), build.Double(0)},
		{build.Double(negativeZero), build.Int(0), build.Double(0)},
	} {
		add("increment", build.Increment("a", c.by), c.old, c.want, false)
	}
	for _, c := range []struct{ old, by *pb.Value }{
		{build.Int(1), build.Int(0)}, {build.Double(1), build.Int(0)}, {build.Double(1), build.Double(0)}, {build.Int(most), build.Int(1)}, {build.Int(least), build.Int(-1)},
		{build.Int(least), build.Int(least)}, {build.Double(nan), build.Int(1)}, {build.Double(negativeZero), build.Double(negativeZero)}, {build.Double(infinity), build.Int(1)},
	} {
		add("increment that keeps", build.Increment("a", c.by), c.old, c.old, true)
	}
	// The first of each is the lesser one.
	for _, c := range [][2]*pb.Value{
		{build.Int(1), build.Int(2)}, {build.Int(1), build.Double(1.5)}, {build.Double(1.5), build.Int(2)}, {build.Double(1.5), build.Double(2)}, {build.Int(-1), build.Double(negativeZero)},
		{build.Int(most), build.Double(infinity)}, {build.Double(-infinity), build.Int(least)}, {build.Int(most), build.Double(1 << 63)}, {build.Double(1 << 53), build.Int(1<<53 + 1)},
		{build.Int(most - 1), build.Int(most)},
	} {
		add("maximum of a lesser field", build.Maximum("a", c[1]), c[0], c[1], false)
		add("maximum of a greater field", build.Maximum("a", c[0]), c[1], c[1], true)
		add("minimum of a lesser field", build.Minimum("a", c[1]), c[0], c[0], true)
		add("minimum of a greater field", build.Minimum("a", c[0]), c[1], c[0], false)
	}
	for _, c := range [][2]*pb.Value{
		{build.Int(1), build.Double(1)}, {build.Double(1), build.Int(1)}, {build.Int(0), build.Double(negativeZero)}, {build.Double(negativeZero), build.Double(0)},
		{build.Double(0), build.Double(negativeZero)}, {build.Double(negativeZero), build.Int(0)}, {build.Double(nan), build.Int(1)}, {build.Double(nan), build.Double(nan)},
		{build.Double(nan), build.Double(infinity)}, {build.Int(1 << 53), build.Double(1 << 53)},
	} {
		add("maximum that keeps", build.Maximum("a", c[1]), c[0], c[0], true)
		add("minimum that keeps", build.Minimum("a", c[1]), c[0], c[0], true)
	}
	for _, old := range []*pb.Value{build.Str("z"), build.Null(), build.Bool(true), build.Time(9, 0), build.Map(fields{"b": build.Int(1)}), build.Array(build.Int(5)), build.Vector(5)} {
		add("maximum of what is no number", build.Maximum("a", build.Int(-1)), old, build.Int(-1), false)
		add("minimum of what is no number", build.Minimum("a", build.Double(9)), old, build.Double(9), false)
	}
	add("maximum with NaN", build.Maximum("a", build.Double(nan)), build.Int(1), build.Double(nan), false)
	add("minimum with NaN", build.Minimum("a", build.Double(nan)), build.Int(1), build.Double(nan), false)

	for what, bad := range map[string]*pb.Value{
		"a string": build.Str("x"), "null": build.Null(), "nothing": {}, "a time": build.Time(1, 0), "an array": build.Array(build.Int(1)), "a boolean": build.Bool(true),
	} {
		all = append(all,
			rule{name: "increment by " + what, old: fields{"a": build.Int(1)}, write: legacy(build.Increment("a", bad)), code: codes.InvalidArgument},
			rule{name: "maximum with " + what, old: fields{"a": build.Int(1)}, write: legacy(build.Maximum("a", bad)), code: codes.InvalidArgument},
			rule{name: "minimum with " + what, old: fields{"a": build.Int(1)}, write: legacy(build.Minimum("a", bad)), code: codes.InvalidArgument})
	}
	return all
}
