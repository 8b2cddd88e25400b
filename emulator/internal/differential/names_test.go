package differential_test

import (
	"slices"
	"strings"

	"hippocampus/emulator/internal/literal"
)

// collections are nested, some in documents that do not exist.
var collections = []string{"c", "d", "c/a/c", "c/a/d", "c/b/c", "d/gone/c", "c/é/é x"}

var ids = []string{"a", "b", "é", "__id7__", "__id12__", "B", "x.y"}

// path is that of a document, most often one of few.
func (r *random) path() string {
	if len(r.paths) > 0 && !r.oneIn(3) {
		return pick(r, r.paths...)
	}
	if r.oneIn(2) {
		return "c/" + pick(r, ids...)
	}
	return pick(r, collections...) + "/" + pick(r, ids...)
}

// document is a full name.
func (r *random) document() string { return r.name(r.path()) }

// names are of fields at the top. Some need quotes; their order by bytes, with quotes and dots and
// without, is not the same.
var names = []string{"a", "b", "m", "arr", "m-x", "B", "é", "a.b", "`\\"}

// docFields are a document's: numbers often, a map m, an array arr.
func (r *random) docFields() fields {
	f := fields{}
	for _, name := range names {
		switch {
		case r.oneIn(2) && !(slices.Contains(r.names, name) && r.oneIn(2)):
		case name == "m" && !r.oneIn(4):
			f[name] = literal.Map(r.fields(1, []string{"x", "y", "m-x"}))
		case name == "arr" && !r.oneIn(5):
			f[name] = r.array(2)
		case r.oneIn(4):
			f[name] = literal.Int(r.Int64N(3))
		default:
			f[name] = r.value(2)
		}
	}
	return f
}

// quoted is a name as a field path has it.
func quoted(name string) string {
	for i, c := range name {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return "`" + strings.NewReplacer("`", "\\`", "\\", "\\\\").Replace(name) + "`"
		}
	}
	return name
}

// fieldName is a name, most often one of few.
func (r *random) fieldName() string {
	if len(r.names) > 0 && !r.oneIn(4) {
		return pick(r, r.names...)
	}
	return pick(r, names...)
}

// focus makes programs about something: a few paths, fields and values.
func (r *random) focus() {
	for range 4 + r.IntN(3) {
		r.paths = append(r.paths, r.path())
	}
	for range 2 + r.IntN(3) {
		r.names = append(r.names, r.fieldName())
	}
	for range 1 + r.IntN(2) {
		r.theme = append(r.theme, pick(r, themes(r)...)...)
	}
}

// fieldPath is the path of a field, now and then a wrong one.
func (r *random) fieldPath() string {
	if r.oneIn(100) {
		return pick(r, "", "a..b", ".a", "a.", "__x__", "m.__x__", "a-b", "1a", "`a", "`a`b", "a`b`", "``", "*", "a b")
	}
	if r.oneIn(4) {
		return pick(r, "m.x", "m.y", "m.y.x", "m.`m-x`", "m.`y`.x", "a.b", "a.x", "b.x.y", "arr.x", "m.value", "m.é", "m.`é`")
	}
	name := r.fieldName()
	if r.oneIn(10) {
		return "`" + strings.NewReplacer("`", "\\`", "\\", "\\\\").Replace(name) + "`"
	}
	return quoted(name)
}
