package chaos

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"cloud.google.com/go/firestore"

	"hippocampus/index"
	"hippocampus/internal/ways"
)

// check compares a tenant's list with its store, if the index can know all.
func (s *schedule) check(t *tenant, where string) {
	if t.checkedAt == t.flips && !t.knows(t.scanStarted) {
		return // as the last time
	}
	if l := s.list(t); t.knows(l.scanStarted) {
		s.compare(t, l, where)
	}
}

// mustEqual compares a tenant's list with its store.
func (s *schedule) mustEqual(t *tenant, where string) {
	l := s.list(t)
	if !t.knows(l.scanStarted) {
		s.failf("%s: the list of %s is scanned as of @%d only", where, t.path,
			l.scanStarted-s.epoch)
	}
	s.compare(t, l, where)
}

func (s *schedule) list(t *tenant) listing {
	l, err := s.sys.list(s.ctx, s.client, t.path)
	if err != nil {
		s.unexpected(err, "list %s", t.path)
	}
	if t.built && !l.fromIndex {
		s.failf("the list of %s does not come from the index: %s\n%s", t.path, l.reason, s.dump(t))
	}
	t.scanStarted, t.checkedAt = l.scanStarted, t.flips
	return l
}

func (s *schedule) compare(t *tenant, l listing, where string) {
	if t.truth == nil {
		var err error
		t.truth, err = scan(s.ctx, s.client, t.path)
		s.mustFirestore(err)
	}
	if l.fromIndex {
		s.cover.add(checks, 1)
	}
	if diff := differences(l.lines, t.truth); diff != "" {
		s.failf("%s: the list of %s differs from the store:\n%s\n%s", where, t.path, diff,
			s.dump(t))
	}
}

// scan returns the lines of the list as the store has it, never nil. It shares no code with the
// product.
func scan(ctx context.Context, client *firestore.Client, memories string) ([]string, error) {
	entries, _, err := ways.NamesScan(ctx, client, memories, ways.Options{})
	lines := make([]string, 0, len(entries))
	for _, e := range entries {
		lines = append(lines, line(time.UnixMicro(e.Date), e.Name))
	}
	return lines, err
}

// linesOf returns the lines of the list as the product has it.
func linesOf(entries []index.Entry) []string {
	lines := make([]string, 0, len(entries))
	for _, e := range entries {
		lines = append(lines, line(e.Date.Time(), e.Name))
	}
	return lines
}

func line(date time.Time, name string) string {
	return fmt.Sprintf("%s %q", date.UTC().Format("2006-01-02 15:04:05.000000"), name)
}

// differences shows in which lines a list is not what it should be: those with +
// are too much, those with - are missing.
func differences(got, want []string) string {
	if slices.Equal(got, want) {
		return ""
	}
	g, w := slices.Clone(got), slices.Clone(want)
	var b strings.Builder
	for len(g) > 0 || len(w) > 0 {
		switch {
		case len(g) > 0 && len(w) > 0 && g[0] == w[0]:
			fmt.Fprintf(&b, "    %s\n", g[0])
			g, w = g[1:], w[1:]
		case len(w) > 0:
			fmt.Fprintf(&b, "  - %s\n", w[0])
			if i := slices.Index(g, w[0]); i >= 0 {
				g = append(g[:i:i], g[i+1:]...)
				fmt.Fprintf(&b, "    (which is elsewhere in the list)\n")
			}
			w = w[1:]
		default:
			fmt.Fprintf(&b, "  + %s\n", g[0])
			g = g[1:]
		}
	}
	return b.String()
}

// dump shows the documents of a tenant's index, times since the schedule began.
func (s *schedule) dump(t *tenant) string {
	docs, err := s.client.Collection(t.index).Documents(s.ctx).GetAll()
	s.mustFirestore(err)
	var b strings.Builder
	for _, doc := range docs {
		fmt.Fprintf(&b, "  %s:", doc.Ref.ID)
		fields := doc.Data()
		if meta, err := index.ParseMeta(fields); err == nil {
			fmt.Fprintf(&b, " generation %d, scan started @%d, as of @%d", meta.Generation,
				meta.ScanStarted-s.epoch, meta.AsOf-s.epoch)
			block, _ := fields[index.BlockField].([]byte)
			entries, _ := index.DecodeBlock(nil, block)
			for _, e := range entries {
				fmt.Fprintf(&b, "\n    @%d %q%s", e.Version-s.epoch, e.Name,
					map[bool]string{true: " deleted"}[e.Deleted])
			}
		}
		entries, _ := fields[index.EntriesField].(map[string]any)
		for _, k := range sortedKeys(entries, 20) {
			version, id, _ := index.ParseKey(k)
			fmt.Fprintf(&b, "\n    @%d %.40q%s", version-s.epoch, nameOf(id),
				map[bool]string{true: " deleted"}[entries[k] == nil])
		}
		b.WriteByte('\n')
	}
	return b.String()
}
