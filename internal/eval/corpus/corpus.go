// Package corpus makes stores of memories from a seed, such as agents that have worked for two
// years may have: names in several scripts, of many lengths and depths, whose paths share prefixes;
// sizes around 2 KB, a few far above; dates of which the newest are closest together, and some of
// which are equal.
//
// All of it is integer arithmetic on math/rand/v2's PCG, so that a seed makes the same store on
// every machine.
package corpus

import (
	"encoding/base64"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"time"
	"unicode/utf8"
)

// Memory is one memory.
type Memory struct {
	Name   string         // 1 to 1,110 bytes of UTF-8
	Date   time.Time      // whole microseconds, UTC
	Fields map[string]any // without the date
}

const (
	maxNameBytes = 1110
	meanBytes    = 2048 // of a document, as Firestore counts its size
	span         = 2 * 365 * 24 * time.Hour
)

// newest is the date after all.
var newest = time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)

// Generate returns the first n memories of a store. No two have one name, and the first m of n are
// the first m of any.
func Generate(seed uint64, n int) []Memory {
	g := &generator{topics: topics(seed), taken: make(map[string]int, n)}
	memories := make([]Memory, max(n, 0))
	for i := range memories {
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		// One in twenty was written together with the one before.
		if i > 0 && r.IntN(20) == 0 {
			memories[i].Date = memories[i-1].Date
		} else {
			memories[i].Date = date(r)
		}
		var s *script
		memories[i].Name, s = g.name(r, memories[i].Date)
		memories[i].Fields = fields(r, s, memories[i].Name, g.size(r, i))
	}
	return memories
}

type generator struct {
	topics []topic
	taken  map[string]int // names; the highest number put behind one to make another
	steps  uint32         // of the size of the memory before
}

// date draws a date whose age is the span times the square of a uniform number: half of all are of
// the last quarter.
func date(r *rand.Rand) time.Time {
	u := uint64(r.Uint32())
	age, _ := bits.Mul64(u*u, uint64(span.Microseconds()))
	return newest.Add(-time.Duration(age+1) * time.Microsecond)
}

// sizes are a geometric series, by fourths, around the median.
var sizes = func() (s [34]int) {
	s[16] = meanBytes * 1000 / 1372 // 1.372 is the mean of what size draws around 1
	for i := 17; i < len(s); i++ {
		s[i] = s[i-1] * 5 / 4
	}
	for i := 15; i >= 0; i-- {
		s[i] = s[i+1] * 4 / 5
	}
	return s
}()

// size draws the size of memory i's document, about log-normal: the exponent is the sum of 32
// coins, and uniform within a step. Every second memory has the coins of the one before turned
// round, so that few memories have the mean of many already.
func (g *generator) size(r *rand.Rand, i int) int {
	if g.steps = ^g.steps; i%2 == 0 {
		g.steps = r.Uint32()
	}
	k := bits.OnesCount32(g.steps)
	return sizes[k] + r.IntN(sizes[k+1]-sizes[k]+1)
}

// fields fills a document up to a size.
func fields(r *rand.Rand, s *script, name string, size int) map[string]any {
	tags := make([]any, r.IntN(4))
	for i := range tags {
		tags[i] = s.word(r)
	}
	f := map[string]any{
		"source":     [...]string{"agent", "import", "user", "web"}[r.IntN(4)],
		"tags":       tags,
		"confidence": int64(r.IntN(101)),
	}
	// What else is counted: the path, the date, the names of the fields, and the strings' ends; see
	// "Storage size calculations" in Firestore's documentation. The collection is taken to be such
	// as tenants/acme/memories.
	size -= 16 + len("tenants/acme/memories/") + base64.RawURLEncoding.EncodedLen(len(name)) + 1 + 32
	size -= len("updated_at") + 1 + 8 + len("body") + 1 + 1
	size -= len("source") + 1 + len(f["source"].(string)) + 1 + len("tags") + 1 + len("confidence") + 1 + 8
	for _, t := range tags {
		size -= len(t.(string)) + 1
	}
	f["body"] = s.text(r, max(size, 40))
	return f
}

// name draws a name that is not taken, and says in which script most of it is.
func (g *generator) name(r *rand.Rand, date time.Time) (string, *script) {
	t := g.topics[popular.pick(r)]
	s := t.script
	if r.IntN(8) == 0 {
		s = anyScript(r)
	}
	title := s.title(r)
	var name string
	switch k := r.IntN(100); {
	case k < 38:
		name = "pages/" + t.path + "/" + title
	case k < 54:
		name = fmt.Sprintf("sources/%s/%08x", t.path, r.Uint32())
		if r.IntN(3) > 0 {
			name = "sources/" + sites[popularSites.pick(r)] + "/" + title
		}
	case k < 68:
		name = "notebook/" + title
	case k < 82:
		name = "journal/" + date.Format(time.DateOnly)
		if r.IntN(3) > 0 {
			name += "/" + title
		}
	case k < 91:
		name = "people/" + s.word(r) + s.space + s.word(r)
	default:
		name = title
	}
	return g.free(name), s
}

// free returns the name, with a number behind it if it is taken.
func (g *generator) free(name string) string {
	name = clip(name, maxNameBytes-len(" 1000000"))
	free := name
	for {
		if _, taken := g.taken[free]; !taken {
			g.taken[free] = 1
			return free
		}
		g.taken[name]++
		free = fmt.Sprintf("%s %d", name, g.taken[name])
	}
}

// clip returns the beginning of s that has at most n bytes and no half rune.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.TrimRight(s[:n], " ")
}
