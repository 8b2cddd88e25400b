package ways

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"time"

	"cloud.google.com/go/firestore"
)

const (
	fewestMaps = 8
	// Limits of a map, well below Firestore's 1 MiB and 40,000 index entries a document: ids spread
	// by their hash, so that some documents have more than their share.
	mapBytes   = 512 << 10
	mapEntries = 8000
)

// WriteMaps writes the list as maps of fields {id: date}, over 8 documents of the collection at, or
// as many as its size needs. The collection should be empty: what else is in it would be listed,
// too.
func WriteMaps(ctx context.Context, client *firestore.Client, at string, entries []Entry) error {
	collection, err := open(client, at)
	if err != nil {
		return err
	}
	size := 0
	for _, e := range entries {
		size += len(e.id()) + 1 + 8
	}
	maps := make([]map[string]any, max(fewestMaps, size/mapBytes+1, len(entries)/mapEntries+1))
	for i := range maps {
		maps[i] = map[string]any{}
	}
	for _, e := range entries {
		hash := fnv.New32a()
		hash.Write([]byte(e.id()))
		maps[int(hash.Sum32()%uint32(len(maps)))][e.id()] = time.UnixMicro(e.Date)
	}
	for i, m := range maps {
		if _, err := collection.Doc(strconv.Itoa(i)).Set(ctx,
			map[string]any{"entries": m}); err != nil {
			return fmt.Errorf("write maps of %d memories at %s: document %d of %d: %w",
				len(entries), at, i, len(maps), err)
		}
	}
	return nil
}

// Maps lists from the maps that WriteMaps has written at a collection. It returns how many
// documents were read, as billed. The entries have no versions. Of the options, DateField does not
// matter.
func Maps(ctx context.Context, client *firestore.Client, at string,
	o Options) ([]Entry, int, error) {
	collection, err := open(client, at)
	if err != nil {
		return nil, 0, err
	}
	var entries []Entry
	documents := 0
	err = each(ctx, collection.Query, o.ReadTime, func(s *firestore.DocumentSnapshot) error {
		documents++
		dates, ok := s.Data()["entries"].(map[string]any)
		if !ok {
			return fmt.Errorf("document %s has no map of entries", s.Ref.ID)
		}
		for id, value := range dates {
			date, ok := value.(time.Time)
			if !ok {
				return fmt.Errorf("document %s: the date of %q is no timestamp", s.Ref.ID, id)
			}
			e := named(id, o.PlainIDs)
			e.Date = date.UnixMicro()
			entries = append(entries, e)
		}
		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("list from maps at %s: %w", at, err)
	}
	slices.SortFunc(entries, compare)
	return entries, max(1, documents), nil
}
