package limit_test

import (
	"fmt"
	"os"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/internal/limit"
	"hippocampus/emulator/internal/literal"
)

func parsed(t *testing.T, source string) *limit.Indexes {
	t.Helper()
	ix, err := limit.ParseIndexes([]byte(source))
	require.NoError(t, err)
	return ix
}

// sanFrancisco is the example of query-data/index-overview#index_entries.
func sanFrancisco() *pb.Document {
	return document(fields{
		"city_name": literal.Str("San Francisco"), "temperatures": literal.Map(fields{"summer": literal.Int(67), "winter": literal.Int(55)}),
		"neighborhoods": literal.Array(literal.Str("Mission"), literal.Str("Downtown"), literal.Str("Marina")),
	})
}

func TestEntriesOfTheDocumentation(t *testing.T) {
	require.Equal(t, 13, limit.IndexEntries("cities/SF", sanFrancisco(), nil))
	require.Equal(t, 13+6, limit.IndexEntries("cities/SF", sanFrancisco(), parsed(t, `{"indexes": [
		{"collectionGroup": "cities", "queryScope": "COLLECTION", "fields": [
			{"fieldPath": "city_name", "order": "ASCENDING"}, {"fieldPath": "neighborhoods", "arrayConfig": "CONTAINS"}]},
		{"collectionGroup": "cities", "queryScope": "COLLECTION", "fields": [
			{"fieldPath": "city_name", "order": "DESCENDING"}, {"fieldPath": "neighborhoods", "arrayConfig": "CONTAINS"}]}
	]}`)))
}

func TestEntriesOfValues(t *testing.T) {
	for name, c := range map[string]struct {
		v    *pb.Value
		want int
	}{
		"null":                        {literal.Null(), 2},
		"a number":                    {literal.Int(1), 2},
		"a point":                     {literal.Geo(1, 0), 2},
		"a vector":                    {literal.Vector(1, 2), 2},
		"an empty map":                {literal.Map(nil), 2},
		"a map":                       {literal.Map(fields{"a": literal.Int(1), "b": literal.Null()}), 2 + 4},
		"a map in a map":              {literal.Map(fields{"a": literal.Map(fields{"b": literal.Int(1)})}), 2 + 2 + 2},
		"an empty array":              {literal.Array(), 2},
		"an array":                    {literal.Array(literal.Int(1), literal.Int(2)), 2 + 2},
		"an array with equals":        {literal.Array(literal.Int(1), literal.Int(2), literal.Double(1), literal.Int(2)), 2 + 2},
		"a map in an array":           {literal.Array(literal.Map(fields{"a": literal.Int(1), "b": literal.Int(2)})), 2 + 1},
		"an array in a map":           {literal.Map(fields{"a": literal.Array(literal.Int(1), literal.Int(2))}), 2 + 2 + 2},
		"a vector in a map in an map": {literal.Map(fields{"a": literal.Vector(1)}), 2 + 2},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, limit.IndexEntries("c/d", document(fields{"v": c.v}), nil))
			require.Equal(t, c.want, limit.IndexEntries("c/d", document(fields{"v": c.v}), &limit.Indexes{}))
		})
	}
	require.Zero(t, limit.IndexEntries("c/d", document(nil), nil))
}

func TestExemptions(t *testing.T) {
	override := func(path, indexes string) string {
		return fmt.Sprintf(`{"collectionGroup": "cities", "fieldPath": %q, "indexes": [%s]}`, path, indexes)
	}
	const ascending, contains = `{"order": "ASCENDING", "queryScope": "COLLECTION"}`, `{"arrayConfig": "CONTAINS", "queryScope": "COLLECTION_GROUP"}`
	for name, c := range map[string]struct {
		overrides string
		want      int
	}{
		"none":                             {``, 13},
		"of a field":                       {override("city_name", ""), 11},
		"of a map and all in it":           {override("temperatures", ""), 7},
		"of a field in a map":              {override("temperatures.summer", ""), 11},
		"of a map but not of one in it":    {override("temperatures", "") + "," + override("temperatures.summer", ascending), 8},
		"one in it first":                  {override("temperatures.summer", ascending) + "," + override("temperatures", ""), 8},
		"of a quoted field":                {override("`temperatures`.`winter`", ""), 11},
		"of an array":                      {override("neighborhoods", ""), 8},
		"of an array but for its elements": {override("neighborhoods", contains), 11},
		"more than the automatic":          {override("city_name", ascending+","+ascending+`,{"order": "DESCENDING", "queryScope": "COLLECTION_GROUP"}`), 14},
		"elements of what is no array":     {override("city_name", contains), 11},
		"of all fields":                    {override("*", ""), 0},
		"of all fields but one":            {override("*", "") + "," + override("temperatures", ascending), 3},
		"of another field":                 {override("other", "") + "," + override("temperatures.other", ""), 13},
		"of a field like a path":           {override("`temperatures.summer`", ""), 13},
		"of all fields, one kept in a map": {override("*", "") + "," + override("temperatures.winter", ascending), 1},
	} {
		t.Run(name, func(t *testing.T) {
			ix := parsed(t, `{"fieldOverrides": [`+c.overrides+`]}`)
			require.Equal(t, c.want, limit.IndexEntries("cities/SF", sanFrancisco(), ix))
			require.Equal(t, c.want, limit.IndexEntries("countries/US/cities/SF", sanFrancisco(), ix), "of collections of the id anywhere")
			require.Equal(t, 13, limit.IndexEntries("cities/SF/towns/SF", sanFrancisco(), ix), "not of other collections")
		})
	}
}

func TestCompositeIndexes(t *testing.T) {
	index := func(fields string) *limit.Indexes {
		return parsed(t, `{"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION_GROUP", "fields": [`+fields+`]}]}`)
	}
	const a, m, l, v = `{"fieldPath": "a", "order": "ASCENDING"}`, `{"fieldPath": "m.x", "order": "DESCENDING"}`,
		`{"fieldPath": "l", "arrayConfig": "CONTAINS"}`, `{"fieldPath": "v", "vectorConfig": {"dimension": 2, "flat": {}}}`
	const id = `{"fieldPath": "__name__", "order": "ASCENDING"}`
	all := fields{"a": literal.Int(1), "m": literal.Map(fields{"x": literal.Int(1)}), "l": literal.Array(literal.Int(1), literal.Int(2), literal.Int(1)), "v": literal.Vector(1, 2)}
	automatic := limit.IndexEntries("c/d", document(all), nil)
	for name, c := range map[string]struct {
		fields string
		want   int
	}{
		"two fields":           {a + "," + m, 1},
		"with the name":        {a + "," + id, 1},
		"elements of an array": {a + "," + l, 2},
		"a vector":             {a + "," + v, 1},
		"a field not there":    {a + `,{"fieldPath": "x", "order": "ASCENDING"}`, 0},
		"elements of a number": {m + `,{"fieldPath": "a", "arrayConfig": "CONTAINS"}`, 0},
		"a vector of a number": {m + `,{"fieldPath": "a", "vectorConfig": {"dimension": 2}}`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, automatic+c.want, limit.IndexEntries("c/d", document(all), index(c.fields)))
		})
	}
}

func TestTooManyEntries(t *testing.T) {
	m := fields{}
	for i := range 19_999 {
		m[fmt.Sprint(i)] = literal.Int(1)
	}
	doc := document(fields{"m": literal.Map(m)})
	require.Equal(t, 40_000, limit.IndexEntries("c/d", doc, nil))
	require.NoError(t, limit.CheckDocument("c/d", doc, nil))
	m["one more"] = literal.Int(1)
	refused(t, limit.CheckDocument("c/d", doc, nil), "40002 index entries")
	require.NoError(t, limit.CheckDocument("c/d", doc, exempt(t)))
	require.NoError(t, limit.CheckDocument("c/d", doc, parsed(t, `{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "m", "indexes": []}]}`)))
}

// Of a long value 1,500 bytes are indexed, so an entry is too large only with a long name.
func TestSizeOfAnEntry(t *testing.T) {
	require.NoError(t, limit.CheckDocument("c/d", document(fields{"v": literal.Str(x(100_000))}), nil))
	p := "c/" + x(1500) + "/c/" + x(1500) + "/c/"
	// Both names, the field's, the value and 32.
	size := func(id int) int { return (16 + 6 + 2*1501 + id + 1) + (16 + 4 + 2*1501) + 2 + 1500 + 32 }
	fits := 7680 - size(0)
	require.Positive(t, fits)
	doc := document(fields{"v": literal.Str(x(2000))})
	require.NoError(t, limit.CheckDocument(resourcePath(p+x(fits)), doc, nil))
	refused(t, limit.CheckDocument(resourcePath(p+x(fits+1)), doc, nil), "7681")
	nested := document(fields{"v": literal.Map(fields{"w": literal.Str(x(2000))})}) // a path of two more
	require.NoError(t, limit.CheckDocument(resourcePath(p+x(fits-2)), nested, nil))
	refused(t, limit.CheckDocument(resourcePath(p+x(fits-1)), nested, nil), "7681")
}

func TestSizeOfAllEntries(t *testing.T) {
	// Each entry: the name 20, the parent 16, the field 6, the value 1,500 and 32.
	const entry = 20 + 16 + 6 + 1500 + 32
	ix := `{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "*", "indexes": [`
	const n = 8
	for i := range n {
		if i > 0 {
			ix += ","
		}
		ix += `{"order": "ASCENDING", "queryScope": "COLLECTION"}`
	}
	ix += `]}]}`
	most := 8 << 20 / entry / n
	many := fields{}
	for i := range most {
		many[fmt.Sprintf("f%04d", i)] = literal.Bytes(x(1500))
	}
	require.NoError(t, limit.CheckDocument("c/d", document(many), parsed(t, ix)))
	many["f9999"] = literal.Bytes(x(1500))
	refused(t, limit.CheckDocument("c/d", document(many), parsed(t, ix)), "8388608")
}

func TestOwnIndexes(t *testing.T) {
	source, err := os.ReadFile("../../../firestore.indexes.json")
	require.NoError(t, err)
	ix := parsed(t, string(source))
	m := fields{}
	for i := range 30_000 {
		m[fmt.Sprint(i)] = literal.Int(1)
	}
	require.Zero(t, limit.IndexEntries("tenants/t/memory_shards/s", document(fields{"e": literal.Map(m)}), ix))
	require.Equal(t, 60_002, limit.IndexEntries("tenants/t/others/s", document(fields{"e": literal.Map(m)}), ix))
}
