// Package rules finds out whether security rules open an index to clients. It tries everything that
// a client can do in the official emulator, which evaluates rules, and reads them for matches that
// cover an index whatever their conditions let through.
package rules

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hippocampus/emulator/official"
	"hippocampus/index"
)

// everythingOpen are rules that refuse nothing. The probe must get through them,
// or it would call any rules closed.
const everythingOpen = `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /{document=**} { allow read, write: if true; }
  }
}`

// Report is what was tried, and what was found.
type Report struct {
	Documents  []string  `json:"documents"` // of an index
	Clients    []string  `json:"clients"`
	Operations []string  `json:"operations"`
	Tried      int       `json:"tried"`
	Open       []Attempt `json:"open"` // what got through
	Matches    []Match   `json:"matches"`
	Unread     error     `json:"-"` // why the matches are not all there
}

// Progress is told how a trial goes; its functions may be nil.
type Progress struct {
	// Begin is called with the report, in which is what will be tried, and the number of attempts.
	Begin func(r *Report, attempts int)
	// Tried is called after each attempt.
	Tried func()
}

// Try tries rules on the index of a memory collection, in an emulator's project that is the
// caller's own. Before that it requires that every operation gets through rules which open
// everything: one that does not would be refused by any rules, and show nothing.
func Try(ctx context.Context, em *official.Emulator, rules, collection string,
	told Progress) (*Report, error) {
	actors, closeAll, err := actors(ctx, em, collection)
	if err != nil {
		return nil, err
	}
	defer closeAll()
	owner, err := em.Client(ctx)
	if err != nil {
		return nil, err
	}
	defer owner.Close()
	path, err := index.Path(collection)
	if err != nil {
		return nil, err
	}
	tried := told.Tried
	if tried == nil {
		tried = func() {}
	}
	p := &probe{owner: owner, index: path, docs: indexDocuments(), tried: tried}
	control := &probe{owner: owner, index: path, docs: p.docs[:1], tried: tried}
	r := newReport(p, actors)
	if told.Begin != nil {
		told.Begin(r, control.count(1)+r.Tried)
	}
	if err := r.tryControl(ctx, em, control, actors[:1]); err != nil {
		return nil, err
	}
	if err := em.LoadRules(ctx, rules); err != nil {
		return nil, err
	}
	open, err := p.run(ctx, actors)
	if err != nil {
		return nil, err
	}
	r.Open = append(r.Open, open...)
	matches, err := Matches(rules)
	r.Matches, r.Unread = append(r.Matches, matches...), err
	return r, nil
}

func newReport(p *probe, actors []actor) *Report {
	r := &Report{Tried: p.count(len(actors)), Open: []Attempt{}, Matches: []Match{}}
	for _, doc := range p.docs {
		r.Documents = append(r.Documents, doc.ID)
	}
	for _, a := range actors {
		r.Clients = append(r.Clients, a.name)
	}
	for _, op := range slices.Concat(collectionOperations, documentOperations) {
		r.Operations = append(r.Operations, op.name)
	}
	return r
}

// tryControl requires that every operation gets through rules that open everything.
func (r *Report) tryControl(ctx context.Context, em *official.Emulator, control *probe,
	actors []actor) error {
	if err := em.LoadRules(ctx, everythingOpen); err != nil {
		return err
	}
	open, err := control.run(ctx, actors)
	if err != nil {
		return err
	}
	var through, refused []string
	for _, a := range open {
		through = append(through, a.Operation)
	}
	for _, op := range r.Operations {
		if !slices.Contains(through, op) {
			refused = append(refused, op)
		}
	}
	if len(refused) > 0 {
		return fmt.Errorf("this emulator refuses even with rules that open everything: %s; so it cannot show what rules do: use the official one of a current Google Cloud CLI", strings.Join(refused, ", "))
	}
	return nil
}

// OpenTo says what a client got through to: a line for all operations that did
// on the same documents.
func (r *Report) OpenTo(client string) []string {
	var lines []string
	operations := map[string][]string{} // by documents
	for _, op := range r.Operations {
		var documents []string
		for _, a := range r.Open {
			if a.Client == client && a.Operation == op {
				documents = append(documents, a.Document)
			}
		}
		on := strings.Join(documents, " ")
		switch {
		case len(documents) == 0:
			continue
		case len(documents) == len(r.Documents) || documents[0] == EveryDocument:
			on = "all documents"
		}
		if operations[on] == nil {
			lines = append(lines, on)
		}
		operations[on] = append(operations[on], op)
	}
	for i, on := range lines {
		lines[i] = fmt.Sprintf("%s, %s: %s", client, on, strings.Join(operations[on], ", "))
	}
	return lines
}
