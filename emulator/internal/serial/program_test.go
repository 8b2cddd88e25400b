package serial_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// history is what the clients of one run did.
type history struct {
	*server
	start time.Time

	mu  sync.Mutex
	all []*operation
}

func (h *history) now() int64 { return int64(time.Since(h.start)) }

func (h *history) add(o *operation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, o)
}

// program is one client, which does one thing after the other. Its seed decides what.
type program struct {
	*history
	client  int
	random  *rand.Rand
	numbers int64
	seen    []time.Time // times of its operations
}

// run runs clients with a number of operations each. The error is the first one that no client may
// see.
func run(x *server, seed uint64, clients, operations int) (*history, error) {
	h := &history{server: x, start: time.Now()}
	err := together(clients, func(i int) error {
		p := &program{history: h, client: i, random: rand.New(rand.NewPCG(seed, uint64(i)))}
		for n := range operations {
			if err := p.next(); err != nil {
				return fmt.Errorf("client %d, operation %d: %w", i, n, err)
			}
		}
		return nil
	})
	return h, err
}

func (p *program) next() error {
	switch n := p.random.IntN(100); {
	case n < 15:
		return p.read(view{}, "reads")
	case n < 25:
		return p.write()
	case n < 35 && len(p.seen) > 0 && !p.official: // there, reads in the past are not quite stable
		return p.read(view{at: p.seen[p.random.IntN(len(p.seen))]}, "reads in the past")
	case n < 45:
		return p.observe()
	case n < 50:
		return p.abandon()
	}
	return p.transact()
}

// some returns a few documents.
func (p *program) some() []int {
	return p.random.Perm(documents)[:1+p.random.IntN(documents-1)]
}

// number returns a number that was never used, but for what additions make.
func (p *program) number() int64 {
	p.numbers++
	return int64(1+p.random.IntN(9))*1_000_000 + int64(p.client)*10_000 + p.numbers*10
}

func (p *program) query() query {
	q := query{atLeast: int64(1+p.random.IntN(9)) * 1_000_000, counts: p.random.IntN(4) == 0}
	if p.random.IntN(3) == 0 {
		q.limit = 1 + p.random.IntN(2)
	}
	return q
}

func (p *program) changes() []change {
	var all []change
	for _, d := range p.some()[:1] {
		all = append(all, p.change(d))
	}
	if p.random.IntN(3) == 0 {
		if d := p.random.IntN(documents); d != all[0].document {
			all = append(all, p.change(d))
		}
	}
	return all
}

func (p *program) change(d int) change {
	switch p.random.IntN(5) {
	case 0:
		return change{document: d}
	case 1:
		return change{document: d, number: 1, adds: true}
	}
	return change{document: d, number: p.number()}
}

// look is one call that reads.
type look struct {
	documents []int // or else the query
	query     query
}

func (p *program) look() look {
	if p.random.IntN(5) < 2 {
		return look{query: p.query()}
	}
	return look{documents: p.some()}
}

func (p *program) looks() []look {
	all := []look{p.look()}
	if p.random.IntN(2) == 0 {
		all = append(all, p.look())
	}
	return all
}

// see makes a call that reads, and adds what it saw to o.
func (p *program) see(o *operation, v view, l look) (time.Time, []byte, error) {
	if l.documents == nil {
		q, at, err := p.find(v, l.query)
		if err == nil {
			o.queries, o.returned = append(o.queries, q), p.now()
		}
		return at, nil, err
	}
	all, at, began, err := p.get(v, l.documents)
	if err == nil {
		o.reads, o.returned = append(o.reads, all...), p.now()
	}
	return at, began, err
}

// done records an operation.
func (p *program) done(o *operation, at time.Time) {
	o.at = at
	o.what = fmt.Sprintf("%d %s", p.client, o.what)
	if !at.IsZero() && !o.past {
		p.seen = append(p.seen, at)
	}
	p.add(o)
}

func (p *program) read(v view, what string) error {
	o := &operation{what: what, called: p.now(), past: !v.at.IsZero()}
	at, _, err := p.see(o, v, p.look())
	if err != nil {
		return err
	}
	if o.past {
		at = v.at
	}
	p.done(o, at)
	return nil
}

// write commits without a transaction. Only the official emulator may abort that.
func (p *program) write() error {
	o := &operation{what: "writes", called: p.now()}
	changes := p.changes()
	for {
		done, at, err := p.commit(nil, changes)
		if p.official && status.Code(err) == codes.Aborted {
			continue
		}
		if err != nil {
			return err
		}
		o.changes, o.returned = done, p.now()
		p.done(o, at)
		return nil
	}
}

// observe reads in a transaction that only reads. It is never aborted.
func (p *program) observe() error {
	o := &operation{what: "observes", called: p.now()}
	transaction, err := p.begin(readOnly)
	if err != nil {
		return err
	}
	var at time.Time
	for range 2 + p.random.IntN(2) {
		if at, _, err = p.see(o, view{transaction: transaction}, p.look()); err != nil {
			return err
		}
	}
	p.done(o, at)
	if _, _, err := p.commit(transaction, nil); err != nil {
		return err
	}
	return nil
}

// abandon reads in a transaction and rolls it back.
func (p *program) abandon() error {
	o := &operation{what: "abandons", called: p.now()}
	transaction, err := p.begin(nil)
	if err != nil {
		return err
	}
	_, _, err = p.see(o, view{transaction: transaction}, p.look())
	if err != nil && status.Code(err) != codes.Aborted {
		return err
	}
	if err == nil {
		p.done(o, time.Time{})
	}
	return p.rollback(transaction)
}

// transact reads and writes in a transaction, which is tried again as long as it loses.
func (p *program) transact() error {
	looks, changes := p.looks(), p.changes()
	if p.random.IntN(10) == 0 {
		changes = nil
	}
	begins := looks[0].documents != nil && p.random.IntN(3) == 0 // with the first read
	var failed []byte
	for {
		transaction, err := p.attempt(looks, changes, begins, failed)
		if err == nil || status.Code(err) != codes.Aborted {
			return err
		}
		failed = transaction
		if p.random.IntN(4) == 0 {
			if err := p.rollback(failed); err != nil { // as the Go client does
				return err
			}
		}
	}
}

func (p *program) attempt(looks []look, changes []change, begins bool, failed []byte) (transaction []byte, err error) {
	o := &operation{what: "transacts", called: p.now()}
	var v view
	if begins {
		v.begins = readWrite(failed)
	} else if v.transaction, err = p.begin(readWrite(failed)); err != nil {
		return nil, err
	}
	for _, l := range looks {
		_, began, err := p.see(o, v, l)
		if v.begins != nil {
			v = view{transaction: began}
		}
		if err != nil {
			p.lost(o)
			return v.transaction, err
		}
	}
	done, at, err := p.commit(v.transaction, changes)
	if err != nil {
		p.lost(o)
		return v.transaction, err
	}
	o.changes, o.returned = done, p.now()
	p.done(o, at)
	return v.transaction, nil
}

// lost records what a transaction saw that was aborted then: here, only what was there at one time.
func (p *program) lost(o *operation) {
	if len(o.reads)+len(o.queries) == 0 || p.official {
		return
	}
	o.lost = true
	o.what += ", loses"
	p.done(o, time.Time{})
}
