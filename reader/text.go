package reader

import (
	"strconv"
	"strings"
)

// Section is a part of a list's text.
type Section struct {
	// Title stands above the section, as it is. By default it is Prefix or, if
	// that is empty too, "Memories".
	Title string
	// Prefix says which memories are in the section: those whose names begin
	// with it. A memory is in one section only: that of the longest prefix, and
	// the first of equal ones. So an empty Prefix takes what no other takes.
	Prefix string
	// Cap is how many memories are shown at most. 0 shows all.
	Cap int
	// Dates puts the day of a memory's date, in UTC, before its name.
	Dates bool
}

// DefaultSections returns the sections of a text that is given none.
func DefaultSections() []Section {
	return []Section{
		{Title: "Pages", Prefix: "pages/", Cap: 120},
		{Title: "Notebook", Prefix: "notebook/", Cap: 60},
		{Title: "Sources", Prefix: "sources/", Cap: 40},
		{Title: "Other", Cap: 60},
	}
}

// Text returns the list as text for a prompt: a section at a time, in the order
// given, and in it the newest memories, a name a line. Nil means
// DefaultSections.
//
//	## Pages
//	- pages/Second Location
//	- pages/Opening hours
//	… and 37 more
//
//	## Sources
//	(none)
//
//	(12 more memories are in no section)
//
// Every line of a memory, and no other, begins with "- ", and what follows is
// its name by Escape, after the day and a space in a section with Dates. So no
// name can forge a line or a section. The text depends on nothing but the
// entries and the sections: the same list gives the same bytes.
func (l *List) Text(sections []Section) string {
	if sections == nil {
		sections = DefaultSections()
	}
	bodies := make([]strings.Builder, len(sections))
	counts := make([]int, len(sections))
	outside := 0
	for _, e := range l.Entries {
		i := sectionOf(e.Name, sections)
		if i < 0 {
			outside++
			continue
		}
		counts[i]++
		if sections[i].Cap > 0 && counts[i] > sections[i].Cap {
			continue
		}
		bodies[i].WriteString("- ")
		if sections[i].Dates {
			bodies[i].WriteString(e.Date.Time().Format("2006-01-02 "))
		}
		bodies[i].WriteString(Escape(e.Name))
		bodies[i].WriteByte('\n')
	}

	var b strings.Builder
	for i, s := range sections {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("## " + s.title() + "\n")
		b.WriteString(bodies[i].String())
		if more := counts[i] - s.Cap; s.Cap > 0 && more > 0 {
			b.WriteString("… and " + strconv.Itoa(more) + " more\n")
		}
		if counts[i] == 0 {
			b.WriteString("(none)\n")
		}
	}
	if outside > 0 {
		if len(sections) > 0 {
			b.WriteByte('\n')
		}
		what := " more memories are"
		if outside == 1 {
			what = " more memory is"
		}
		b.WriteString("(" + strconv.Itoa(outside) + what + " in no section)\n")
	}
	return b.String()
}

func (s Section) title() string {
	switch {
	case s.Title != "":
		return s.Title
	case s.Prefix != "":
		return s.Prefix
	}
	return "Memories"
}

// sectionOf returns the index of the section that a memory is in, or -1.
func sectionOf(name string, sections []Section) int {
	best := -1
	for i, s := range sections {
		if strings.HasPrefix(name, s.Prefix) &&
			(best < 0 || len(s.Prefix) > len(sections[best].Prefix)) {
			best = i
		}
	}
	return best
}
