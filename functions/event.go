package functions

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"cloud.google.com/go/firestore"
	cloudevents "github.com/cloudevents/sdk-go/v2"
	"github.com/googleapis/google-cloudevents-go/cloud/firestoredata"
	"google.golang.org/protobuf/proto"

	"hippocampus/index"
	"hippocampus/internal/outcome"
	"hippocampus/memory"
)

// OnMemoryWritten takes the event of a change of a memory to the index. It
// returns when the change is committed, together with others if there are many.
// An error means: deliver the event again.
func (s *Service) OnMemoryWritten(ctx context.Context, e cloudevents.Event) error {
	ctx, cancel := context.WithTimeout(ctx, s.options.Deadline)
	defer cancel()
	s.stats.events.Add(1)
	c, err := s.read(ctx, e)
	if err == nil && len(c.update.Set) > 0 {
		err = s.commit(ctx, c)
	}
	switch {
	case errors.Is(err, errMalformed):
		s.reportMalformed(ctx, e, err)
	case errors.Is(err, errPoison):
		s.reportPoison(ctx, c, err)
	case err != nil:
		return fmt.Errorf("event %s of %s/%s: %w", e.ID(), c.memories, c.id, err)
	case len(c.update.Set) == 0:
		s.stats.unchanged.Add(1)
	}
	return nil
}

// commit returns when a change is in a shard.
func (s *Service) commit(ctx context.Context, c change) error {
	if len(c.id) > memory.MaxIDBytes {
		return fmt.Errorf("%w: its id has %d bytes and the index holds %d at most", errPoison,
			len(c.id), memory.MaxIDBytes)
	}
	return s.committer.commit(ctx, c.memories, c.id, c.update)
}

// reportMalformed reports an event that can never be understood. It is acknowledged:
// delivering it again for a day would help nobody.
func (s *Service) reportMalformed(ctx context.Context, e cloudevents.Event, err error) {
	s.stats.malformed.Add(1)
	s.log.ErrorContext(ctx, "event dropped: it cannot be understood",
		"event", e.ID(), "type", e.Type(), "subject", e.Subject(), "error", err.Error())
}

// reportPoison reports a change that no shard can hold. The next full fold takes the
// memory into the base.
func (s *Service) reportPoison(ctx context.Context, c change, err error) {
	s.stats.poison.Add(1)
	s.log.ErrorContext(ctx, "event dropped: no shard can hold the change; the next repair finds it",
		"collection", c.memories, "id", c.id, "error", err.Error())
}

// change is what an event means for the index of a collection.
type change struct {
	memories string // path of the collection
	id       string
	update   index.Update // empty if there is nothing to write
}

// read returns what an event means. It reads the memory only if the event does
// not say. An error that is not errMalformed comes with the change's path.
func (s *Service) read(ctx context.Context, e cloudevents.Event) (c change, err error) {
	p, err := s.root.parse(e)
	if err != nil {
		return c, err
	}
	if c, err = s.changeOf(p.path); err != nil {
		return c, err
	}
	if p.value == nil && p.old == nil {
		err := s.readNow(ctx, p.path, &c)
		return c, err
	}
	changed := index.Change{ID: c.id}
	if changed.New, err = s.state(p.value); err != nil {
		return c, err
	}
	if changed.Old, err = s.state(p.old); err != nil {
		return c, err
	}
	c.update.Add(changed)
	return c, nil
}

// changeOf returns a change of the memory at a path, with nothing to write yet.
func (s *Service) changeOf(path string) (c change, err error) {
	var ok bool
	if c.memories, c.id, ok = split(path); !ok || !s.pattern.matches(c.memories) {
		return c, malformed("document %q is no memory by %s=%s: correct it, or the trigger",
			path, envMemories, s.config.Memories)
	}
	if _, err := index.Path(c.memories); err != nil {
		return c, malformed("%w", err)
	}
	return c, nil
}

// state returns what a document in an event says of a memory; nil for none.
func (s *Service) state(doc *firestoredata.Document) (*index.State, error) {
	if doc == nil {
		return nil, nil
	}
	if err := doc.GetUpdateTime().CheckValid(); err != nil {
		return nil, malformed("document %q has no valid update time: %w", doc.GetName(), err)
	}
	version := memory.MicrosOf(doc.GetUpdateTime().AsTime())
	return &index.State{Version: version,
		Date: memory.Date(dateOf(doc, s.config.Schema.Field()), version)}, nil
}

// dateOf returns the date field as Firestore's client would: a time.Time for a timestamp, nil
// for anything else, which memory.Date treats alike.
func dateOf(doc *firestoredata.Document, field string) any {
	value, ok := doc.GetFields()[field].GetValueType().(*firestoredata.Value_TimestampValue)
	if !ok || value.TimestampValue == nil {
		return nil
	}
	return value.TimestampValue.AsTime()
}

// readNow finds out what an event without payload is about.
func (s *Service) readNow(ctx context.Context, path string, c *change) error {
	s.stats.read.Add(1)
	snapshot, err := s.client.Doc(path).Get(ctx)
	switch {
	case snapshot != nil && !snapshot.Exists():
		c.update.AddAbsence(c.id, memory.MicrosOf(snapshot.ReadTime))
		return nil
	case outcome.Of(err) == outcome.Invalid:
		return malformed("it has no payload, and the path in its header cannot be read: %w", err)
	case err != nil:
		return fmt.Errorf("read %s, whose event has no payload: %w", path, err)
	}
	version := memory.MicrosOf(snapshot.UpdateTime)
	date, err := snapshot.DataAtPath(firestore.FieldPath{s.config.Schema.Field()})
	if err != nil {
		date = nil // the field is missing
	}
	c.update.Add(index.Change{ID: c.id, New: &index.State{Version: version,
		Date: memory.Date(date, version)}})
	return nil
}

// databaseRoot is the prefix of all document names of a database:
// projects/p/databases/d/documents/.
type databaseRoot string

// rootOf returns that of a client's database.
func rootOf(client *firestore.Client) databaseRoot {
	const id = "x"
	return databaseRoot(strings.TrimSuffix(client.Collection(id).Path, id))
}

// path returns the path, relative to the database, of a document by its full name.
func (d databaseRoot) path(name string) (string, error) {
	path, ok := strings.CutPrefix(name, string(d))
	if !ok {
		return "", malformed("document %q is not in the database of this function, %s: set %s and %s, or correct the trigger",
			name, strings.TrimSuffix(string(d), "/documents/"), envProject, envDatabase)
	}
	return path, nil
}

// payload is the body of an event.
type payload struct {
	path       string // of the document
	value, old *firestoredata.Document
}

// parse reads an event's body. The document's path is taken from the body, and from a header
// only if the body was dropped: headers damage paths that are not ASCII.
func (d databaseRoot) parse(e cloudevents.Event) (payload, error) {
	var data firestoredata.DocumentEventData
	if err := (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(e.Data(),
		&data); err != nil {
		return payload{}, malformed("its body of %d bytes is not the protobuf of a Firestore event: %w", len(e.Data()), err)
	}
	p := payload{value: data.GetValue(), old: data.GetOldValue()}
	var err error
	switch {
	case p.value == nil && p.old == nil:
		p.path, err = d.headerPath(e)
	case p.value != nil && p.old != nil && p.value.GetName() != p.old.GetName():
		err = malformed("it is of two documents, %q and %q", p.value.GetName(), p.old.GetName())
	case p.value != nil:
		p.path, err = d.path(p.value.GetName())
	default:
		p.path, err = d.path(p.old.GetName())
	}
	return p, err
}

// headerPath returns the path that the event's attributes give.
func (d databaseRoot) headerPath(e cloudevents.Event) (string, error) {
	attribute := func(name string) string {
		s, _ := e.Extensions()[name].(string)
		// Encoded as the HTTP binding of CloudEvents says (3.1.3.2); what does not
		// decode was not encoded.
		if decoded, err := url.PathUnescape(s); err == nil {
			return decoded
		}
		return s
	}
	path := attribute("document")
	if path == "" {
		return "", malformed("it has neither a payload nor the attribute document")
	}
	if !utf8.ValidString(path) || strings.ContainsRune(path, utf8.RuneError) {
		return "", malformed("it has no payload, and the path in its header is damaged: %q", path)
	}
	if project, database := attribute("project"), attribute("database"); project != "" &&
		database != "" {
		return d.path(fmt.Sprintf("projects/%s/databases/%s/documents/%s", project, database, path))
	}
	return path, nil
}

// split splits a document's path into its collection's and its id.
func split(path string) (collection, id string, ok bool) {
	i := strings.LastIndexByte(path, '/')
	if i <= 0 || i == len(path)-1 {
		return "", "", false
	}
	return path[:i], path[i+1:], true
}

// errMalformed marks an event that can never be understood, however often it is
// delivered.
var errMalformed = errors.New("malformed event")

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %w", errMalformed, fmt.Errorf(format, args...))
}
