package differential_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	"hippocampus/emulator/internal/literal"
)

// listener folds a Listen stream into what its targets show. Every commit of a program that listens
// writes its step to the document syncPath, too, which has a target of its own: a snapshot with it
// has everything of the commit.
type listener struct {
	side    *side
	stream  pb.Firestore_ListenClient
	targets map[int32]*watched
	read    time.Time  // of the last snapshot
	broken  codes.Code // what the stream ended with
}

// watched is what a target shows.
type watched struct {
	current bool
	docs    map[string]*pb.Document
}

const (
	syncPath   = "sync/s"
	syncTarget = 100
)

// syncWrite makes a step known to the listener.
func (r *random) syncWrite(step int) *pb.Write {
	return &pb.Write{Operation: &pb.Write_Update{Update: &pb.Document{Name: r.name(syncPath), Fields: fields{"step": literal.Int(int64(step))}}}}
}

// synced says whether a step's request writes the document for that.
func synced(request proto.Message) bool {
	r, ok := request.(interface{ GetWrites() []*pb.Write })
	return ok && slices.ContainsFunc(r.GetWrites(), func(w *pb.Write) bool {
		return strings.HasSuffix(w.GetUpdate().GetName(), "/"+syncPath)
	})
}

// listen opens a stream with targets. A query that is refused is none: the servers refuse targets
// in different ways.
func (s *side) listen(ctx context.Context, b *strings.Builder, targets []*pb.Target) {
	// The official emulator needs the header.
	stream, err := s.Listen(metadata.AppendToOutgoingContext(ctx, "google-cloud-resource-prefix", s.database))
	if err != nil {
		fmt.Fprintf(b, "listen: %v\n", status.Code(err))
		return
	}
	s.listener = &listener{side: s, stream: stream, targets: map[int32]*watched{}}
	s.listener.add(&pb.Target{TargetId: syncTarget, TargetType: &pb.Target_Documents{Documents: &pb.Target_DocumentsTarget{
		Documents: []string{s.database + "/documents/" + syncPath},
	}}})
	for _, target := range targets {
		if q := target.GetQuery(); q != nil {
			_, err := s.ask(ctx, &pb.RunQueryRequest{Parent: q.GetParent(), QueryType: &pb.RunQueryRequest_StructuredQuery{StructuredQuery: q.GetStructuredQuery()}})
			if err != nil {
				fmt.Fprintf(b, "target %d: %v\n", target.GetTargetId(), status.Code(err))
				continue
			}
		}
		s.listener.add(target)
	}
}

func (l *listener) add(target *pb.Target) {
	l.targets[target.GetTargetId()] = &watched{docs: map[string]*pb.Document{}}
	_ = l.stream.Send(&pb.ListenRequest{Database: l.side.database, TargetChange: &pb.ListenRequest_AddTarget{AddTarget: target}}) // Recv tells
}

// readStep reads up to the snapshot of a step and writes what the targets show.
func (l *listener) readStep(b *strings.Builder, step int64) {
	for l.broken == codes.OK {
		res, err := l.stream.Recv()
		if err != nil {
			l.broken = status.Code(err)
			break
		}
		if l.fold(res) && l.at(step) {
			break
		}
	}
	if l.broken != codes.OK {
		fmt.Fprintf(b, "the stream ended: %v\n", l.broken)
	}
	for _, id := range slices.Sorted(maps.Keys(l.targets)) {
		w := l.targets[id]
		fmt.Fprintf(b, "target %d, current %v\n", id, w.current)
		for _, name := range slices.Sorted(maps.Keys(w.docs)) {
			doc := proto.CloneOf(w.docs[name])
			l.side.level(doc, false)
			b.WriteString(prototext.MarshalOptions{Multiline: true, Indent: " "}.Format(doc))
		}
	}
}

// at says whether all targets are current and have what a step committed.
func (l *listener) at(step int64) bool {
	for _, w := range l.targets {
		if !w.current {
			return false
		}
	}
	if l.read.Before(l.side.last) {
		return false
	}
	doc := l.targets[syncTarget].docs[l.side.database+"/documents/"+syncPath]
	return doc.GetFields()["step"].GetIntegerValue() >= step
}

// fold takes an answer in and says whether it makes the whole stream consistent.
func (l *listener) fold(res *pb.ListenResponse) (snapshot bool) {
	switch r := res.GetResponseType().(type) {
	case *pb.ListenResponse_TargetChange:
		c := r.TargetChange
		ids := c.GetTargetIds()
		if len(ids) == 0 {
			ids = slices.Collect(maps.Keys(l.targets))
		}
		for _, id := range ids {
			w := l.targets[id]
			switch c.GetTargetChangeType() {
			case pb.TargetChange_REMOVE:
				l.broken = codes.Code(c.GetCause().GetCode())
				if l.broken == codes.OK {
					l.broken = codes.Canceled
				}
			case pb.TargetChange_CURRENT:
				w.current = true
			case pb.TargetChange_RESET:
				clear(w.docs)
				w.current = false
			}
		}
		if c.GetReadTime() == nil || len(c.GetTargetIds()) > 0 {
			return false
		}
		l.read = c.GetReadTime().AsTime()
		return true
	case *pb.ListenResponse_DocumentChange:
		d := r.DocumentChange.GetDocument()
		for _, id := range r.DocumentChange.GetTargetIds() {
			l.targets[id].docs[d.GetName()] = d
		}
		l.gone(d.GetName(), r.DocumentChange.GetRemovedTargetIds())
	case *pb.ListenResponse_DocumentDelete:
		l.gone(r.DocumentDelete.GetDocument(), r.DocumentDelete.GetRemovedTargetIds())
	case *pb.ListenResponse_DocumentRemove:
		l.gone(r.DocumentRemove.GetDocument(), r.DocumentRemove.GetRemovedTargetIds())
	}
	return false
}

func (l *listener) gone(name string, ids []int32) {
	for _, id := range ids {
		delete(l.targets[id].docs, name)
	}
}
