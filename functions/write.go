package functions

import (
	"context"
	"errors"
	"fmt"

	"cloud.google.com/go/firestore"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/index"
	"hippocampus/repair"
)

// outcome is what an error of Firestore means for what to do next. This is the
// only place where gRPC codes are looked at.
type outcome int

const (
	done      outcome = iota
	contended         // others write the same document: wait, then try again
	refused           // invalid as it stands: the document is full, or the write impossible
	exists            // what was to be created is there
	failed            // anything else: trying again later can help
)

func outcomeOf(err error) outcome {
	switch status.Code(err) {
	case codes.OK:
		return done
	case codes.Aborted:
		return contended
	case codes.InvalidArgument:
		return refused
	case codes.AlreadyExists:
		return exists
	}
	return failed
}

// passing reports whether what failed with such an error may succeed soon.
func passing(err error) bool {
	switch status.Code(err) {
	case codes.Unavailable, codes.Aborted, codes.Internal, codes.DeadlineExceeded, codes.ResourceExhausted:
		return true
	}
	return errors.Is(err, repair.ErrOvertaken) || errors.Is(err, repair.ErrLost)
}

// writeShard merges an update into a shard document with one blind write.
func (s *Service) writeShard(ctx context.Context, path string, u *index.Update) error {
	entries := make(map[string]any, len(u.Set)+len(u.Remove))
	paths := make([]firestore.FieldPath, 0, len(u.Set)+len(u.Remove))
	for key, date := range u.Set {
		entries[key] = nil
		if date != nil {
			entries[key] = date.Time()
		}
		paths = append(paths, firestore.FieldPath{index.EntriesField, key})
	}
	for key := range u.Remove {
		entries[key] = firestore.Delete
		paths = append(paths, firestore.FieldPath{index.EntriesField, key})
	}
	_, err := s.client.Doc(path).Set(ctx, map[string]any{index.EntriesField: entries}, firestore.Merge(paths...))
	return err
}

// askCompaction creates the request document of an index, if there is none.
func (s *Service) askCompaction(ctx context.Context, indexPath, reason string) error {
	request := index.Request{Kind: index.Compaction, Reason: reason}.Fields(firestore.ServerTimestamp)
	_, err := s.client.Doc(indexPath+"/"+index.RequestID).Create(ctx, request)
	if outcomeOf(err) == exists {
		return nil // asked for already
	}
	if err != nil {
		return fmt.Errorf("ask for a compaction of %s: %w", indexPath, err)
	}
	return nil
}
