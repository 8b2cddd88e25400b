package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"hippocampus/index"
	"hippocampus/internal/figure"
	"hippocampus/memory"
	"hippocampus/repair"
)

// examination is what is known of a check besides its report.
type examination struct {
	collection string
	schema     memory.Schema
	horizon    time.Duration
	documents  int    // of the index, as counted
	counting   int    // reads that the counting cost
	repair     string // the command that repairs this collection
}

// diagnosis is what doctor finds of one collection: the figures, and the checks
// that judge them.
type diagnosis struct {
	Collection string        `json:"collection"`
	At         time.Time     `json:"at"` // server time of the reading
	Memories   int           `json:"memories"`
	Reads      int           `json:"reads"`
	Index      indexFigures  `json:"index"`
	Drift      *repair.Drift `json:"drift,omitempty"` // absent if the index cannot be read
	ForeignIDs int           `json:"foreign_ids"`     // ids that are not the id of any name
	Twins      int           `json:"twins"`           // groups of names that are equal after NFC
	Undated    int           `json:"undated"`         // memories whose date field is no timestamp
	Checks     []check       `json:"checks"`
}

const (
	// documentLimit is Firestore's.
	documentLimit = 1 << 20
	// lateAfter is how long a repair may be due before a night must have been
	// missed: it is due 20 hours after the last scan and runs every 24.
	lateAfter = 12 * time.Hour
	// requestAfter is how long a request may wait before its event must have
	// been lost.
	requestAfter = 15 * time.Minute
)

// examine judges what was read.
func examine(report *repair.Report, x *examination) *diagnosis {
	d := &diagnosis{
		Collection: x.collection,
		At:         report.At.Time(),
		Memories:   len(report.Store),
		Reads:      report.Reads + x.counting,
		Index:      figuresOf(report.View, x.collection),
		Drift:      report.Drift,
		Undated:    len(report.Undated),
	}
	d.Checks = append(d.Checks, d.checkIndex(report.View, x))
	if report.View.Err == nil {
		d.Checks = append(d.Checks, d.checkDrift(x), d.checkInFlight(x),
			d.checkBase(x), d.checkShards(report.View, x), d.checkRepair(report.View.Meta, x))
	}
	if d.Index.Request != "" {
		d.Checks = append(d.Checks, d.checkRequest(report.View, x))
	}
	return d.examineMemories(report, x)
}

// checkIndex says whether the list can be read from the index at all.
func (d *diagnosis) checkIndex(view *index.View, x *examination) check {
	c := check{Name: "index"}
	err := view.Err
	switch {
	case err == nil:
		c.Summary = fmt.Sprintf("sound: generation %d, %s", d.Index.Generation,
			figure.Plural(x.documents, "document", "documents"))
		return c
	case errors.Is(err, index.ErrMissing) && d.Memories == 0:
		c.Grade, c.Summary = warning, "missing, and there are no memories either"
		c.Next = "Is the name right? A tenant's index is built with its first memories, on its first turn."
		return c
	}
	c.Grade, c.Summary = failure, err.Error()
	c.Details = []string{
		fmt.Sprintf("Until it is built, every turn scans the collection: %s each.",
			figure.Plural(max(1, d.Memories), "read", "reads")),
		"There is no list to compare with the memories, so nothing is known of drift.",
	}
	c.Next = x.repair
	if errors.Is(err, index.ErrSettings) {
		c.Next = "Set HIPPO_IDS and HIPPO_DATE_FIELD (or --ids and --date-field) as the functions and the readers have them. If these are right: " + x.repair
	}
	return c
}

func (d *diagnosis) checkDrift(x *examination) check {
	c := check{Name: "drift", Summary: fmt.Sprintf("none: the index lists the %s of the store",
		figure.Plural(d.Memories, "memory", "memories"))}
	switch {
	case d.Drift.Total() > 0:
		c.Grade = failure
		c.Summary = fmt.Sprintf("%s: %d missing, %d ghosts, %d stale",
			figure.Plural(d.Drift.Total(), "memory", "memories"), d.Drift.Missing, d.Drift.Ghosts,
			d.Drift.Stale)
		c.Details = differences(d.Drift, false)
		c.Next = x.repair + "   (and see that the write hook is deployed on this collection, with --retry)"
	case d.Drift.InFlight > 0:
		c.Summary = "none but what may be in flight"
	}
	return c
}

func (d *diagnosis) checkInFlight(x *examination) check {
	c := check{Name: "in flight", Summary: "nothing"}
	if d.Drift.InFlight > 0 {
		c.Grade = warning
		c.Summary = fmt.Sprintf("%s younger than %s: too young to tell from drift",
			figure.Plural(d.Drift.InFlight, "difference", "differences"), age(x.horizon))
		c.Details = differences(d.Drift, true)
		c.Next = "Look again in a while; or call all of it drift: hippo doctor --horizon 0"
	}
	return c
}

// differences shows the examples of a drift, a line each.
func differences(drift *repair.Drift, inFlight bool) []string {
	var lines []string
	shown := map[string]int{}
	for _, e := range drift.Examples {
		if e.InFlight != inFlight {
			continue
		}
		shown[e.Kind]++
		line := fmt.Sprintf("%-7s  %s", e.Kind, show(e.Name))
		switch e.Kind {
		case repair.Missing:
			line += "  stored with date " + moment(e.Store.Time()) + ", not listed"
		case repair.Ghost:
			line += "  listed with date " + moment(e.Index.Time()) + ", not stored"
		case repair.Stale:
			line += "  listed with date " + moment(e.Index.Time()) + ", stored with " + moment(e.Store.Time())
		}
		lines = append(lines, line)
	}
	counts := map[string]int{repair.Missing: drift.Missing, repair.Ghost: drift.Ghosts,
		repair.Stale: drift.Stale}
	if inFlight {
		if more := drift.InFlight - len(lines); more > 0 {
			lines = append(lines, fmt.Sprintf("… and %s more", figure.Count(more)))
		}
		return lines
	}
	for _, kind := range []string{repair.Missing, repair.Ghost, repair.Stale} {
		if more := counts[kind] - shown[kind]; more > 0 {
			lines = append(lines, fmt.Sprintf("… and %s more %s", figure.Count(more), kind))
		}
	}
	return lines
}

func (d *diagnosis) checkBase(x *examination) check {
	f := d.Index
	c := check{Name: "base", Summary: fmt.Sprintf("%s in %s, %s",
		figure.Plural(f.Listed, "memory", "memories"), figure.Plural(f.Parts, "part", "parts"),
		size(f.BaseBytes))}
	if f.Listed > 0 {
		c.Summary += fmt.Sprintf(", %.1f bytes a memory", f.BytesAMemory)
	}
	if len(f.Leftover) > 0 {
		c.Grade = warning
		c.Summary += "; " + figure.Plural(len(f.Leftover), "part of another run is",
			"parts of other runs are") + " left over"
		c.Details = append(few(f.Leftover),
			"Each costs every turn a read, and changes no list. A repair that is running now may own them.")
		c.Next = x.repair
	}
	return c
}

func (d *diagnosis) checkShards(view *index.View, x *examination) check {
	c := check{Name: "shards", Summary: "none: nothing has changed since the last fold"}
	if len(d.Index.Shards) == 0 {
		return c
	}
	var biggest shardFigure
	entries, bytes := 0, 0
	for _, s := range d.Index.Shards {
		entries += s.Entries
		bytes += s.Bytes
		if s.Bytes >= biggest.Bytes {
			biggest = s
		}
		c.Details = append(c.Details, fmt.Sprintf("%s: %s, %s", s.ID,
			figure.Plural(s.Entries, "entry", "entries"), size(s.Bytes)))
	}
	c.Summary = fmt.Sprintf("%s in %s, %s; the fullest is at %.1f %% of 1 MiB",
		figure.Plural(entries, "entry", "entries"), figure.Plural(len(d.Index.Shards), "shard",
			"shards"), size(bytes), 100*float64(biggest.Bytes)/documentLimit)
	if view.Crowded() {
		c.Grade = warning
		c.Summary = "crowded: " + c.Summary
		c.Next = x.repair + " --compact   (turns ask for that by themselves: see that the function OnRequest is deployed)"
	}
	return c
}

// checkRepair says how old the last runs are, by the server's time only.
func (d *diagnosis) checkRepair(meta *index.Meta, x *examination) check {
	f := d.Index
	c := check{Name: "repair", Summary: fmt.Sprintf("the store was scanned %s ago",
		age(d.At.Sub(f.ScanStarted)))}
	if f.LastRun == index.Compaction {
		c.Summary += fmt.Sprintf(", the last compaction was %s ago", age(d.At.Sub(f.AsOf)))
	}
	if found := meta.Last.Missing + meta.Last.Ghosts + meta.Last.Stale; found > 0 {
		c.Summary += "; it mended " + figure.Plural(found, "memory", "memories")
	}
	late := d.At.Sub(f.Due)
	switch {
	case late <= 0:
		c.Summary += fmt.Sprintf("; due in %s", age(-late))
	case late <= lateAfter:
		c.Summary += fmt.Sprintf("; due since %s, the next night's run does it", age(late))
	default:
		c.Grade = warning
		c.Summary += fmt.Sprintf("; overdue by %s", age(late))
		c.Next = x.repair + "   (and see that the scheduler's job runs: gcloud scheduler jobs list)"
	}
	return c
}

func (d *diagnosis) checkRequest(view *index.View, x *examination) check {
	request := index.ParseRequest(view.Request.Fields)
	asked := d.Index.RequestDue
	if asked.IsZero() {
		asked = view.Request.UpdateTime
	}
	since := d.At.Sub(asked)
	c := check{Name: "request", Summary: fmt.Sprintf("a %s was asked for %s ago", request.Kind,
		age(since))}
	if request.Reason != "" {
		c.Summary += ", because: " + show(request.Reason)
	}
	if since > requestAfter {
		c.Grade = warning
		c.Details = []string{"Its event was lost, or the function OnRequest is not deployed. The next scheduled run does it."}
		c.Next = x.repair
		if request.Kind == index.Compaction {
			c.Next += " --compact"
		}
	}
	return c
}

// moment writes a time.
func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 MST") }

// age writes a duration in its two largest units.
func age(d time.Duration) string {
	switch {
	case d < time.Second:
		return "less than a second"
	case d < time.Minute:
		return figure.Plural(int(d/time.Second), "second", "seconds")
	case d < time.Hour:
		return figure.Plural(int(d/time.Minute), "minute", "minutes")
	case d < 48*time.Hour:
		return strings.TrimSuffix(fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute),
			" 0 min")
	}
	return figure.Plural(int(d/(24*time.Hour)), "day", "days")
}
