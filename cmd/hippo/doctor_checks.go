package main

import (
	"fmt"
	"strings"

	"hippocampus/internal/figure"
)

// grade is how a check came out.
type grade int

const (
	fine    grade = iota
	warning       // worth looking at; no reason to fail
	failure       // the index is wrong, unusable or open
)

// MarshalText returns the grade's word in JSON.
func (g grade) MarshalText() ([]byte, error) {
	return []byte([]string{"ok", "warning", "error"}[g]), nil
}

// show returns the grade as people see it, four columns wide.
func (g grade) show(s style) string {
	switch g {
	case failure:
		return s.bad("FAIL")
	case warning:
		return s.paint("33", "warn")
	}
	return s.good("ok  ")
}

// check is one thing that doctor looked at.
type check struct {
	Name    string   `json:"check"`
	Grade   grade    `json:"grade"`
	Summary string   `json:"summary"`
	Details []string `json:"details,omitempty"` // a few, each a line
	Next    string   `json:"next,omitempty"`    // what to do about it
}

// worst returns the worst grade of checks.
func worst(checks []check) grade {
	g := fine
	for _, c := range checks {
		g = max(g, c.Grade)
	}
	return g
}

// printChecks prints a line a check, and then the details of those that are not
// fine.
func (env *environment) printChecks(title string, checks []check) {
	s := styleFor(env.out)
	env.printf("%s\n", s.bold(title))
	width := 0
	for _, c := range checks {
		width = max(width, len(c.Name))
	}
	for _, c := range checks {
		env.printf("  %s  %-*s  %s\n", c.Grade.show(s), width, c.Name, c.Summary)
	}
	for _, c := range checks {
		if c.Grade == fine || len(c.Details) == 0 && c.Next == "" {
			continue
		}
		env.printf("\n%s %s\n", c.Grade.show(s), s.bold(c.Name))
		for _, detail := range c.Details {
			env.printf("  %s\n", detail)
		}
		if c.Next != "" {
			env.printf("  → %s\n", c.Next)
		}
	}
}

// size writes a number of bytes.
func size(bytes int) string {
	switch {
	case bytes < 1000:
		return figure.Plural(bytes, "byte", "bytes")
	case bytes < 10_000:
		return fmt.Sprintf("%.1f KB", float64(bytes)/1000)
	}
	return figure.Count((bytes+500)/1000) + " KB"
}

// few returns the first lines of many, and how many more there are.
func few(lines []string) []string {
	const most = 5
	if len(lines) <= most {
		return lines
	}
	return append(lines[:most:most], fmt.Sprintf("… and %s more", figure.Count(len(lines)-most)))
}

// quoteArgument quotes a word of a command to be copied into a shell.
func quoteArgument(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("_-./@%+:,", r)
	}
	if word != "" && strings.TrimFunc(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
