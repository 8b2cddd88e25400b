package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/eval/report"
	"hippocampus/internal/eval/result"
)

func TestMeasurementsThatWereMadeAreSections(t *testing.T) {
	var ids []string
	for _, s := range report.Measurements(tableSample()) {
		ids = append(ids, s.ID)
		require.NotEmpty(t, s.Title)
		require.True(t, strings.HasSuffix(s.Question, "?"), s.Question)
		require.NotEmpty(t, s.Tables)
		for _, tab := range s.Tables {
			require.True(t, strings.HasSuffix(tab.Caption, ".") || strings.HasSuffix(tab.Caption, "?"), tab.Caption)
			require.NotEmpty(t, tab.Rows, tab.Caption)
			for _, row := range tab.Rows {
				require.Len(t, row, len(tab.Columns), tab.Caption)
				require.NotEmpty(t, row[0], "the first cell names the row")
			}
		}
	}
	require.Equal(t, []string{"equivalence", "cost", "freshness", "repair", "writes"}, ids)

	one := tableSample()
	one.Equivalence, one.Freshness, one.Repair, one.Writes = nil, nil, nil, nil
	sections := report.Measurements(one)
	require.Len(t, sections, 1)
	require.Equal(t, one.Cost.Verdict, sections[0].Verdict)

	require.Empty(t, report.Measurements(&result.Results{}))
	for _, s := range report.Measurements(&result.Results{
		Equivalence: &result.Equivalence{}, Cost: &result.Cost{}, Freshness: &result.Freshness{}, Repair: &result.Repair{}, Writes: &result.Writes{},
	}) {
		require.NoError(t, s.Terminal(&bytes.Buffer{}, 100, report.Paint{}), "%s: a measurement that ended before its first figure", s.ID)
	}
}

// Whatever changes in what was measured changes the tables, except for what is named here.
func TestEveryFigureIsShown(t *testing.T) {
	hidden := map[string]bool{
		"equivalence.stores[].as_of":  true,
		"equivalence.stores[].listed": true, // the differences say it
		"freshness.lags[].ms":         true, // the report has a plot of them
	}
	text, err := json.Marshal(tableSample())
	require.NoError(t, err)
	was := fmt.Sprint(report.Measurements(tableSample()))
	found, seen := map[string]bool{}, 0
	var document map[string]any
	require.NoError(t, json.Unmarshal(text, &document))
	change := func(path string) {
		seen++
		changed, err := json.Marshal(document)
		require.NoError(t, err)
		now, err := result.Read(bytes.NewReader(changed))
		require.NoError(t, err, path)
		found[path] = true
		require.Equal(t, hidden[path], fmt.Sprint(report.Measurements(now)) == was, "%s changed", path)
	}
	for _, section := range []string{"equivalence", "cost", "freshness", "repair", "writes"} {
		eachLeaf(document[section], section, func(v any) { document[section] = v }, change)
	}
	require.Greater(t, seen, 300)
	for path := range hidden {
		require.True(t, found[path], "%s is in the document", path)
	}
}

// eachLeaf changes one leaf of a JSON value after the other, and puts it back.
func eachLeaf(value any, path string, set func(any), changed func(path string)) {
	try := func(other any) {
		set(other)
		changed(path)
		set(value)
	}
	switch v := value.(type) {
	case map[string]any:
		for name, field := range v {
			eachLeaf(field, path+"."+name, func(to any) { v[name] = to }, changed)
		}
	case []any:
		for i, element := range v {
			next := path + "[]"
			if _, scalar := element.(float64); scalar {
				next = path
			}
			eachLeaf(element, next, func(to any) { v[i] = to }, changed)
		}
	case float64:
		try(3*v + 7)
	case bool:
		try(!v)
	case string:
		if after, isTime := strings.CutPrefix(v, "2026-11-30T"); isTime {
			try("2025-11-30T" + after)
		} else {
			try(v + "x")
		}
	}
}

func TestCostIsBesideTheNamesOnlyScan(t *testing.T) {
	r := tableSample()
	cost := tableOf(t, r, "cost", 0)
	require.Equal(t, []string{"1/5,000", "1/22", "1/54"}, vs(cost, "5,000", result.Index))
	require.Equal(t, []string{"1", "11×", "1.4×"}, vs(cost, "5,000", result.FullScan))
	require.Equal(t, []string{"1", "1", "1"}, vs(cost, "5,000", result.NamesScan))
	require.Equal(t, "3,000", cell(cost, "USD a million turns", "5,000", result.NamesScan))
	require.Equal(t, "0.60", cell(cost, "USD a million turns", "5,000", result.Index))

	var order []string
	for _, row := range cost.Rows[5:10] {
		order = append(order, row[0]+" "+row[1])
	}
	require.Equal(t, []string{
		"5,000 full scan", "5,000 names-only scan", "5,000 maps of fields", "5,000 index", "5,000 index, a tenth changed",
	}, order, "whatever their order in the document")

	r.Cost.Turns = slices.DeleteFunc(r.Cost.Turns, func(t result.Turn) bool { return t.Way == result.NamesScan })
	require.Equal(t, []string{"", "", ""}, vs(tableOf(t, r, "cost", 0), "5,000", result.Index), "without a scan there is nothing to compare with")
}

func TestEveryWayHasAName(t *testing.T) {
	for _, way := range result.Ways {
		if way != result.Index {
			require.NotEqual(t, string(way), way.Name())
		}
	}
	require.Equal(t, `"another"`, result.Way("another").Name())
}

func TestLagsOfWritesThatWereNeverListedHaveNoFigures(t *testing.T) {
	r := tableSample()
	r.Freshness.Lags[1] = result.Lag{Situation: "import", Writes: 2, Others: 10_000}
	lags := tableOf(t, r, "freshness", 1)
	require.Equal(t, []string{"an import runs", "2", "0", "10,000", "", "", ""}, lags.Rows[1])
}

func TestTheHookIsBesideItsAbsence(t *testing.T) {
	require.Equal(t, []string{"with ÷ without", "", "0.921×", "1.10×", "1.25×"}, tableOf(t, tableSample(), "writes", 1).Rows[2])
}

func TestMomentsOfAStoreAreTogether(t *testing.T) {
	r := tableSample()
	r.Equivalence.Stores[1].Collection = r.Equivalence.Stores[0].Collection
	stores := tableOf(t, r, "equivalence", 0)
	require.True(t, stores.Grouped)
	require.Equal(t, []string{"tenants/eval-1/memories", "after a full fold", "20,000"}, stores.Rows[0][:3])
	require.Equal(t, []string{"tenants/eval-1/memories", "", "1,000"}, stores.Rows[1][:3])

	r.Equivalence.Stores[0].Moment = ""
	stores = tableOf(t, r, "equivalence", 0)
	require.False(t, stores.Grouped)
	require.Equal(t, []string{"tenants/eval-1/memories", "20,000"}, stores.Rows[0][:2])
}

func TestOnlyAFewOfManyAreNamed(t *testing.T) {
	r := tableSample()
	r.Equivalence.Schedules.Differing = append(r.Equivalence.Schedules.Differing, make([]uint64, 2000)...)
	require.Equal(t, []string{"7", "40", "1,234", "2,005", "9, 10, 11, 12, 13, … and 2,000 more"}, tableOf(t, r, "equivalence", 2).Rows[0])
	r.Equivalence.Schedules.Differing = nil
	require.Equal(t, []string{"7", "40", "1,234", "0"}, tableOf(t, r, "equivalence", 2).Rows[0])
}

func TestNamesCannotDisturbATable(t *testing.T) {
	r := tableSample()
	r.Equivalence.Stores[1].Diff.Examples[0].Name = "a\nb\t\x1b[31m\u202e\xff|開"
	require.Equal(t, `a\nb\t\x1b[31m\u202e\xff|開`, tableOf(t, r, "equivalence", 1).Rows[0][2])
}

func tableOf(t *testing.T, r *result.Results, id string, n int) report.Table {
	t.Helper()
	for _, s := range report.Measurements(r) {
		if s.ID == id {
			require.Greater(t, len(s.Tables), n)
			return s.Tables[n]
		}
	}
	require.Fail(t, "no section "+id)
	return report.Table{}
}

// cell returns the cell of a column in the row of a number of memories and a way.
func cell(cost report.Table, column, memories string, way result.Way) string {
	i := slices.IndexFunc(cost.Columns, func(c report.Column) bool { return c.Name == column })
	j := slices.IndexFunc(cost.Rows, func(row []string) bool { return row[0] == memories && row[1] == way.Name() })
	return cost.Rows[j][i]
}

func vs(cost report.Table, memories string, way result.Way) []string {
	return []string{
		cell(cost, "reads vs scan", memories, way), cell(cost, "bytes vs scan", memories, way), cell(cost, "time vs scan", memories, way),
	}
}
