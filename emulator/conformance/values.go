package conformance

// values are about the types of values, their storage and their order.
var values = []Check{
	{
		Name: "every type is stored as it was written",
		Page: "proto document.proto, Value",
		Run: func(t *T) {
			f := fields{
				"null": null(), "bool": boolean(true), "int": integer(1 << 62), "double": double(0.5), "str": str("é"),
				"bytes": bytesOf("\x00\xff"), "ref": reference(t.Name("c/other")), "array": array(integer(1), str("a")),
				"map": mapOf(fields{"a": mapOf(nil)}),
			}
			t.commit(t.set("c/d", f))
			t.has("c/d", f)
		},
	},
}
