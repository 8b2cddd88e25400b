package report

import (
	"slices"
	"strings"

	"github.com/rivo/uniseg"
)

// narrowest is how narrow a column of words becomes before its table is wider than asked for.
const narrowest = 8

// layout is a table's columns as they are placed on a terminal.
type layout struct{ columns []placed }

type placed struct {
	Column
	index  int      // in the table
	width  int      // as wide as its cells, and as a name of two lines needs
	least  int      // as wide as its cells, and as the longest word of its name
	header []string // its name, in lines
}

// add places a column of the table.
func (l *layout) add(t *Table, index int, column Column) {
	c := placed{Column: column, index: index}
	for _, row := range t.Rows {
		c.least = max(c.least, uniseg.StringWidth(row[index]))
	}
	for word := range strings.FieldsSeq(column.Name) {
		c.least = max(c.least, uniseg.StringWidth(word))
	}
	width := c.least
	for len(wrapped(column.Name, width)) > 2 {
		width++
	}
	c.set(width)
	l.columns = append(l.columns, c)
}

func (c *placed) set(width int) {
	c.width, c.header = width, wrapped(c.Name, width)
}

// fit makes the layout so narrow, if that can be, and names the columns left out.
func (l *layout) fit(width int) (without []string) {
	if width <= 0 {
		return nil
	}
	for l.width() > width {
		i := l.most(func(c *placed) int { return c.width - c.least })
		if i < 0 {
			break
		}
		l.columns[i].set(l.columns[i].least)
	}
	for l.width() > width {
		i := l.most(func(c *placed) int { return c.Spare })
		if i < 0 {
			break
		}
		without = append(without, l.columns[i].Name)
		l.columns = slices.Delete(l.columns, i, i+1)
	}
	for l.width() > width {
		i := l.most(func(c *placed) int {
			if c.Numeric {
				return 0
			}
			return max(0, c.width-narrowest)
		})
		if i < 0 {
			break
		}
		c := &l.columns[i]
		c.set(max(narrowest, c.width-(l.width()-width)))
	}
	return without
}

// most returns the column with the highest measure, the last of equals, or -1 if no measure is
// above 0.
func (l *layout) most(measure func(*placed) int) int {
	found, highest := -1, 1
	for i := range l.columns {
		if m := measure(&l.columns[i]); m >= highest {
			found, highest = i, m
		}
	}
	return found
}

func (l *layout) width() int {
	sum := max(0, len(l.columns)-1) * gap
	for i := range l.columns {
		sum += l.columns[i].width
	}
	return sum
}

// headers is how many lines the names of the columns take.
func (l *layout) headers() int {
	most := 0
	for i := range l.columns {
		most = max(most, len(l.columns[i].header))
	}
	return most
}

// row puts the cells of a row beside each other, in as many lines as the highest has.
func (l *layout) row(cell func(*placed) []string) []string {
	cells, height := make([][]string, len(l.columns)), 0
	for i := range l.columns {
		cells[i] = cell(&l.columns[i])
		height = max(height, len(cells[i]))
	}
	lines := make([]string, height)
	for n := range lines {
		var line strings.Builder
		for i := range l.columns {
			text := ""
			if n < len(cells[i]) {
				text = cells[i][n]
			}
			if i > 0 {
				line.WriteString(strings.Repeat(" ", gap))
			}
			space := strings.Repeat(" ", max(0, l.columns[i].width-uniseg.StringWidth(text)))
			if l.columns[i].Numeric {
				text = space + text
			} else {
				text += space
			}
			line.WriteString(text)
		}
		lines[n] = strings.TrimRight(line.String(), " ")
	}
	return lines
}

// bottom puts empty lines above, so that there are so many.
func bottom(lines []string, height int) []string {
	return append(make([]string, max(0, height-len(lines))), lines...)
}

// wrapped breaks a text between words into lines of so many columns; a longer word has a line of
// its own, and a width of 0 or less is none.
func wrapped(text string, width int) []string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil
	}
	lines := words[:1:1]
	for _, word := range words[1:] {
		last := &lines[len(lines)-1]
		if width > 0 && uniseg.StringWidth(*last)+1+uniseg.StringWidth(word) > width {
			lines = append(lines, word)
		} else {
			*last += " " + word
		}
	}
	return lines
}

// broken breaks a text into lines of so many columns, after a slash or a space if there is one, but
// never within a character; a width of 0 or less is none.
func broken(text string, width int) []string {
	var lines []string
	line, used := "", 0
	for state, rest := -1, text; rest != ""; {
		var cluster string
		var columns int
		cluster, rest, columns, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if width > 0 && used > 0 && used+columns > width {
			cut := strings.LastIndexAny(line, "/ ") + 1
			if cut == 0 {
				cut = len(line)
			}
			lines = append(lines, line[:cut])
			line = line[cut:]
			used = uniseg.StringWidth(line)
		}
		line, used = line+cluster, used+columns
	}
	return append(lines, line)
}
