package conformance

import (
	"math"
	"strings"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/literal"
)

// values are about the types of values and how they are stored.
var values = []Check{
	{
		Name: "every type is stored as it was written",
		Page: "proto document.proto, Value",
		Run: func(t *T) {
			f := fields{
				"null": literal.Null(), "bool": literal.Bool(true), "int": literal.Int(1 << 62), "double": literal.Double(0.5), "str": literal.Str("é"),
				"bytes": literal.Bytes("\x00\xff"), "ref": literal.Ref(t.Name("c/other")), "array": literal.Array(literal.Int(1), literal.Str("a")),
				"map": literal.Map(fields{"a": literal.Map(nil)}), "time": literal.Time(1700000000, 123456000), "geo": literal.Geo(52.5, -13.25),
				"vector": literal.Vector(1, 0.5, -2),
			}
			t.commit(t.set("c/d", f))
			t.has("c/d", f)
		},
	},
	stored("the largest and the smallest integer are stored", literal.Array(literal.Int(math.MaxInt64), literal.Int(math.MinInt64))),
	stored("the largest and the smallest double are stored",
		literal.Array(literal.Double(math.MaxFloat64), literal.Double(-math.MaxFloat64), literal.Double(math.SmallestNonzeroFloat64))),
	stored("infinities are stored", literal.Array(literal.Double(math.Inf(1)), literal.Double(math.Inf(-1)))),
	stored("a NaN is stored as a NaN", literal.Double(math.NaN())),
	stored("negative zero keeps its sign", literal.Double(math.Copysign(0, -1))),
	stored("an integer stays an integer and a double a double", literal.Array(literal.Int(1), literal.Double(1))),
	stored("empty strings, bytes, arrays and maps are stored", literal.Array(literal.Str(""), literal.Bytes(""), literal.Map(fields{"a": literal.Array()}), literal.Map(nil))),
	stored("strings keep NUL, characters beyond 16 bits and unnormalized forms", literal.Str("\x00 \U0001F9E0 e\u0301 \u00e9 \uffff")),
	stored("bytes need not be text", literal.Bytes("\x00\xc3\x28\xff\xfe")),
	stored("an array holds different types", literal.Array(literal.Null(), literal.Bool(false), literal.Int(1), literal.Double(1), literal.Str("1"), literal.Bytes("1"), literal.Geo(0, 0), literal.Map(nil))),
	stored("an array in a map in an array is stored", literal.Array(literal.Map(fields{"a": literal.Array(literal.Int(1))}))),
	stored("points at the poles and the date line are stored", literal.Array(literal.Geo(90, 180), literal.Geo(-90, -180))),
	stored("the first and the last timestamp are stored", literal.Array(literal.Time(-62135596800, 0), literal.Time(253402300799, 999999000))),
	becomes("a timestamp is rounded down to microseconds", literal.Time(1, 123456999), literal.Time(1, 123456000)),
	becomes("a timestamp before 1970 is rounded down, too", literal.Time(-1, 1999), literal.Time(-1, 1000)),
	becomes("timestamps in arrays and maps are rounded down",
		literal.Array(literal.Map(fields{"a": literal.Array(literal.Time(5, 1999))})), literal.Array(literal.Map(fields{"a": literal.Array(literal.Time(5, 1000))}))),
	{
		Name: "field names may hold any characters",
		Page: "proto document.proto, Document.fields",
		Run: func(t *T) {
			f := fields{
				"a.b": literal.Int(1), "a b": literal.Int(2), "`": literal.Int(3), "\\": literal.Int(4), "/": literal.Int(5), "é\U0001F9E0": literal.Int(6),
				"1": literal.Int(7), "*~[]": literal.Int(8), "_": literal.Int(9), "__": literal.Int(10), "__a": literal.Int(11), "a__": literal.Int(12), "\n": literal.Int(13),
			}
			t.commit(t.set("c/d", f))
			t.has("c/d", f)
		},
	},
	{
		Name: "a document may have no fields",
		Page: "proto document.proto, Document",
		Run: func(t *T) {
			t.commit(t.set("c/d", nil))
			t.has("c/d", nil)
		},
	},
	{
		Name: "a string of a million bytes is stored",
		Page: "firestore/quotas, collections, documents, and fields",
		Run: func(t *T) {
			f := fields{"a": literal.Str(strings.Repeat("a", 1_000_000))}
			t.commit(t.set("c/d", f))
			t.has("c/d", f)
		},
	},
	{
		Name: "a reference may point to a document of another project and database",
		Run: func(t *T) {
			f := fields{"a": literal.Ref("projects/demo-elsewhere/databases/other/documents/c/d")}
			t.commit(t.set("c/d", f))
			t.has("c/d", f)
		},
	},
	{
		Name: "a document's times in a write are ignored",
		Page: "proto document.proto, Document.create_time: output only",
		Run: func(t *T) {
			w := t.set("c/d", nil)
			first := t.commit(t.set("c/other", nil)).CommitTime
			w.GetUpdate().CreateTime, w.GetUpdate().UpdateTime = later(first, -time.Hour), later(first, -time.Hour)
			res := t.commit(w)
			doc := t.get("c/d")
			t.same(res.WriteResults[0].UpdateTime, doc.UpdateTime)
			t.same(doc.UpdateTime, doc.CreateTime)
		},
	},
}

// stored is the check that a value is read back as it was written.
func stored(name string, v *firestorepb.Value) Check {
	c := becomes(name, v, v)
	c.Page = "proto document.proto, Value"
	return c
}

// becomes is the check of a value that is stored as another.
func becomes(name string, written, read *firestorepb.Value) Check {
	return Check{
		Name: name,
		Page: "proto document.proto, Value.timestamp_value",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"v": written}))
			t.is(read, t.get("c/d").GetFields()["v"])
		},
	}
}
