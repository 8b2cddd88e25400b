package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"hippocampus/index"
	"hippocampus/internal/figure"
	"hippocampus/memory"
	"hippocampus/reader"
	"hippocampus/repair"
)

// examineMemories adds what is odd about the memories themselves: ids, names,
// dates. All of them are listed nevertheless.
func (d *diagnosis) examineMemories(report *repair.Report, x *examination) *diagnosis {
	d.Checks = append(d.Checks, d.checkIDs(report.Store, x), d.checkNames(report.Store),
		d.checkDates(report.Undated, x))
	return d
}

// checkIDs looks for documents whose id is not that of any name.
func (d *diagnosis) checkIDs(store []index.Entry, x *examination) check {
	c := check{Name: "ids", Summary: "every id is that of a name"}
	var foreign []string
	for _, e := range store {
		if _, err := x.schema.IDs.Name(e.ID()); err != nil {
			line := show(e.ID())
			if len(e.ID()) > memory.MaxIDBytes {
				line += "  too long for a shard: only a repair notices its changes"
			}
			foreign = append(foreign, line)
		}
	}
	d.ForeignIDs = len(foreign)
	if len(foreign) == 0 {
		return c
	}
	c.Grade = warning
	c.Summary = figure.Plural(len(foreign), "document has an id that is",
		"documents have ids that are") + " not the id of a name"
	c.Details = few(foreign)
	c.Next = "They are listed under their ids, but cannot be opened by a name."
	if x.schema.IDs == memory.Base64URL {
		c.Next += " Write memories with \"hippo put\" or memory.Store; if the ids are meant to be the names, set HIPPO_IDS=plain."
	}
	return c
}

// checkNames looks for names that look alike: equal after NFC, though not the
// same bytes. Two documents may even have one name, if the id of one of them is
// that name as it stands.
func (d *diagnosis) checkNames(store []index.Entry) check {
	c := check{Name: "names", Summary: "no two are equal after NFC"}
	alike := make(map[string][]string, len(store))
	for _, e := range store {
		normal := norm.NFC.String(e.Name)
		alike[normal] = append(alike[normal], showBytes(e))
	}
	var twins []string
	for _, names := range alike {
		if len(names) > 1 {
			slices.Sort(names)
			twins = append(twins, strings.Join(names, "  and  "))
		}
	}
	slices.Sort(twins)
	d.Twins = len(twins)
	if len(twins) == 0 {
		return c
	}
	c.Grade = warning
	c.Summary = figure.Plural(len(twins), "name is",
		"names are") + " shared by several memories but for the way letters are composed"
	c.Details = few(twins)
	c.Next = "They look the same in the list and are different memories. If they are meant to be one, merge them: hippo open, hippo put, hippo rm."
	return c
}

// checkDates looks for memories without a date of their own.
func (d *diagnosis) checkDates(undated []index.Entry, x *examination) check {
	c := check{Name: "dates", Summary: "every memory has a timestamp in " + x.schema.Field()}
	if len(undated) == 0 {
		return c
	}
	var lines []string
	for _, e := range undated {
		lines = append(lines, fmt.Sprintf("%s  dated %s by its last change", show(e.Name),
			moment(e.Date.Time())))
	}
	c.Grade = warning
	c.Summary = fmt.Sprintf("%s no timestamp in %s",
		figure.Plural(len(undated), "memory has", "memories have"), x.schema.Field())
	c.Details = few(lines)
	c.Next = "They are listed by the time of their last change. If all are undated, --date-field or HIPPO_DATE_FIELD names the wrong field."
	return c
}

// show writes a name or an id so that it cannot break a line, and not too long.
func show(name string) string {
	const most = 120
	escaped := []rune(reader.Escape(name))
	if len(escaped) > most {
		return string(escaped[:most]) + "…"
	}
	return string(escaped)
}

// showBytes writes a name so that names that look alike do not.
func showBytes(e index.Entry) string {
	s := show(e.Name)
	if strings.ContainsFunc(e.Name, func(r rune) bool { return r > unicode.MaxASCII }) {
		s = strconv.QuoteToASCII(e.Name)
	}
	if e.RawID {
		s += " (the id as it stands)"
	}
	return s
}
