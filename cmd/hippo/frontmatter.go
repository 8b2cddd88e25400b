package main

import (
	"bytes"
	"fmt"
	"time"

	"go.yaml.in/yaml/v3"
)

var (
	byteOrderMark = []byte("\ufeff")
	fence         = []byte("---")
)

// parseNote returns the date that a note's front matter gives it, the zero time
// if it gives none, and the text without the front matter. What else the front
// matter says is the note's own affair.
func parseNote(text []byte) (date time.Time, body []byte, err error) {
	text = bytes.TrimPrefix(text, byteOrderMark)
	front, body, ok := splitFrontMatter(text)
	if !ok {
		return time.Time{}, text, nil
	}
	var document yaml.Node
	if err := yaml.Unmarshal(front, &document); err != nil {
		return time.Time{}, nil, fmt.Errorf("its front matter, between the first two lines \"---\", is not YAML: %w", err)
	}
	if len(document.Content) == 0 {
		return time.Time{}, body, nil
	}
	if document.Content[0].Kind != yaml.MappingNode {
		return time.Time{}, text, nil // prose between two rules
	}
	var fields struct {
		UpdatedAt yaml.Node `yaml:"updated_at"`
	}
	if err := document.Decode(&fields); err != nil {
		return time.Time{}, nil, fmt.Errorf("its front matter cannot be read: %w", err)
	}
	date, err = nodeDate(&fields.UpdatedAt)
	if err != nil {
		return time.Time{}, nil, fmt.Errorf("updated_at in its front matter: %w", err)
	}
	return date, body, nil
}

// splitFrontMatter returns what stands between a first line "---" and the next
// such line, and what follows. A note that begins with a rule and has no other
// line of that kind has no front matter.
func splitFrontMatter(text []byte) (front, body []byte, ok bool) {
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	if !isFence(first) {
		return nil, nil, false
	}
	for at := 0; at < len(rest); {
		line, after, _ := bytes.Cut(rest[at:], []byte("\n"))
		if isFence(line) {
			return rest[:at], after, true
		}
		at += len(line) + 1
	}
	return nil, nil, false
}

func isFence(line []byte) bool {
	return bytes.Equal(bytes.TrimRight(line, " \t\r"), fence)
}

// nodeDate returns the date that a YAML value is, the zero time for none.
func nodeDate(node *yaml.Node) (time.Time, error) {
	if node.IsZero() || node.Tag == "!!null" {
		return time.Time{}, nil
	}
	var date time.Time
	if node.Tag == "!!timestamp" && node.Decode(&date) == nil && inFirestoresYears(date) {
		return date, nil
	}
	return parseDate(node.Value)
}
