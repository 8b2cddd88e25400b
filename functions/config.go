package functions

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"hippocampus/index"
	"hippocampus/memory"
)

// Names of the environment variables that configure the functions.
const (
	envMemories  = "HIPPO_MEMORIES"
	envDateField = "HIPPO_DATE_FIELD"
	envIDs       = "HIPPO_IDS"
	envDatabase  = "HIPPO_DATABASE"
	envBudget    = "HIPPO_REPAIR_BUDGET"
	envProject   = "GOOGLE_CLOUD_PROJECT"
	envEmulator  = "FIRESTORE_EMULATOR_HOST"
)

const (
	// DefaultMemories is the pattern of the memory collections' paths.
	DefaultMemories = "tenants/{tenant}/memories"
	// DefaultDatabase is the id of a project's first database.
	DefaultDatabase = "(default)"
	// DefaultRepairBudget fits the longest attempt of Cloud Scheduler, 30 minutes.
	DefaultRepairBudget = 25 * time.Minute

	// maxRepairBudget is how long an HTTP function may run.
	maxRepairBudget = time.Hour
)

// Config says which memories there are and how they are read. The zero value is
// the default layout.
type Config struct {
	// Memories is the pattern of the memory collections' paths: segments separated by
	// slashes, an odd number of them, where a document's may be a wildcard such as
	// {tenant}. Empty means DefaultMemories.
	Memories string
	// Schema says how ids and dates are read. Index and hook must agree on it.
	Schema memory.Schema
	// RepairBudget bounds one RepairDue. 0 means DefaultRepairBudget.
	RepairBudget time.Duration
}

// Covers reports whether a collection is one of those that hold memories. None is
// if the pattern is not valid.
func (c Config) Covers(collection string) bool {
	p, err := parsePattern(c.Memories)
	return err == nil && p.matches(collection)
}

// Environment is the configuration of a deployed function.
type Environment struct {
	Config
	// Project is empty if it is to be detected from the credentials.
	Project string
	// Database is the database's id.
	Database string
	// Emulator says that Firestore is an emulator.
	Emulator bool
}

// FromEnvironment reads the configuration from environment variables:
//
//	HIPPO_MEMORIES       the memory collections, default tenants/{tenant}/memories
//	HIPPO_DATE_FIELD     the field that dates a memory, default updated_at
//	HIPPO_IDS            base64url (default) or plain
//	HIPPO_DATABASE       the database's id, default (default)
//	HIPPO_REPAIR_BUDGET  how long RepairDue may take, default 25m, at most 1h
//	GOOGLE_CLOUD_PROJECT the project, default that of the credentials
//	FIRESTORE_EMULATOR_HOST  if set, Firestore is an emulator
//
// The error names every variable that is wrong and says how to set it right.
func FromEnvironment(getenv func(string) string) (Environment, error) {
	e := Environment{
		Config:   Config{Memories: getenv(envMemories)},
		Project:  getenv(envProject),
		Database: getenv(envDatabase),
		Emulator: getenv(envEmulator) != "",
	}
	if e.Database == "" {
		e.Database = DefaultDatabase
	}
	var errs []error
	wrong := func(name string, err error) {
		errs = append(errs, fmt.Errorf("environment variable %s: %w", name, err))
	}
	if strings.ContainsAny(e.Database, "/ ") {
		wrong(envDatabase, fmt.Errorf("%q is no database id: use the id alone, such as (default) or my-database", e.Database))
	}
	if _, err := parsePattern(e.Memories); err != nil {
		wrong(envMemories, err)
	}
	var err error
	if e.Schema.IDs, err = memory.ParseIDKind(getenv(envIDs)); err != nil {
		wrong(envIDs, err)
	}
	e.Schema.DateField = getenv(envDateField)
	if err := checkDateField(e.Schema.DateField); err != nil {
		wrong(envDateField, err)
	}
	if budget := getenv(envBudget); budget != "" {
		d, err := time.ParseDuration(budget)
		if err == nil && (d <= 0 || d > maxRepairBudget) {
			err = fmt.Errorf("%s is not between 0 and %s", d, maxRepairBudget)
		}
		if err != nil {
			wrong(envBudget, fmt.Errorf("%w: use a duration such as 25m, at most 1h", err))
		}
		e.RepairBudget = d
	}
	return e, errors.Join(errs...)
}

func checkDateField(field string) error {
	if len(field) > 1500 ||
		strings.HasPrefix(field, "__") && strings.HasSuffix(field, "__") && len(field) >= 4 {
		return fmt.Errorf("%.60q cannot be a field's name: Firestore reserves __x__ and allows 1,500 bytes", field)
	}
	if strings.ContainsAny(field, ".`/") {
		return fmt.Errorf("%q is no name of a top-level field: the date cannot be in a map", field)
	}
	return nil
}

// pattern is a parsed pattern of collection paths: a literal or, empty, a
// wildcard for each segment.
type pattern []string

// parsePattern reads a pattern. Collections cannot be wildcards: a trigger on
// the pattern would fire for the subcollections of memories and for the index.
func parsePattern(s string) (pattern, error) {
	if s == "" {
		s = DefaultMemories
	}
	example := "it should look like " + DefaultMemories
	segments := strings.Split(s, "/")
	if len(segments)%2 == 0 {
		return nil, fmt.Errorf("%q has %d segments, which name a document, not a collection: leave off the last one; %s", s, len(segments), example)
	}
	p := make(pattern, len(segments))
	literal := make([]string, len(segments)) // what the pattern looks like as a path
	for i, segment := range segments {
		literal[i] = segment
		if !strings.ContainsAny(segment, "{}*") {
			p[i] = segment
			continue
		}
		name, ok := strings.CutPrefix(segment, "{")
		if ok {
			name, ok = strings.CutSuffix(name, "}")
		}
		if !ok || name == "" || strings.ContainsAny(name, "{}*=") {
			return nil, fmt.Errorf("%q: a wildcard is a whole segment such as {tenant}, %q is none; %s", s, segment, example)
		}
		if i%2 == 0 {
			return nil, fmt.Errorf("%q: the collection %q cannot be a wildcard: write its id; %s", s, segment, example)
		}
		literal[i] = name
	}
	if err := memory.CollectionPath(strings.Join(literal, "/")); err != nil {
		return nil, err
	}
	if p[0] == index.Root || p[len(p)-1] == index.CollectionID {
		return nil, fmt.Errorf("%q is where the index lives, it cannot hold memories; %s", s, example)
	}
	return p, nil
}

// matches reports whether the pattern covers the collection at path.
func (p pattern) matches(path string) bool {
	segments := strings.Split(path, "/")
	if len(segments) != len(p) {
		return false
	}
	for i, segment := range segments {
		if segment == "" || p[i] != "" && p[i] != segment {
			return false
		}
	}
	return true
}
