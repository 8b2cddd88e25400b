package differential_test

import "hippocampus/internal/mutant"

// differs is what programs find.
const differs = "differs at step"

// mutants are faults, each in one package of the emulator.
var mutants = []mutant.Mutant{
	{
		Name: "integers beside doubles are rounded", Finds: differs,
		Patches: []mutant.Patch{{
			"value/number.go",
			"	const limit = 1 << 63 //",
			"	if true {\n		return cmp.Compare(float64(n), f)\n	}\n	const limit = 1 << 63 //",
		}},
	},
	{
		Name: "vectors of more dimensions come first", Finds: differs,
		Patches: []mutant.Patch{{
			"value/compare.go",
			"	if c := cmp.Compare(len(a), len(b)); c != 0 {",
			"	if c := -cmp.Compare(len(a), len(b)); c != 0 {",
		}},
	},
	{
		Name: "a merge looks into vectors", Finds: differs,
		Patches: []mutant.Patch{{
			"value/field.go",
			"	if isVector(m.GetFields()) {",
			"	if false {",
		}},
	},
	{
		Name: "ranges go beyond the type of their value", Finds: differs,
		Patches: []mutant.Patch{{
			"query/filter.go",
			"		return value.ClassOf(v) == c.class &&",
			"		return",
		}},
	},
	{
		Name: "unequal finds null", Finds: differs,
		Patches: []mutant.Patch{{
			"query/filter.go",
			"!c.never && value.ClassOf(v) != value.Null &&",
			"!c.never &&",
		}},
	},
	{
		Name: "cursors are always before", Finds: differs,
		Patches: []mutant.Patch{{
			"query/cursor.go",
			"comparison < 0 || comparison == 0 && c.before",
			"comparison < 0 || comparison == 0",
		}},
	},
	{
		Name: "increments overflow", Finds: differs,
		Patches: []mutant.Patch{{
			"write/number.go",
			"	case a > 0 && b > 0 && sum < 0:",
			"	case true:\n		return sum\n	case a > 0 && b > 0 && sum < 0:",
		}},
	},
	{
		Name: "a maximum replaces an equal number", Finds: differs,
		Patches: []mutant.Patch{{
			"write/number.go",
			"value.Compare(operand, old) > 0 {",
			"value.Compare(operand, old) >= 0 {",
		}},
	},
	{
		Name: "array transforms tell 1 from 1.0", Finds: differs,
		Patches: []mutant.Patch{{
			"write/transform.go",
			"return value.Compare(v, w) == 0 })",
			"return value.Compare(v, w) == 0 && value.Identical(v, w) })",
		}},
	},
	{
		Name: "a write that changes nothing has a new time", Finds: differs,
		Patches: []mutant.Patch{{
			"write/write.go",
			"	if old != nil && value.IdenticalFields(",
			"	if old != nil && false && value.IdenticalFields(",
		}},
	},
	{
		Name: "reads in the past see the next microsecond", Finds: differs,
		Patches: []mutant.Patch{{
			"store/read.go",
			"	docs := make([]*firestorepb.Document, len(paths))",
			"	t++\n	docs := make([]*firestorepb.Document, len(paths))",
		}},
	},
	{
		Name: "a range of names leaves out its end", Finds: differs,
		Patches: []mutant.Patch{{
			"store/query.go",
			"end == \"\" || d.key <= end",
			"end == \"\" || d.key < end",
		}},
	},
	// No fault: programs have too few documents for indexes, which are used here all the same.
	{
		Name: indexed,
		Patches: []mutant.Patch{{
			"store/query.go",
			"n < worthIndexing",
			"n < 0",
		}},
	},
}

// indexed is the emulator with an index for every query that can have one.
const indexed = "every query has its index"
