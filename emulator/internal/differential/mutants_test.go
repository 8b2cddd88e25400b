package differential_test

// mutants are faults, each in one package of the emulator. All are in one copy of the source, in which each is done only
// in a process that says so.
var mutants = []faulty{
	{
		name: "integers beside doubles are rounded", file: "value/number.go",
		old: "	const limit = 1 << 63 //",
		new: "	if Mutated(NAME) {\n		return cmp.Compare(float64(n), f)\n	}\n	const limit = 1 << 63 //",
	},
	{
		name: "vectors of more dimensions come first", file: "value/compare.go",
		old: "	if c := cmp.Compare(len(a), len(b)); c != 0 {",
		new: "	if c := cmp.Compare(len(a), len(b)); c != 0 && Mutated(NAME) {\n		return -c\n	} else if c != 0 {",
	},
	{
		name: "a merge looks into vectors", file: "value/field.go",
		old: "	if isVector(m.GetFields()) {",
		new: "	if isVector(m.GetFields()) && !Mutated(NAME) {",
	},
	{
		name: "ranges go beyond the type of their value", file: "query/filter.go",
		old: "		return value.ClassOf(v) == c.class &&",
		new: "		return (value.ClassOf(v) == c.class || value.Mutated(NAME)) &&",
	},
	{
		name: "unequal finds null", file: "query/filter.go",
		old: "!c.never && value.ClassOf(v) != value.Null &&",
		new: "!c.never && (value.ClassOf(v) != value.Null || value.Mutated(NAME)) &&",
	},
	{
		name: "cursors are always before", file: "query/cursor.go",
		old: "comparison < 0 || comparison == 0 && c.before",
		new: "comparison < 0 || comparison == 0 && (c.before || value.Mutated(NAME))",
	},
	{
		name: "increments overflow", file: "write/number.go",
		old: "	case a > 0 && b > 0 && sum < 0:",
		new: "	case value.Mutated(NAME):\n		return sum\n	case a > 0 && b > 0 && sum < 0:",
	},
	{
		name: "a maximum replaces an equal number", file: "write/number.go",
		old: "value.Compare(operand, old) > 0 {",
		new: "(value.Compare(operand, old) > 0 || value.Mutated(NAME) && value.Compare(operand, old) == 0) {",
	},
	{
		name: "array transforms tell 1 from 1.0", file: "write/transform.go",
		old: "return value.Compare(v, w) == 0 })",
		new: "return value.Compare(v, w) == 0 && (!value.Mutated(NAME) || value.Identical(v, w)) })",
	},
	{
		name: "a write that changes nothing has a new time", file: "write/write.go",
		old: "	if old != nil && value.IdenticalFields(",
		new: "	if old != nil && !value.Mutated(NAME) && value.IdenticalFields(",
	},
	{
		name: "reads in the past see the next microsecond", file: "store/read.go",
		old: "	docs := make([]*firestorepb.Document, len(paths))",
		new: "	if value.Mutated(NAME) {\n		t++\n	}\n	docs := make([]*firestorepb.Document, len(paths))",
		imports: `	"hippocampus/emulator/internal/resource"
)`,
	},
	{
		name: "a range of names leaves out its end", file: "store/query.go",
		old: "end == \"\" || d.key <= end",
		new: "end == \"\" || d.key < end || d.key == end && !value.Mutated(NAME)",
		imports: `	"hippocampus/emulator/internal/resource"
)`,
	},
	// No fault: programs have too few documents for indexes, which are used here all the same.
	{
		name: indexed, file: "store/query.go",
		old: "n < worthIndexing",
		new: "n < worthIndexing && !value.Mutated(NAME)",
	},
}

// indexed is the emulator with an index for every query that can have one.
const indexed = "every query has its index"

// mutation is a file of package value that says which fault a process has.
const mutation = `package value

import "os"

var mutant = os.Getenv("` + mutantVariable + `")

func Mutated(name string) bool { return mutant == name }
`
