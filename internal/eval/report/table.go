package report

import "hippocampus/internal/eval/result"

// Measurement is one measurement: its question, its answer, and its tables.
type Measurement struct {
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
	// Grouped: rows that follow each other and have the same first cell belong together.
	Grouped bool
}

// Column is what a column holds.
type Column struct {
	Name    string // short, with its unit
	Numeric bool   // figures, aligned to the right
	// Spare says how soon a terminal that is too narrow does without: those with the highest number
	// first, those with 0 never.
	Spare int
}

// Measurements returns the measurements that were made, in the order of the document.
func Measurements(r *result.Results) []Measurement {
	var all []Measurement
	if r.Equivalence != nil {
		all = append(all, equivalence(r.Equivalence))
	}
	if r.Cost != nil {
		all = append(all, cost(r.Cost))
	}
	if r.Freshness != nil {
		all = append(all, freshness(r.Freshness))
	}
	if r.Repair != nil {
		all = append(all, repair(r.Repair))
	}
	if r.Writes != nil {
		all = append(all, writes(r.Writes))
	}
	return all
}

// words is a column of words, figures one of figures, and spare one of figures that a narrow
// terminal does without.
func words(name string) Column            { return Column{Name: name} }
func figures(name string) Column          { return Column{Name: name, Numeric: true} }
func spare(order int, name string) Column { return Column{Name: name, Numeric: true, Spare: order} }
