package conformance

import (
	"strings"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"

	"hippocampus/emulator/internal/literal"
)

const quotasPage = "firestore/quotas, collections, documents, and fields"

// limits are about how large names, values and documents may be.
var limits = []Check{
	fits("a document's id of 1,500 bytes", quotasPage, func(t *T) *firestorepb.Write { return t.set("c/"+strings.Repeat("a", 1500), nil) }),
	exceeds("a document's id of 1,501 bytes", quotasPage, func(t *T) *firestorepb.Write { return t.set("c/"+strings.Repeat("a", 1501), nil) }),
	exceeds("a document's id of 1,502 bytes in 751 characters", quotasPage, func(t *T) *firestorepb.Write { return t.set("c/"+strings.Repeat("é", 751), nil) }),
	fits("a collection's id of 1,500 bytes", quotasPage, func(t *T) *firestorepb.Write { return t.set(strings.Repeat("a", 1500)+"/d", nil) }),
	exceeds("a collection's id of 1,501 bytes", quotasPage, func(t *T) *firestorepb.Write { return t.set(strings.Repeat("a", 1501)+"/d", nil) }),
	fits("a name of a hundred collections", quotasPage+": maximum depth of subcollections", func(t *T) *firestorepb.Write {
		return t.set(strings.Repeat("c/d/", 99)+"c/d", nil)
	}),
	exceeds("a name of a hundred and one collections", quotasPage+": maximum depth of subcollections", func(t *T) *firestorepb.Write {
		return t.set(strings.Repeat("c/d/", 100)+"c/d", nil)
	}),
	fits("a name of less than 6 KiB", quotasPage+": maximum size of a document name", func(t *T) *firestorepb.Write {
		return t.set(strings.Repeat("c/"+strings.Repeat("a", 1400)+"/", 3)+"c/d", nil)
	}),
	unlimited("a name of more than 6 KiB", quotasPage+": maximum size of a document name", func(t *T) *firestorepb.Write {
		return t.set(strings.Repeat("c/"+strings.Repeat("a", 1500)+"/", 4)+"c/"+strings.Repeat("a", 200), nil)
	}),
	fits("a field's name of 1,500 bytes", quotasPage, func(t *T) *firestorepb.Write {
		return t.set("c/d", fields{strings.Repeat("a", 1500): literal.Int(1)})
	}),
	exceeds("a field's name of 1,501 bytes", quotasPage, func(t *T) *firestorepb.Write {
		return t.set("c/d", fields{strings.Repeat("a", 1501): literal.Int(1)})
	}),
	exceeds("a field's name of 1,502 bytes in 751 characters", quotasPage, func(t *T) *firestorepb.Write {
		return t.set("c/d", fields{strings.Repeat("é", 751): literal.Int(1)})
	}),
	fits("a field's path of 1,500 bytes", quotasPage, func(t *T) *firestorepb.Write {
		return t.set("c/d", fields{strings.Repeat("a", 1498): literal.Map(fields{"b": literal.Int(1)})})
	}),
	exceeds("a field's path of 1,501 bytes", quotasPage, func(t *T) *firestorepb.Write {
		return t.set("c/d", fields{strings.Repeat("a", 1499): literal.Map(fields{"b": literal.Int(1)})})
	}),
	fits("a path of 1,499 bytes in a mask", quotasPage, func(t *T) *firestorepb.Write { return t.merge("c/d", nil, strings.Repeat("a", 1497)+".b") }),
	loose("a path of 1,500 bytes in a mask is refused",
		fits("a path of 1,500 bytes in a mask", quotasPage, func(t *T) *firestorepb.Write { return t.merge("c/d", nil, strings.Repeat("a", 1498)+".b") }),
		func(t *T) {
			_, err := t.tryCommit(t.merge("c/d", nil, strings.Repeat("a", 1498)+".b"))
			t.fails(codes.InvalidArgument, err)
		}),
	exceeds("a path of 1,501 bytes in a mask", quotasPage, func(t *T) *firestorepb.Write { return t.merge("c/d", nil, strings.Repeat("a", 1499)+".b") }),
	fits("a path of 1,500 bytes in a transform", quotasPage, func(t *T) *firestorepb.Write {
		return t.transform("c/d", literal.Increment(strings.Repeat("a", 1498)+".b", literal.Int(1)))
	}),
	unlimited("a path of 1,501 bytes in a transform", quotasPage, func(t *T) *firestorepb.Write {
		return t.transform("c/d", literal.Increment(strings.Repeat("a", 1499)+".b", literal.Int(1)))
	}),
	fits("maps twenty deep", quotasPage+": maximum depth of fields in a map or array", func(t *T) *firestorepb.Write {
		return t.set("c/d", fields{"v": deep(20, inMap)})
	}),
	exceeds("maps twenty-one deep", quotasPage+": maximum depth of fields in a map or array", func(t *T) *firestorepb.Write {
		return t.set("c/d", fields{"v": deep(21, inMap)})
	}),
	fits("arrays of maps twenty deep", quotasPage+": maximum depth of fields in a map or array", func(t *T) *firestorepb.Write {
		return t.set("c/d", fields{"v": deep(10, inArrayOfMap)})
	}),
	exceeds("arrays of maps twenty-two deep", quotasPage+": maximum depth of fields in a map or array", func(t *T) *firestorepb.Write {
		return t.set("c/d", fields{"v": deep(11, inArrayOfMap)})
	}),
	{
		Name: "maps that grow twenty-one deep by a masked update are refused",
		Page: quotasPage + ": maximum depth of fields in a map or array",
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"v": deep(20, inMap)}))
			path := "v" + strings.Repeat(".a", 20)
			_, err := t.tryCommit(t.merge("c/d", fields{"v": deep(21, inMap)}, path+".a"))
			t.fails(codes.InvalidArgument, err)
		},
	},
	fits("a string of 1,048,487 bytes", quotasPage+": maximum size of a field value", func(t *T) *firestorepb.Write {
		return t.set("c/d", fields{"a": literal.Str(strings.Repeat("a", 1048487))})
	}),
	exceeds("a string of 1,048,488 bytes", quotasPage+": maximum size of a field value", func(t *T) *firestorepb.Write {
		return t.set("c/d", fields{"a": literal.Str(strings.Repeat("a", 1048488))})
	}),
	fits("bytes of 1,048,487 bytes", quotasPage+": maximum size of a field value", func(t *T) *firestorepb.Write {
		return t.set("c/d", fields{"a": literal.Bytes(strings.Repeat("a", 1048487))})
	}),
	exceeds("bytes of 1,048,488 bytes", quotasPage+": maximum size of a field value", func(t *T) *firestorepb.Write {
		return t.set("c/d", fields{"a": literal.Bytes(strings.Repeat("a", 1048488))})
	}),
	fits("a vector of 2,048 dimensions", "firestore/vector-search, limitations", func(t *T) *firestorepb.Write {
		return t.set("c/d", fields{"a": literal.Vector(make([]float64, 2048)...)})
	}),
	exceeds("a vector of 2,049 dimensions", "firestore/vector-search, limitations", func(t *T) *firestorepb.Write {
		return t.set("c/d", fields{"a": literal.Vector(make([]float64, 2049)...)})
	}),
}

// inMap and inArrayOfMap put a value into a map, and that into an array.
func inMap(v *firestorepb.Value) *firestorepb.Value        { return literal.Map(fields{"a": v}) }
func inArrayOfMap(v *firestorepb.Value) *firestorepb.Value { return literal.Array(inMap(v)) }

// deep puts a value n times into another.
func deep(n int, into func(*firestorepb.Value) *firestorepb.Value) *firestorepb.Value {
	v := literal.Int(1)
	for range n {
		v = into(v)
	}
	return v
}

// fits is the check that a write is within the limits.
func fits(what, page string, w func(t *T) *firestorepb.Write) Check {
	return Check{Name: what + " fits", Page: page, Run: func(t *T) { t.commit(w(t)) }}
}

// exceeds is the check that a write is beyond a limit.
func exceeds(what, page string, w func(t *T) *firestorepb.Write) Check {
	return Check{
		Name: what + " is refused",
		Page: page,
		Run: func(t *T) {
			_, err := t.tryCommit(w(t))
			t.fails(codes.InvalidArgument, err)
		},
	}
}

// unlimited is the check of a limit that the official emulator does not have.
func unlimited(what, page string, w func(t *T) *firestorepb.Write) Check {
	return loose(what+" is taken", exceeds(what, page, w), func(t *T) { t.commit(w(t)) })
}
