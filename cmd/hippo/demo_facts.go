package main

import (
	"fmt"
	"strings"

	"hippocampus/internal/figure"
	"hippocampus/reader"
	"hippocampus/repair"
)

// demoFacts is all that a demo has found out, and what --json prints.
type demoFacts struct {
	Emulator  string         `json:"emulator"` // embedded or official
	StartMS   int64          `json:"start_ms"` // until everything ran
	Import    demoImport     `json:"import"`
	FirstTurn reader.Receipt `json:"first_turn"` // before there was an index
	Turn      demoTurn       `json:"turn"`
	Turns     int            `json:"turns_measured"` // each cost is the median of so many
	Costs     []cost         `json:"costs"`
	Followed  []followed     `json:"followed"`
	Lost      demoLost       `json:"lost"`
	Repaired  demoRepaired   `json:"repaired"`
	TookMS    int64          `json:"took_ms"`
}

type demoImport struct {
	Folder   string    `json:"folder"`
	Memories int       `json:"memories"`
	Refused  []badNote `json:"refused"`
	MS       int64     `json:"ms"` // until all events were delivered
}

type demoTurn struct {
	Text    string         `json:"text"` // for the prompt
	Receipt reader.Receipt `json:"receipt"`
}

// followed is one change, and what the list made of it.
type followed struct {
	What          string `json:"what"`
	Name          string `json:"name"`
	Before        int    `json:"place_before"` // in the list, from 1; 0: not listed
	After         int    `json:"place_after"`
	Count         int    `json:"count"`          // of the list afterwards
	DocumentsRead int    `json:"documents_read"` // by the turn afterwards
	MS            int64  `json:"ms"`             // from the change to its event's delivery
}

type demoLost struct {
	Events int           `json:"events"`
	Drift  *repair.Drift `json:"drift"`
}

type demoRepaired struct {
	Memories   int            `json:"memories"`
	Reads      int            `json:"reads"`
	Writes     int            `json:"writes"`
	MS         int64          `json:"ms"`
	Drift      *repair.Drift  `json:"drift"` // afterwards
	EqualsScan bool           `json:"equals_scan"`
	Receipt    reader.Receipt `json:"receipt"`
}

// demoPrinter shows the facts to people, step by step.
type demoPrinter struct {
	env   *environment
	style style
	facts *demoFacts
}

func (p *demoPrinter) heading(format string, args ...any) {
	p.env.printf("\n%s\n", p.style.bold(fmt.Sprintf(format, args...)))
}

func (p *demoPrinter) imported() {
	i := &p.facts.Import
	p.heading("1. %d notes of %s are memories now", i.Memories, i.Folder)
	for _, bad := range i.Refused {
		p.env.printf("   %s\n", p.style.bad("refused "+bad.File+": "+bad.Reason))
	}
	p.env.printf("   written, and their events delivered to the write hook, in %d ms\n", i.MS)
}

func (p *demoPrinter) firstTurn() {
	r := &p.facts.FirstTurn
	p.env.printf("   the very first turn found no index: it listed by a scan (%d documents read) and asked for one (%s)\n", r.DocumentsRead, r.Request)
}

func (p *demoPrinter) turn() {
	p.heading("2. What the agent's prompt is given, every turn")
	for line := range strings.Lines(p.facts.Turn.Text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "":
			p.env.printf("\n")
		case strings.HasPrefix(line, "## "):
			p.env.printf("   %s\n", p.style.bold(line))
		default:
			p.env.printf("   %s\n", line)
		}
	}
	p.heading("3. Its receipt")
	r := &p.facts.Turn.Receipt
	p.env.printf("   %d memories from the %s, %s, as of %s\n", r.Count, r.Source,
		p.complete(r.Complete), r.AsOf.Format("15:04:05.000 UTC"))
	p.env.printf("   documents read %d, hash %s\n", r.DocumentsRead, r.Hash)
}

func (p *demoPrinter) complete(complete bool) string {
	if complete {
		return p.style.good("complete")
	}
	return p.style.bad("NOT complete")
}

func (p *demoPrinter) costs() {
	p.heading("4. What that turn costs")
	p.env.printf("   %-16s %15s %10s %8s\n", "", "documents read", "bytes", "ms")
	for _, c := range p.facts.Costs {
		p.env.printf("   %-16s %15s %10s %8.1f\n", c.Way, figure.Count(c.Documents),
			figure.Count(int(c.Bytes)), c.MS)
	}
	p.env.printf("   %s\n", p.style.faint(fmt.Sprintf("measured now on the emulator, the median of %d turns each; bytes as they came over the wire", p.facts.Turns)))
}

func (p *demoPrinter) followed() {
	p.heading("5. The list follows the store")
	for _, f := range p.facts.Followed {
		p.env.printf("   %-8s %-40s %s → %s; %s read %s\n", f.What, reader.Escape(f.Name),
			place(f.Before), place(f.After),
			figure.Plural(f.DocumentsRead, "document",
				"documents"), p.style.faint(fmt.Sprintf("(%d ms)", f.MS)))
	}
}

func place(n int) string {
	if n == 0 {
		return "not listed"
	}
	return fmt.Sprintf("number %d", n)
}

func (p *demoPrinter) lost() {
	l := &p.facts.Lost
	p.heading("6. %d events are lost, on purpose: the index drifts", l.Events)
	p.drift(l.Drift)
}

func (p *demoPrinter) drift(d *repair.Drift) {
	text := strings.ReplaceAll(describeDrift(d), "\n", "\n   ")
	if d.Total() == 0 {
		p.env.printf("   %s\n", p.style.good(text))
		return
	}
	p.env.printf("   %s\n", p.style.bad(text))
}

func (p *demoPrinter) repaired() {
	r := &p.facts.Repaired
	p.heading("7. The nightly repair, now")
	p.env.printf("   scanned %d memories: %s, %s, %d ms\n", r.Memories,
		figure.Plural(r.Reads, "read", "reads"), figure.Plural(r.Writes, "write", "writes"), r.MS)
	p.drift(r.Drift)
	p.env.printf("   the list equals a scan of the store: %d memories, %s read\n", r.Receipt.Count,
		figure.Plural(r.Receipt.DocumentsRead, "document", "documents"))
}

func (p *demoPrinter) end() {
	p.env.printf("\n%s\n", p.style.faint(fmt.Sprintf("%.1f seconds; nothing is left running. Next: hippo dev", float64(p.facts.TookMS)/1000)))
}
