package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"

	"hippocampus/emulator/official"
	"hippocampus/internal/figure"
	"hippocampus/internal/rules"
)

// rulesDiagnosis is what doctor --rules finds, and what --json prints of it.
type rulesDiagnosis struct {
	OK         bool   `json:"ok"`
	Rules      string `json:"rules"` // the file
	Collection string `json:"collection"`
	*rules.Report
	Checks []check `json:"checks"`
}

// clearTimeout bounds the removal of what was tried with.
const clearTimeout = 15 * time.Second

// diagnoseRules tries a file of security rules in the official emulator.
func diagnoseRules(ctx context.Context, env *environment, file string) (*rulesDiagnosis, error) {
	text, err := os.ReadFile(file)
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
	// Loaded first, so that a fault in the rules is told at once.
	if err := em.LoadRules(ctx, string(text)); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	d := &rulesDiagnosis{Rules: file, Collection: collection}
	var bar *progressbar.ProgressBar
	d.Report, err = rules.Try(ctx, em, string(text), collection, rules.Progress{
		Begin: func(r *rules.Report, attempts int) {
			env.notef("trying %d operations on the %d documents of an index, as %d clients, in the official emulator at %s",
				len(r.Operations), len(r.Documents), len(r.Clients), em.Host())
			bar = env.progress(attempts, "trying")
		},
		Tried: func() { _ = bar.Add(1) },
	})
	if bar != nil {
		_ = bar.Finish()
	}
	if err != nil {
		return nil, err
	}
	d.Checks = []check{
		{Name: "probe", Summary: fmt.Sprintf("with rules that open everything, all %d operations get through", len(d.Operations))},
		d.checkOperations(), d.checkMatches(d.Unread),
	}
	d.OK = len(d.Open) == 0
	return d, nil
}

// clearAfterwards leaves no documents behind in an emulator that goes on
// running, also if the command is interrupted.
func clearAfterwards(ctx context.Context, env *environment, em *official.Emulator) {
	if !em.External() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), clearTimeout)
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

func (d *rulesDiagnosis) checkOperations() check {
	c := check{Name: "operations", Summary: fmt.Sprintf("all %d attempts by %d clients are refused",
		d.Tried, len(d.Clients))}
	if len(d.Open) == 0 {
		return c
	}
	c.Grade = failure
	c.Summary = fmt.Sprintf("the index is open: %d of %d attempts got through", len(d.Open),
		d.Tried)
	c.Next = "Let no match cover hippocampus/ with an allow: name the collections that are meant instead of /{document=**}."
	for _, client := range d.Clients {
		c.Details = append(c.Details, d.OpenTo(client)...)
	}
	return c
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
