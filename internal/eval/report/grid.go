package report

import (
	"strings"
	"unicode/utf8"
)

// grid is a table as the page sets it.
type grid struct {
	Table
	// Stack is the width of the page, one of stacks, below which a row becomes a block of its own,
	// the name of its column beside each figure, as the table would not fit.
	Stack   int
	Columns []column
	Lines   []row
}

// column is a column of a table, and how it is set: a figure, short words, which are not broken, or
// long ones, which are.
type column struct {
	Column
	Class string
}

// row is a row of a table.
type row struct {
	Last  bool // of its group
	Cells []cell
}

// cell is a figure and its column.
type cell struct {
	Column column
	Text   string
	Head   bool // it names the row
}

// stacks are the widths of a page, in pixels, below which tables of a class become blocks. The
// style sheet has rules for each.
var stacks = []int{0, 480, 720, 960, 1200}

// newGrid sets a table.
func newGrid(t Table) grid {
	g := grid{Table: t, Stack: stacks[len(stacks)-1]}
	need := 0.0
	for i, c := range t.Columns {
		class, width := set(&t, i)
		g.Columns = append(g.Columns, column{c, class})
		need += width
	}
	for _, s := range stacks {
		// A page as wide as that has so much room beside its margins; the narrowest that is thought
		// of is 320 wide.
		if need <= float64(max(s, 320)-32) {
			g.Stack = s
			break
		}
	}
	for i, cells := range t.Rows {
		r := row{Last: t.Grouped && i+1 < len(t.Rows) && first(cells) != first(t.Rows[i+1])}
		for k, text := range cells {
			if k < len(g.Columns) {
				r.Cells = append(r.Cells, cell{g.Columns[k], text, k == 0})
			}
		}
		g.Lines = append(g.Lines, r)
	}
	return g
}

// first returns the cell that names a row.
func first(cells []string) string {
	if len(cells) == 0 {
		return ""
	}
	return cells[0]
}

// set returns how a column is set, and how many pixels it needs then, about.
func set(t *Table, i int) (class string, width float64) {
	const (
		letter, small = 8.9, 7.4 // in the table and in its head; a wide font's
		padding       = 18
		short         = 26  // letters
		long          = 190 // pixels, 13.5 em
	)
	letters := 0
	for _, cells := range t.Rows {
		if i < len(cells) {
			letters = max(letters, utf8.RuneCountInString(cells[i]))
		}
	}
	for word := range strings.FieldsSeq(t.Columns[i].Name) {
		width = max(width, small*float64(utf8.RuneCountInString(word))+padding)
	}
	switch {
	case t.Columns[i].Numeric:
		return "figure", max(width, letter*float64(letters)+padding)
	case letters <= short:
		return "short", max(width, letter*float64(letters)+padding)
	}
	return "long", max(width, long)
}
