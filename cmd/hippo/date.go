package main

import (
	"fmt"
	"time"
)

// dateForms are the forms of a date that people write.
var dateForms = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05",
	"2006-01-02T15:04",
	"2006-01-02 15:04", time.DateOnly,
}

// parseDate reads a date. Without a zone it is UTC.
func parseDate(s string) (time.Time, error) {
	for _, form := range dateForms {
		if t, err := time.Parse(form, s); err == nil && inFirestoresYears(t) {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no date: write it as 2026-10-02T19:35:00Z or 2026-10-02, in the years 1 to 9999", s)
}

// inFirestoresYears reports whether Firestore can keep a time.
func inFirestoresYears(t time.Time) bool {
	year := t.UTC().Year()
	return year >= 1 && year <= 9999
}
