package report

import "strings"

// Markdown returns the table as GitHub's Markdown has tables, without its caption. A row has one
// line.
func (t *Table) Markdown() string {
	var out strings.Builder
	names, rules := make([]string, len(t.Columns)), make([]string, len(t.Columns))
	for i, column := range t.Columns {
		names[i], rules[i] = column.Name, "---"
		if column.Numeric {
			rules[i] = "--:"
		}
	}
	line := func(cells []string) {
		out.WriteString("|")
		for _, cell := range cells {
			if cell != "" {
				cell = " " + cell
			}
			out.WriteString(cell + " |")
		}
		out.WriteString("\n")
	}
	line(escaped(names))
	out.WriteString("|" + strings.Join(rules, "|") + "|\n")
	for i, row := range t.Rows {
		cells := escaped(row)
		if t.Grouped && i > 0 && row[0] == t.Rows[i-1][0] {
			cells[0] = ""
		}
		line(cells)
	}
	return out.String()
}

// escaped returns the cells so that Markdown shows them as they are.
func escaped(cells []string) []string {
	all := make([]string, len(cells))
	for i, cell := range cells {
		all[i] = markdown.Replace(cell)
	}
	return all
}

// markdown escapes what would end a cell, or be taken for a mark or for HTML within one.
var markdown = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "~", `\~`, "<",
	"&lt;", ">", "&gt;", "&", "&amp;",
	"\r", " ", "\n", " ",
)
