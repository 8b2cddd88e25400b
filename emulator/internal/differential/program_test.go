package differential_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	"hippocampus/emulator/internal/literal"
)

// program is what is asked of both servers, step after step. It is made before anything is run: its
// steps know of each other only that they were made.
type program struct {
	random
	steps     []step
	written   map[string]int // the steps that wrote a path last
	deleted   map[string]bool
	listening bool
}

// step is a request, or several where it says so.
type step struct {
	request proto.Message
	group   int          // the step that it is left out together with
	targets []*pb.Target // to listen to from here on
}

func (s step) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%T\n%s", s.request, prototext.MarshalOptions{}.Format(s.request))
	for _, t := range s.targets {
		fmt.Fprintf(&b, "\ntarget\n%s", prototext.MarshalOptions{}.Format(t))
	}
	return b.String()
}

// newProgram returns the program of a seed, in a project.
func newProgram(seed uint64, project string) *program {
	p := &program{
		random:  random{Rand: rand.New(rand.NewPCG(seed, 7)), database: "projects/" + project + "/databases/(default)", given: map[string]fields{}},
		written: map[string]int{}, deleted: map[string]bool{},
	}
	p.focus()
	p.begin()
	for n := 15 + p.IntN(26); len(p.steps) < n; {
		p.step()
	}
	p.add(p.everything())
	return p
}

// begin commits some documents, which always succeeds.
func (p *program) begin() {
	var writes []*pb.Write
	for range 6 + p.IntN(15) {
		path := p.path()
		p.written[path] = 0
		writes = append(writes, &pb.Write{Operation: &pb.Write_Update{Update: &pb.Document{Name: p.name(path), Fields: p.docFields()}}})
	}
	p.add(&pb.CommitRequest{Database: p.database, Writes: writes})
}

func (p *program) add(request proto.Message) {
	request = avoid(request)
	if p.listening {
		switch r := request.(type) {
		case *pb.CommitRequest:
			r.Writes = append(r.Writes, p.syncWrite(len(p.steps)))
		case *pb.BatchWriteRequest:
			r.Writes = append(r.Writes, p.syncWrite(len(p.steps)))
		}
	}
	p.steps = append(p.steps, step{request: request, group: len(p.steps)})
}

// join makes the steps from one on a group.
func (p *program) join(from int) {
	for i := range p.steps[from:] {
		p.steps[from+i].group = from
	}
}

func (p *program) step() {
	switch n := p.IntN(100); {
	case n < 36:
		paths := p.commit(nil)
		if p.oneIn(2) {
			p.look(paths)
		}
	case n < 42:
		p.batch()
	case n < 47:
		r := &pb.GetDocumentRequest{Name: p.document()}
		if p.oneIn(3) {
			r.Mask = p.mask(3)
		}
		if p.oneIn(3) {
			r.ConsistencySelector = &pb.GetDocumentRequest_ReadTime{ReadTime: p.time()}
		}
		p.add(r)
	case n < 53:
		p.add(p.getMany())
	case n < 74:
		p.add(p.runQuery())
	case n < 80:
		p.add(p.aggregate())
	case n < 86:
		p.list()
	case n < 89:
		p.listCollections()
	case n < 94:
		p.transaction()
	case n < 96:
		p.readOnly()
	default:
		p.listen()
	}
}

// commit adds a commit, of a transaction if it is given, and returns the paths that it writes.
func (p *program) commit(transaction []byte) (paths []string) {
	r := &pb.CommitRequest{Database: p.database, Transaction: transaction}
	for range 1 + p.IntN(4) {
		path := p.path()
		if len(paths) > 0 && p.oneIn(4) {
			path = paths[p.IntN(len(paths))]
		}
		paths = append(paths, path)
		r.Writes = append(r.Writes, p.writeOf(path))
	}
	p.add(r)
	for _, path := range paths {
		p.written[path] = len(p.steps) - 1
	}
	return paths
}

// writeOf is a write of a path. It may depend on the time of its last change.
func (p *program) writeOf(path string) *pb.Write {
	at := timeOf(p.IntN(len(p.steps)))
	if last, ok := p.written[path]; ok && !p.oneIn(3) {
		at = timeOf(last)
	}
	w := p.write(path, at)
	if w.GetDelete() != "" {
		if p.deleted[path] && forVersion(w) {
			w.CurrentDocument = nil // see "found/a deletion for the version that a deletion left is refused"
		}
		p.deleted[path] = true
	}
	return w
}

// look reads what was written.
func (p *program) look(paths []string) {
	r := &pb.BatchGetDocumentsRequest{Database: p.database}
	for _, path := range paths {
		r.Documents = append(r.Documents, p.name(path))
	}
	p.add(r)
}

func (p *program) batch() {
	r := &pb.BatchWriteRequest{Database: p.database}
	seen := map[string]bool{}
	for range 1 + p.IntN(4) {
		path := p.path()
		if seen[path] && !p.oneIn(10) {
			continue
		}
		seen[path] = true
		r.Writes = append(r.Writes, p.writeOf(path))
	}
	p.add(r)
	for path := range seen {
		p.written[path] = len(p.steps) - 1
	}
}

// everything is a query for all documents.
func (p *program) everything() *pb.RunQueryRequest {
	return &pb.RunQueryRequest{Parent: p.root(), QueryType: &pb.RunQueryRequest_StructuredQuery{StructuredQuery: &pb.StructuredQuery{From: literal.From("", true)}}}
}
