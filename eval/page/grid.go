package page

import (
	"math"
	"strings"
	"unicode/utf8"

	"hippocampus/eval/table"
)

// grid is a table as the page sets it.
type grid struct {
	table.Table
	// Stack is the width of the page, one of stacks, below which a row becomes a block of its own, the name of its column
	// beside each figure, as the table would not fit.
	Stack int
	Lines []row
}

// row is a row of a table.
type row struct {
	First bool // of its group
	Cells []cell
}

// cell is a figure and its column.
type cell struct {
	Column table.Column
	Text   string
	Head   bool // it names the row
}

// stacks are the widths of a page, in pixels, below which tables of a class become blocks. The style sheet has rules for each.
var stacks = []int{0, 480, 720, 960, 1200}

// newGrid sets a table.
func newGrid(t table.Table) grid {
	g := grid{Table: t, Stack: stacks[len(stacks)-1]}
	need := width(&t)
	for _, s := range stacks {
		// A page as wide as that has so much room beside its margins; the narrowest that is thought of is 320 wide.
		if need <= float64(max(s, 320)-40) {
			g.Stack = s
			break
		}
	}
	for i, cells := range t.Rows {
		r := row{First: t.Grouped && i > 0 && len(cells) > 0 && (len(t.Rows[i-1]) == 0 || t.Rows[i-1][0] != cells[0])}
		for k, text := range cells {
			if k < len(t.Columns) {
				r.Cells = append(r.Cells, cell{t.Columns[k], text, k == 0})
			}
		}
		g.Lines = append(g.Lines, r)
	}
	return g
}

// width returns about how many pixels a table needs: figures are not broken, words are.
func width(t *table.Table) float64 {
	const letter, padding, words = 8.2, 18, 28
	total := 0.0
	for i, c := range t.Columns {
		letters := 0
		for word := range strings.FieldsSeq(c.Name) {
			letters = max(letters, utf8.RuneCountInString(word))
		}
		for _, cells := range t.Rows {
			if i < len(cells) {
				n := utf8.RuneCountInString(cells[i])
				if !c.Numeric {
					n = min(n, words)
				}
				letters = max(letters, n)
			}
		}
		total += math.Ceil(float64(letters)*letter) + padding
	}
	return total
}
