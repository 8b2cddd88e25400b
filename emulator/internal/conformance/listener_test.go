package conformance

import (
	"context"
	"fmt"
	"strings"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// listener reads a Listen stream and folds it into what each target shows.
type listener struct {
	t       *T
	stream  pb.Firestore_ListenClient
	targets map[int32]*watched
	// read is the time of the last consistent snapshot of the whole stream; nil before the first.
	read *timestamppb.Timestamp
	// consistent says that the last answer made the whole stream consistent.
	consistent bool
	// each is called at every snapshot, if it is set.
	each func()
}

// watched is what a stream has said of a target.
type watched struct {
	added, current, removed bool
	// cause is why it was removed: OK if no cause was given.
	cause codes.Code
	// docs are the documents that it shows, by path.
	docs map[string]*pb.Document
	// events are what was said since it was added, in order: "set c/a", "gone c/a", "reset".
	events []string
	// token is the last resume token.
	token []byte
	// filter is the count of the last existence filter, or -1.
	filter int32
}

// listen opens a stream, which ends with the check or after 20 seconds.
func (t *T) listen() *listener {
	t.Helper()
	// Clients name the database in a header, too, and the official emulator fails without it.
	ctx := metadata.AppendToOutgoingContext(t.Ctx, "google-cloud-resource-prefix", t.Database)
	return t.listenWith(ctx)
}

// listenWith opens a stream with the headers of a context.
func (t *T) listenWith(ctx context.Context) *listener {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	t.Cleanup(cancel)
	stream, err := t.Firestore.Listen(ctx)
	require.NoError(t, err)
	return &listener{t: t, stream: stream, targets: map[int32]*watched{}}
}

// watch opens a stream with a target of id 1.
func (t *T) watch(target *pb.Target) *listener {
	t.Helper()
	l := t.listen()
	target.TargetId = 1
	l.add(target)
	return l
}

// documentTarget is a target of the documents at paths.
func (t *T) documentTarget(paths ...string) *pb.Target {
	var names []string
	for _, p := range paths {
		names = append(names, t.Name(p))
	}
	return &pb.Target{TargetType: &pb.Target_Documents{Documents: &pb.Target_DocumentsTarget{Documents: names}}}
}

// queryTarget is a target of a query at the root.
func (t *T) queryTarget(q *pb.StructuredQuery) *pb.Target {
	return &pb.Target{TargetType: &pb.Target_Query{Query: &pb.Target_QueryTarget{
		Parent: t.Root(), QueryType: &pb.Target_QueryTarget_StructuredQuery{StructuredQuery: q},
	}}}
}

// add adds a target.
func (l *listener) add(target *pb.Target) {
	l.t.Helper()
	l.send(&pb.ListenRequest{Database: l.t.Database, TargetChange: &pb.ListenRequest_AddTarget{AddTarget: target}})
}

// remove removes a target.
func (l *listener) remove(id int32) {
	l.t.Helper()
	l.send(&pb.ListenRequest{Database: l.t.Database, TargetChange: &pb.ListenRequest_RemoveTarget{RemoveTarget: id}})
}

func (l *listener) send(r *pb.ListenRequest) {
	l.t.Helper()
	require.NoError(l.t, l.stream.Send(r))
}

// target is what is known of a target.
func (l *listener) target(id int32) *watched {
	w := l.targets[id]
	if w == nil {
		w = &watched{docs: map[string]*pb.Document{}, filter: -1}
		l.targets[id] = w
	}
	return w
}

// receive reads one answer and says whether it makes the whole stream consistent.
func (l *listener) receive() (snapshot bool, err error) {
	l.consistent = false
	res, err := l.stream.Recv()
	if err != nil {
		return false, err
	}
	switch r := res.GetResponseType().(type) {
	case *pb.ListenResponse_TargetChange:
		l.consistent = l.change(r.TargetChange)
		return l.consistent, nil
	case *pb.ListenResponse_DocumentChange:
		d := r.DocumentChange.GetDocument()
		for _, id := range r.DocumentChange.GetTargetIds() {
			w := l.target(id)
			w.docs[l.path(d.GetName())] = d
			w.events = append(w.events, "set "+l.path(d.GetName()))
		}
		l.gone(d.GetName(), r.DocumentChange.GetRemovedTargetIds())
	case *pb.ListenResponse_DocumentDelete:
		l.gone(r.DocumentDelete.GetDocument(), r.DocumentDelete.GetRemovedTargetIds())
	case *pb.ListenResponse_DocumentRemove:
		l.gone(r.DocumentRemove.GetDocument(), r.DocumentRemove.GetRemovedTargetIds())
	case *pb.ListenResponse_Filter:
		l.target(r.Filter.GetTargetId()).filter = r.Filter.GetCount()
	}
	return false, nil
}

func (l *listener) gone(name string, ids []int32) {
	for _, id := range ids {
		w := l.target(id)
		delete(w.docs, l.path(name))
		w.events = append(w.events, "gone "+l.path(name))
	}
}

func (l *listener) change(c *pb.TargetChange) (snapshot bool) {
	for id, w := range l.changed(c.GetTargetIds()) {
		switch c.GetTargetChangeType() {
		case pb.TargetChange_ADD:
			w.added, w.current, w.removed, w.events = true, false, false, nil
		case pb.TargetChange_REMOVE:
			w.removed, w.current, w.cause = true, false, codes.Code(c.GetCause().GetCode())
			clear(w.docs)
		case pb.TargetChange_CURRENT:
			w.current = true
		case pb.TargetChange_RESET:
			clear(w.docs)
			w.current = false
			w.events = append(w.events, "reset")
		}
		if len(c.GetResumeToken()) > 0 {
			w.token = c.GetResumeToken()
		}
		l.targets[id] = w
	}
	if c.GetReadTime() == nil || len(c.GetTargetIds()) > 0 {
		return false
	}
	require.False(l.t, c.GetReadTime().AsTime().Before(l.read.AsTime()) && l.read != nil, "a snapshot goes back in time")
	l.read = c.GetReadTime()
	return true
}

// changed are the targets that ids mean: all of them if there are none.
func (l *listener) changed(ids []int32) map[int32]*watched {
	if len(ids) == 0 {
		return l.targets
	}
	some := map[int32]*watched{}
	for _, id := range ids {
		some[id] = l.target(id)
	}
	return some
}

func (l *listener) path(name string) string { return strings.TrimPrefix(name, l.t.Root()+"/") }

// until reads until a condition holds after an answer.
func (l *listener) until(what string, condition func() bool) {
	l.t.Helper()
	l.wait(what, condition, false)
}

// untilSnapshot reads until a condition holds at a consistent snapshot, which may be the last.
func (l *listener) untilSnapshot(what string, condition func() bool) {
	l.t.Helper()
	l.wait(what, condition, true)
}

func (l *listener) wait(what string, condition func() bool, snapshots bool) {
	l.t.Helper()
	if l.consistent && condition() {
		return
	}
	for {
		snapshot, err := l.receive()
		require.NoError(l.t, err, "while waiting for: %s\n%s", what, l)
		if snapshot && l.each != nil {
			l.each()
		}
		if (snapshot || !snapshots) && condition() {
			return
		}
	}
}

// shows reads until a target is current and shows exactly these documents at a snapshot.
func (l *listener) shows(id int32, want docs) {
	l.t.Helper()
	l.untilSnapshot(fmt.Sprintf("target %d shows %v", id, want), func() bool {
		w := l.target(id)
		return w.current && cmp.Equal(want, w.contents(), protocmp.Transform())
	})
}

// contents are the fields of the documents that a target shows.
func (w *watched) contents() docs {
	all := docs{}
	for path, d := range w.docs {
		f := d.GetFields()
		if len(f) == 0 {
			f = nil
		}
		all[path] = f
	}
	return all
}

// refused reads until a target is removed as an invalid argument, or the stream ends so.
func (l *listener) refused(id int32) {
	l.t.Helper()
	l.refusedAs(id, codes.InvalidArgument)
}

// refusedAs reads until a target is removed because of one of these codes, or the stream ends with
// it.
func (l *listener) refusedAs(id int32, want ...codes.Code) {
	l.t.Helper()
	for {
		if _, err := l.receive(); err != nil {
			require.Contains(l.t, want, status.Code(err), "%v", err)
			return
		}
		if w := l.target(id); w.removed {
			require.Contains(l.t, want, w.cause)
			return
		}
	}
}

// ends reads until the stream fails and checks its code.
func (l *listener) ends(want codes.Code) {
	l.t.Helper()
	for {
		if _, err := l.receive(); err != nil {
			require.Equal(l.t, want, status.Code(err), "%v", err)
			return
		}
	}
}

// String tells what is known of every target.
func (l *listener) String() string {
	var b strings.Builder
	for id, w := range l.targets {
		fmt.Fprintf(&b, "target %d: added %v, current %v, removed %v (%v), filter %d, events %q, shows %v\n",
			id, w.added, w.current, w.removed, w.cause, w.filter, w.events, w.contents())
	}
	return b.String()
}
