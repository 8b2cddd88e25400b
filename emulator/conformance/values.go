package conformance

import (
	"math"
	"strings"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/build"
)

// values are about the types of values and how they are stored.
var values = []Check{
	{
		Name: "every type is stored as it was written",
		Page: "proto document.proto, Value",
		Run: func(t *T) {
			f := fields{
				"null": build.Null(), "bool": build.Bool(true), "int": build.Int(1 << 62), "double": build.Double(0.5), "str": build.Str("é"),
				"bytes": build.Bytes("\x00\xff"), "ref": build.Ref(t.Name("c/other")), "array": build.Array(build.Int(1), build.Str("a")),
				"map": build.Map(fields{"a": build.Map(nil)}), "time": build.Time(1700000000, 123456000), "geo": build.Geo(52.5, -13.25),
				"vector": build.Vector(1, 0.5, -2),
			}
			t.commit(t.set("c/d", f))
			t.has("c/d", f)
		},
	},
	stored("the largest and the smallest integer are stored", build.Array(build.Int(math.MaxInt64), build.Int(math.MinInt64))),
	stored("the largest and the smallest double are stored",
		build.Array(build.Double(math.MaxFloat64), build.Double(-math.MaxFloat64), build.Double(math.SmallestNonzeroFloat64))),
	stored("infinities are stored", build.Array(build.Double(math.Inf(1)), build.Double(math.Inf(-1)))),
	stored("a NaN is stored as a NaN", build.Double(math.NaN())),
	stored("negative zero keeps its sign", build.Double(math.Copysign(0, -1))),
	stored("an integer stays an integer and a double a double", build.Array(build.Int(1), build.Double(1))),
	stored("empty strings, bytes, arrays and maps are stored", build.Array(build.Str(""), build.Bytes(""), build.Map(fields{"a": build.Array()}), build.Map(nil))),
	stored("strings keep NUL, characters beyond 16 bits and unnormalized forms", build.Str("\x00 \U0001F9E0 e\u0301 \u00e9 \uffff")),
	stored("bytes need not be text", build.Bytes("\x00\xc3\x28\xff\xfe")),
	stored("an array holds different types", build.Array(build.Null(), build.Bool(false), build.Int(1), build.Double(1), build.Str("1"), build.Bytes("1"), build.Geo(0, 0), build.Map(nil))),
	stored("an array in a map in an array is stored", build.Array(build.Map(fields{"a": build.Array(build.Int(1))}))),
	stored("points at the poles and the date line are stored", build.Array(build.Geo(90, 180), build.Geo(-90, -180))),
	stored("the first and the last timestamp are stored", build.Array(build.Time(-62135596800, 0), build.Time(253402300799, 999999000))),
	becomes("a timestamp is rounded down to microseconds", build.Time(1, 123456999), build.Time(1, 123456000)),
	becomes("a timestamp before 1970 is rounded down, too", build.Time(-1, 1999), build.Time(-1, 1000)),
	becomes("timestamps in arrays and maps are rounded down",
		build.Array(build.Map(fields{"a": build.Array(build.Time(5, 1999))})), build.Array(build.Map(fields{"a": build.Array(build.Time(5, 1000))}))),
	{
		Name: "field names may hold any characters",
		Page: "proto document.proto, Document.fields",
		Run: func(t *T) {
			f := fields{
				"a.b": build.Int(1), "a b": build.Int(2), "`": build.Int(3), "\\": build.Int(4), "/": build.Int(5), "é\U0001F9E0": build.Int(6),
				"1": build.Int(7), "*~[]": build.Int(8), "_": build.Int(9), "__": build.Int(10), "__a": build.Int(11), "a__": build.Int(12), "\n": build.Int(13),
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
			f := fields{"a": build.Str(strings.Repeat("a", 1_000_000))}
			t.commit(t.set("c/d", f))
			t.has("c/d", f)
		},
	},
	{
		Name: "a reference may point to a document of another project and database",
		Run: func(t *T) {
			f := fields{"a": build.Ref("projects/demo-elsewhere/databases/other/documents/c/d")}
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
