package conformance

import (
	"math"
	"strings"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
)

// values are about the types of values and how they are stored.
var values = []Check{
	{
		Name: "every type is stored as it was written",
		Page: "proto document.proto, Value",
		Run: func(t *T) {
			f := fields{
				"null": null(), "bool": boolean(true), "int": integer(1 << 62), "double": double(0.5), "str": str("é"),
				"bytes": bytesOf("\x00\xff"), "ref": reference(t.Name("c/other")), "array": array(integer(1), str("a")),
				"map": mapOf(fields{"a": mapOf(nil)}), "time": timestamp(1700000000, 123456000), "geo": geo(52.5, -13.25),
				"vector": vector(1, 0.5, -2),
			}
			t.commit(t.set("c/d", f))
			t.has("c/d", f)
		},
	},
	stored("the largest and the smallest integer are stored", array(integer(math.MaxInt64), integer(math.MinInt64))),
	stored("the largest and the smallest double are stored",
		array(double(math.MaxFloat64), double(-math.MaxFloat64), double(math.SmallestNonzeroFloat64))),
	stored("infinities are stored", array(double(math.Inf(1)), double(math.Inf(-1)))),
	stored("a NaN is stored as a NaN", double(math.NaN())),
	stored("negative zero keeps its sign", double(math.Copysign(0, -1))),
	stored("an integer stays an integer and a double a double", array(integer(1), double(1))),
	stored("empty strings, bytes, arrays and maps are stored", array(str(""), bytesOf(""), mapOf(fields{"a": array()}), mapOf(nil))),
	stored("strings keep NUL, characters beyond 16 bits and unnormalized forms", str("\x00 \U0001F9E0 e\u0301 \u00e9 \uffff")),
	stored("bytes need not be text", bytesOf("\x00\xc3\x28\xff\xfe")),
	stored("an array holds different types", array(null(), boolean(false), integer(1), double(1), str("1"), bytesOf("1"), geo(0, 0), mapOf(nil))),
	stored("an array in a map in an array is stored", array(mapOf(fields{"a": array(integer(1))}))),
	stored("points at the poles and the date line are stored", array(geo(90, 180), geo(-90, -180))),
	stored("the first and the last timestamp are stored", array(timestamp(-62135596800, 0), timestamp(253402300799, 999999000))),
	becomes("a timestamp is rounded down to microseconds", timestamp(1, 123456999), timestamp(1, 123456000)),
	becomes("a timestamp before 1970 is rounded down, too", timestamp(-1, 1999), timestamp(-1, 1000)),
	becomes("timestamps in arrays and maps are rounded down",
		array(mapOf(fields{"a": array(timestamp(5, 1999))})), array(mapOf(fields{"a": array(timestamp(5, 1000))}))),
	{
		Name: "field names may hold any characters",
		Page: "proto document.proto, Document.fields",
		Run: func(t *T) {
			f := fields{
				"a.b": integer(1), "a b": integer(2), "`": integer(3), "\\": integer(4), "/": integer(5), "é\U0001F9E0": integer(6),
				"1": integer(7), "*~[]": integer(8), "_": integer(9), "__": integer(10), "__a": integer(11), "a__": integer(12), "\n": integer(13),
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
			f := fields{"a": str(strings.Repeat("a", 1_000_000))}
			t.commit(t.set("c/d", f))
			t.has("c/d", f)
		},
	},
	{
		Name: "a reference may point to a document of another project and database",
		Run: func(t *T) {
			f := fields{"a": reference("projects/demo-elsewhere/databases/other/documents/c/d")}
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
