package listen_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"hippocampus/emulator/internal/listen"
	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/query"
	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/store"
	"hippocampus/internal/deep"
)

const (
	waiting = 20 * time.Second
	tick    = 5 * time.Millisecond
)

// program is a random run of commits, targets, pauses and reconnections. At every snapshot the
// client's targets are held to what a plain reading of the model at that time gives.
type program struct {
	*world
	*rand.Rand
	client  *client
	stream  *listen.Stream
	targets map[int32]*pb.Target
	states  []state // of the documents after each commit, the oldest first
	checked int
}

type state struct {
	at   time.Time
	docs map[resource.Path]*pb.Document
}

func TestRandomPrograms(t *testing.T) {
	checked := 0
	for seed := range deep.Choose[uint64](10, 40) {
		r := rand.New(rand.NewPCG(seed, 3))
		options := store.Options{}
		if r.IntN(3) == 0 {
			options.HistoryBytes = 1 + r.IntN(20_000)
		}
		p := &program{world: newWorld(t, options), Rand: r, client: newClient(), targets: map[int32]*pb.Target{}}
		p.states = []state{{at: p.Born, docs: map[resource.Path]*pb.Document{}}}
		p.client.each = func() { p.check(seed) }
		p.client.hears = p.meanwhile
		p.write(100)
		p.open()
		for range 80 {
			p.step()
		}
		require.NoError(t, p.stream.Flush())
		checked += p.checked
	}
	require.Greater(t, checked, deep.Choose(1_000, 5_000))
}

func (p *program) open() {
	p.stream = listen.New(p.Database, p.client.receive)
	p.Cleanup(p.stream.Close)
}

// meanwhile commits now and then while responses are sent.
func (p *program) meanwhile() {
	switch n := p.IntN(1_000); {
	case n < 30:
		p.write(1 + p.IntN(3))
	case n < 35:
		p.sweep()
		p.write(60)
	case n < 37:
		p.write(600)
		p.write(600)
	}
}

func (p *program) step() {
	switch n := p.IntN(100); {
	case n < 55:
		p.write(1 + p.IntN(6))
	case n < 56:
		// More than may wait.
		for range 3 {
			p.write(400)
		}
	case n < 59:
		p.write(80)
	case n < 64:
		p.sweep()
	case n < 75:
		require.NoError(p, p.stream.Flush())
	case n < 88 && len(p.targets) < 8:
		p.add()
	case n < 95:
		if ids := slices.Sorted(maps.Keys(p.targets)); len(ids) > 0 {
			id := ids[p.IntN(len(ids))]
			require.NoError(p, p.stream.Remove(id))
			delete(p.targets, id)
		}
	default:
		p.reconnect()
	}
}

// write commits writes to some of the few documents there are, and as many others as make up n.
func (p *program) write(n int) {
	docs := maps.Clone(p.states[len(p.states)-1].docs)
	at, err := p.Store.Commit(func(tx *store.Tx) error {
		for i := range n {
			path := resource.Path(fmt.Sprintf("%c/%02d", "cd"[p.IntN(2)], p.IntN(150)))
			if i > 10 {
				path = resource.Path(fmt.Sprintf("c/%03d", 100+i))
			}
			if p.IntN(3) == 0 {
				tx.Put(path, nil)
				delete(docs, path)
				continue
			}
			doc := &pb.Document{Name: database.Name(path), Fields: map[string]*pb.Value{"v": literal.Int(p.Int64N(10))}}
			if p.IntN(4) > 0 {
				doc.Fields["w"] = literal.Int(p.Int64N(4))
			}
			tx.Put(path, doc)
			docs[path] = doc
		}
		return nil
	})
	require.NoError(p, err)
	p.states = append(p.states, state{at, docs})
}

// sweep deletes the first or the last documents of a collection by a field, so that windows use up
// what they hold.
func (p *program) sweep() {
	docs := maps.Clone(p.states[len(p.states)-1].docs)
	v, beyond := p.Int64N(10), p.IntN(2) == 0
	at, err := p.Store.Commit(func(tx *store.Tx) error {
		for path, doc := range docs {
			if (doc.GetFields()["v"].GetIntegerValue() < v) != beyond {
				tx.Put(path, nil)
				delete(docs, path)
			}
		}
		return nil
	})
	require.NoError(p, err)
	p.states = append(p.states, state{at, docs})
}

func (p *program) add() {
	id := int32(1 + len(p.targets))
	for p.targets[id] != nil {
		id++
	}
	p.targets[id] = p.target(id)
	require.NoError(p, p.stream.Add(p.targets[id]))
}

func (p *program) target(id int32) *pb.Target {
	if p.IntN(4) == 0 {
		return documents(id, "c/01", resource.Path(fmt.Sprintf("c/%02d", p.IntN(20))), "d/02")
	}
	var changes []change
	if p.IntN(2) == 0 {
		changes = append(changes, where("w", equal, p.Int64N(4)))
	}
	if p.IntN(2) == 0 {
		changes = append(changes, by("v", []pb.StructuredQuery_Direction{up, down}[p.IntN(2)]))
	}
	if p.IntN(2) == 0 {
		changes = append(changes, limit(p.Int32N(12)))
	}
	if p.IntN(4) == 0 {
		changes = append(changes, offset(p.Int32N(4)))
	}
	return querying(id, from("c", changes...))
}

// reconnect opens a new stream, on which all targets resume.
func (p *program) reconnect() {
	p.stream.Close()
	p.open()
	token, has := p.client.token, p.client.has
	p.client.ready = map[int32]bool{}
	if token == nil {
		clear(has)
	}
	for _, id := range slices.Sorted(maps.Keys(p.targets)) {
		target := proto.CloneOf(p.targets[id])
		if token != nil {
			target.ResumeType = &pb.Target_ResumeToken{ResumeToken: token}
		}
		require.NoError(p, p.stream.Add(target))
	}
}

// check holds all current targets to the model at the time of the client's snapshot.
func (p *program) check(seed uint64) {
	i, exact := slices.BinarySearchFunc(p.states, p.client.at, func(s state, at time.Time) int { return s.at.Compare(at) })
	if !exact {
		i--
	}
	for id, ready := range p.client.ready {
		if !ready {
			continue
		}
		has := p.client.has[id]
		same := true
		want := p.expected(p.targets[id], p.states[i])
		for _, doc := range want {
			same = same && has[doc.GetName()] == doc
		}
		if !same || len(has) != len(want) {
			require.Equal(p, texts(want), texts(slices.Collect(maps.Values(has))), "seed %d, target %d %v", seed, id, p.targets[id])
		}
		p.checked++
	}
}

// texts are documents in words, in order.
func texts(docs []*pb.Document) []string {
	all := []string{}
	for _, doc := range docs {
		all = append(all, short(doc.GetName())+contents(doc))
	}
	slices.Sort(all)
	return all
}

func (p *program) expected(target *pb.Target, s state) []*pb.Document {
	var docs []*pb.Document
	for _, name := range target.GetDocuments().GetDocuments() {
		if doc := s.docs[resource.Path(short(name))]; doc != nil && !slices.Contains(docs, doc) {
			docs = append(docs, doc)
		}
	}
	if target.GetQuery() == nil {
		return docs
	}
	q, err := query.Compile(database, target.GetQuery().GetParent(), target.GetQuery().GetStructuredQuery())
	require.NoError(p, err)
	for path, doc := range s.docs {
		if q.In(path) && q.Matches(path, doc) {
			docs = append(docs, doc)
		}
	}
	slices.SortFunc(docs, q.Compare)
	docs = docs[min(q.Offset, len(docs)):]
	if q.Limit >= 0 {
		docs = docs[:min(q.Limit, len(docs))]
	}
	return docs
}
