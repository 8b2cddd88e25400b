// Package table puts the figures of an evaluation into tables, the same for the
// terminal, the report and the documents, so that each figure is written in one
// place and one way.
package table

import "hippocampus/eval/result"

// Section is one measurement: its question, its answer, and its tables.
type Section struct {
	ID       string // equivalence, cost, freshness, repair or writes
	Title    string
	Question string
	Verdict  result.Verdict
	Tables   []Table
	Notes    []string // what one must know to read them
}

// Table is figures in rows. The first column names the row.
type Table struct {
	Caption string
	Columns []Column
	Rows    [][]string // a cell for each column, as it is shown; "" where there is no figure
}

// Column is what a column holds.
type Column struct {
	Name    string // short, with its unit
	Numeric bool   // figures, aligned to the right
}
