package report

import (
	"io"
	"strings"
)

// Paint colours words on a terminal. A nil function leaves them as they are, so the zero Paint is
// for a file or a terminal without colours.
type Paint struct {
	Bold, Faint, Good, Bad func(text string) string
}

func (p *Paint) with(paint func(string) string, text string) string {
	if paint == nil {
		return text
	}
	return paint(text)
}

// Terminal writes the section in lines of at most so many columns, 0 for as many as it takes. What
// is too wide does first without its spare columns, which it names, and then has its words in
// several lines; it is wider than asked for only where its figures alone are. It writes once.
func (s *Measurement) Terminal(w io.Writer, width int, p Paint) error {
	var out strings.Builder
	out.WriteString(p.with(p.Bold, s.Title) + "  " + p.with(p.Faint, s.Question) + "\n")
	mark := p.with(p.Good, "✓")
	if !s.Verdict.OK {
		mark = p.with(p.Bad, "✗")
	}
	for i, line := range wrapped(printable(s.Verdict.Text), width-2) {
		if i > 0 {
			mark = " "
		}
		out.WriteString(mark + " " + line + "\n")
	}
	faint := func(text string) {
		for _, line := range wrapped(text, width-2) {
			out.WriteString("  " + p.with(p.Faint, line) + "\n")
		}
	}
	for i := range s.Tables {
		out.WriteString("\n")
		for _, line := range wrapped(s.Tables[i].Caption, width-2) {
			out.WriteString("  " + line + "\n")
		}
		lines, without := s.Tables[i].lines(width-2, &p)
		for _, line := range lines {
			out.WriteString(strings.TrimRight("  "+line, " ") + "\n")
		}
		if len(without) > 0 {
			faint("For want of room without " + strings.Join(without, ", ") + ".")
		}
	}
	if len(s.Notes) > 0 {
		out.WriteString("\n")
	}
	for _, note := range s.Notes {
		faint(note)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

const gap = 2 // columns between two columns of a table

// lines lays the table out, and names the columns that it has no room for.
func (t *Table) lines(width int, p *Paint) (lines, without []string) {
	l := layout{}
	for i, column := range t.Columns {
		if t.Grouped && i == 0 {
			continue // a line above its rows
		}
		l.add(t, i, column)
	}
	without = l.fit(width)
	for _, line := range l.row(func(c *placed) []string { return bottom(c.header, l.headers()) }) {
		lines = append(lines, p.with(p.Faint, line))
	}
	for i, row := range t.Rows {
		if t.Grouped && (i == 0 || row[0] != t.Rows[i-1][0]) {
			for _, line := range broken(t.group(row[0]), width) {
				lines = append(lines, p.with(p.Bold, line))
			}
		}
		lines = append(lines, l.row(func(c *placed) []string { return broken(row[c.index], c.width) })...)
	}
	return lines, without
}

// group is the line above the rows that have this first cell.
func (t *Table) group(cell string) string {
	if t.Columns[0].Numeric {
		return cell + " " + t.Columns[0].Name
	}
	return cell
}
