package chaos

import (
	"fmt"
	"maps"
	"path"
	"slices"

	"cloud.google.com/go/firestore"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/index"
	"hippocampus/memory"
)

const maxDocument = 1 << 20 // bytes, Firestore's limit

// fillShard fills the first shard of a tenant with the keys of names that were
// removed long ago, so that no other entry finds room in it.
func (s *schedule) fillShard(t *tenant) {
	s.fillsShard = false
	fillShard(s, t.index)
	s.note("%s: its first shard is full", t.path)
	s.change(t)
	before := s.refusals
	for len(t.pending) > 0 { // some fail, and come again
		s.deliverAll(t, t.pending)
	}
	if s.refusals > before && !s.exists(t, index.RequestID) {
		s.failf("a shard of %s is full, and nobody has asked for a compaction:\n%s", t.path,
			s.dump(t))
	}
}

func fillShard(s *schedule, indexPath string) {
	ref := s.client.Collection(indexPath).Doc(index.ShardID(0))
	doc, err := ref.Get(s.ctx)
	if status.Code(err) != codes.NotFound {
		s.mustFirestore(err)
	}
	present, _ := doc.Data()[index.EntriesField].(map[string]any)
	entries := maps.Clone(present)
	if entries == nil {
		entries = map[string]any{}
	}
	filler := map[string]any{}
	longest := memory.MaxNameBytes - 10
	for n := 1; ; n++ {
		room := maxDocument - memory.DocumentSize(indexPath+"/"+path.Base(ref.Path),
			map[string]any{index.EntriesField: entries})
		// A name of b bytes takes 4b/3 in an id, and a key and a date some more.
		length := min(longest, (room-30)*3/4)
		if length < 8 {
			break
		}
		id, err := memory.ID(fmt.Sprintf("%0*d", length, n))
		s.mustFirestore(err)
		key := index.Key(memory.Micros(n), id)
		entries[key], filler[key] = someDay, someDay
	}
	paths := make([]firestore.FieldPath, 0, len(filler))
	for key := range filler {
		paths = append(paths, firestore.FieldPath{index.EntriesField, key})
	}
	_, err = ref.Set(s.ctx, map[string]any{index.EntriesField: filler}, firestore.Merge(paths...))
	s.mustFirestore(err)
}

// exists reports whether the index of a tenant holds a document.
func (s *schedule) exists(t *tenant, id string) bool {
	docs, err := s.client.GetAll(s.ctx, []*firestore.DocumentRef{s.client.Collection(t.index).Doc(id)})
	s.mustFirestore(err)
	return docs[0].Exists()
}

// sortedKeys returns the first keys of a shard, in order.
func sortedKeys(entries map[string]any, most int) []string {
	keys := slices.Sorted(maps.Keys(entries))
	return keys[:min(len(keys), most)]
}

func isMeta(doc *firestore.DocumentSnapshot) bool { return doc.Ref.ID == index.MetaID }
