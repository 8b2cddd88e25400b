package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"

	"hippocampus/emulator/official"
	"hippocampus/index"
	"hippocampus/internal/figure"
)

// everythingOpen are rules that refuse nothing. The probe must get through them,
// or it would call any rules closed.
const everythingOpen = `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /{document=**} { allow read, write: if true; }
  }
}`

// rulesDiagnosis is what doctor --rules finds, and what --json prints of it.
type rulesDiagnosis struct {
	OK         bool            `json:"ok"`
	Rules      string          `json:"rules"` // the file
	Collection string          `json:"collection"`
	Documents  []string        `json:"documents"` // of the index of that collection
	Clients    []string        `json:"clients"`
	Operations []string        `json:"operations"`
	Tried      int             `json:"tried"`
	Open       []attempt       `json:"open"`
	Matches    []coveringMatch `json:"matches"`
	Checks     []check         `json:"checks"`
}

// diagnoseRules tries a file of security rules in the official emulator.
func diagnoseRules(ctx context.Context, env *environment, file string) (*rulesDiagnosis, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the rules: %w", err)
	}
	collection, err := env.rulesCollection()
	if err != nil {
		return nil, err
	}
	// A project of its own: if the emulator is one that runs already, nobody
	// else's rules and documents are touched.
	em, err := official.Start(ctx, &official.Options{Project: "demo-doctor-" + randomHex()})
	if err != nil {
		return nil, err
	}
	defer em.Close()
	defer clearAfterwards(ctx, env, em)
	d := &rulesDiagnosis{Rules: file, Collection: collection, Open: []attempt{}, Matches: []coveringMatch{}}
	if err := d.tryRules(ctx, env, em, string(source)); err != nil {
		return nil, err
	}
	return d, nil
}

// clearAfterwards leaves no documents behind in an emulator that goes on
// running, also if the command is interrupted.
func clearAfterwards(ctx context.Context, env *environment, em *official.Emulator) {
	if !em.External() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), attemptTimeout)
	defer cancel()
	if err := em.Clear(ctx); err != nil {
		env.warnf("documents of the probe are left in project %s of the emulator: %v", em.Project(), err)
	}
}

// rulesCollection is the memory collection whose index is tried: the one that
// is meant, or any.
func (env *environment) rulesCollection() (string, error) {
	if env.connection.tenant == "" && env.connection.collection == "" {
		return "tenants/acme/memories", nil
	}
	return env.connection.memories()
}

func (d *rulesDiagnosis) tryRules(ctx context.Context, env *environment, em *official.Emulator, source string) error {
	actors, closeAll, err := actors(ctx, em, d.Collection)
	if err != nil {
		return err
	}
	defer closeAll()
	owner, err := em.Client(ctx)
	if err != nil {
		return err
	}
	defer owner.Close()
	path, err := index.Path(d.Collection)
	if err != nil {
		return err
	}
	p := &probe{owner: owner, index: path, docs: indexDocuments()}
	d.describe(p, actors)
	// Loaded first, so that a fault in the rules is told at once.
	if err := em.LoadRules(ctx, source); err != nil {
		return fmt.Errorf("%s: %w", d.Rules, err)
	}
	env.notef("trying %d operations on the %d documents of an index, as %d clients, in the official emulator at %s", len(d.Operations), len(p.docs), len(actors), em.Host())
	control := &probe{owner: owner, index: path, docs: p.docs[:1], tried: p.tried}
	bar := env.progress(control.count(1)+d.Tried, "trying")
	defer bar.Finish()
	tried := func() { _ = bar.Add(1) }
	p.tried, control.tried = tried, tried

	if err := d.tryControl(ctx, em, control, actors[:1]); err != nil {
		return err
	}
	if err := em.LoadRules(ctx, source); err != nil {
		return fmt.Errorf("%s: %w", d.Rules, err)
	}
	open, err := p.run(ctx, actors)
	if err != nil {
		return err
	}
	d.Open = append(d.Open, open...)
	matches, err := coveringMatches(source)
	d.Matches = append(d.Matches, matches...)
	d.Checks = append(d.Checks, d.checkOperations(), d.checkMatches(err))
	d.OK = len(d.Open) == 0
	return nil
}

// tryControl requires that every operation gets through rules that open
// everything: one that does not would be refused by any rules, and show nothing.
func (d *rulesDiagnosis) tryControl(ctx context.Context, em *official.Emulator, control *probe, actors []actor) error {
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
	for _, op := range d.Operations {
		if !slices.Contains(through, op) {
			refused = append(refused, op)
		}
	}
	if len(refused) > 0 {
		return fmt.Errorf("this emulator refuses even with rules that open everything: %s; so it cannot show what rules do: use the official one of a current Google Cloud CLI", strings.Join(refused, ", "))
	}
	d.Checks = append(d.Checks, check{Name: "probe", Summary: fmt.Sprintf("with rules that open everything, all %d operations get through", len(d.Operations))})
	return nil
}

func (d *rulesDiagnosis) describe(p *probe, actors []actor) {
	for _, doc := range p.docs {
		d.Documents = append(d.Documents, doc.ID)
	}
	for _, a := range actors {
		d.Clients = append(d.Clients, a.name)
	}
	for _, op := range slices.Concat(collectionOperations, documentOperations) {
		d.Operations = append(d.Operations, op.name)
	}
	d.Tried = p.count(len(actors))
}

func (d *rulesDiagnosis) checkOperations() check {
	c := check{Name: "operations", Summary: fmt.Sprintf("all %d attempts by %d clients are refused", d.Tried, len(d.Clients))}
	if len(d.Open) == 0 {
		return c
	}
	c.Grade = failure
	c.Summary = fmt.Sprintf("the index is open: %d of %d attempts got through", len(d.Open), d.Tried)
	c.Next = "Let no match cover hippocampus/ with an allow: name the collections that are meant instead of /{document=**}."
	for _, client := range d.Clients {
		c.Details = append(c.Details, d.openTo(client)...)
	}
	return c
}

// openTo says what a client got through to: a line for all operations that did
// on the same documents.
func (d *rulesDiagnosis) openTo(client string) []string {
	var lines []string
	operations := map[string][]string{} // by documents
	for _, op := range d.Operations {
		var documents []string
		for _, a := range d.Open {
			if a.Client == client && a.Operation == op {
				documents = append(documents, a.Document)
			}
		}
		on := strings.Join(documents, " ")
		switch {
		case len(documents) == 0:
			continue
		case len(documents) == len(d.Documents) || documents[0] == everyDocument:
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

// checkMatches says which matches cover the index. They are worth a warning even
// if no attempt got through: the probe does not know every account and document
// that a condition may ask for.
func (d *rulesDiagnosis) checkMatches(unread error) check {
	c := check{Name: "matches", Summary: "none that allows anything covers the index"}
	if unread != nil {
		c.Grade = warning
		c.Summary = fmt.Sprintf("not understood by doctor, so only what was tried counts: %v", unread)
		return c
	}
	if len(d.Matches) == 0 {
		return c
	}
	c.Grade = warning
	c.Summary = figure.Plural(len(d.Matches), "allow covers the index", "allows cover the index")
	c.Next = "Rules are OR-ed: no other match can take back what these allow. Narrow them to the application's own collections."
	for _, m := range d.Matches {
		c.Details = append(c.Details, m.String())
	}
	return c
}

func randomHex() string {
	b := make([]byte, 6)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// printRules prints a diagnosis of rules.
func printRules(env *environment, d *rulesDiagnosis) error {
	if env.json {
		if err := env.printJSON(d); err != nil {
			return err
		}
	} else {
		env.printChecks(d.Rules+", in the official Firestore emulator", d.Checks)
	}
	if !d.OK {
		return errReported
	}
	return nil
}
