package trigger

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"hippocampus/emulator/internal/cloudevent"
	"hippocampus/emulator/internal/store"
	"hippocampus/emulator/internal/value"
)

func (q *Queue) attributes(e event) cloudevent.Attributes {
	return cloudevent.Attributes{
		ID: q.id(e), Type: e.watch.EventType, Time: e.at,
		Project: q.opts.Project, Database: e.watch.Database, Document: string(e.change.Path),
	}
}

// id is the id of an event: no two changes have the same database, time and document. It is the
// same again for the same seed and times.
func (q *Queue) id(e event) string {
	h := sha256.New()
	var fixed []byte
	fixed = binary.BigEndian.AppendUint64(fixed, q.opts.Seed)
	fixed = binary.BigEndian.AppendUint64(fixed, uint64(e.at.UnixMicro()))
	h.Write(fixed)
	fmt.Fprintf(h, "%q%q%q%q", q.opts.Project, e.watch.Database, string(e.change.Path),
		e.watch.EventType)
	b := h.Sum(nil)
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16])
}

// The fields of google.events.cloud.firestore.v1.DocumentEventData. Its documents have the same
// form on the wire as Firestore's own.
const (
	valueField      = 1
	oldValueField   = 2
	updateMaskField = 3
)

// data encodes the DocumentEventData of a change.
func data(c store.Change) ([]byte, error) {
	var out []byte
	for _, part := range []struct {
		field protowire.Number
		doc   *firestorepb.Document
	}{{valueField, c.After}, {oldValueField, c.Before}} {
		if part.doc == nil {
			continue
		}
		encoded, err := proto.MarshalOptions{Deterministic: true}.Marshal(part.doc)
		if err != nil {
			return nil, err
		}
		out = protowire.AppendTag(out, part.field, protowire.BytesType)
		out = protowire.AppendBytes(out, encoded)
	}
	mask := &firestorepb.DocumentMask{}
	if c.Before != nil && c.After != nil {
		mask.FieldPaths = changed(nil, nil, c.Before.GetFields(), c.After.GetFields())
		slices.Sort(mask.FieldPaths)
	}
	encoded, err := proto.Marshal(mask)
	if err != nil {
		return nil, err
	}
	out = protowire.AppendTag(out, updateMaskField, protowire.BytesType) // an empty one, too, as the official emulator
	return protowire.AppendBytes(out, encoded), nil
}

// changed appends the paths, below prefix, of the fields that differ: of those in maps that were
// maps before, each by itself.
func changed(paths []string, prefix value.Path, before,
	after map[string]*firestorepb.Value) []string {
	for name, old := range before {
		path := append(prefix[:len(prefix):len(prefix)], name)
		now := after[name]
		switch {
		case now != nil && value.Identical(old, now):
		case value.ClassOf(old) == value.Map && value.ClassOf(now) == value.Map:
			paths = changed(paths, path, old.GetMapValue().GetFields(),
				now.GetMapValue().GetFields())
		default:
			paths = append(paths, path.String())
		}
	}
	for name := range after {
		if before[name] == nil {
			paths = append(paths, append(prefix[:len(prefix):len(prefix)], name).String())
		}
	}
	return paths
}
