package index

import (
	"fmt"
	"strconv"
	"strings"

	"hippocampus/memory"
)

// Version is the version of the stored form, and part of every path of the
// index, so that two versions can live side by side during an upgrade.
const Version = 1

// Names in the path of the index.
const (
	// Root is the collection that holds every index, one document a version.
	// It lies outside all application data: Firestore's rules are OR-ed, and a
	// rule that opens a tenant's whole tree must not open its index.
	Root = "hippocampus"
	// CollectionID is the id of every index collection. It is never the id of
	// a memory collection, so collection-group queries on memories do not see it.
	CollectionID = "memory_shards"

	indexDocument = "index"
)

// Ids of the documents of an index.
const (
	MetaID      = "meta"
	RequestID   = "request"
	ShardPrefix = "shard-"
	BasePrefix  = "base-"
)

// Shards is how many shards a contended index spreads its changes over.
const Shards = 8

// ShardID returns the document id of shard i.
func ShardID(i int) string { return ShardPrefix + strconv.Itoa(i) }

// PartID returns the document id of a further part of the base, part ≥ 1. The
// run's id is in it because two runs may work on the same generation at once,
// and the one that loses must not have overwritten the winner's parts.
func PartID(generation int64, run string, part int) string {
	return fmt.Sprintf("%s%d-%s-%d", BasePrefix, generation, run, part)
}

// Path returns the path of the index collection of the memory collection at
// the given path, or an error if that is no collection path or one that belongs
// to the index itself: an index of an index would keep changing itself.
func Path(memories string) (string, error) { return PathOf(VersionID(Version), memories) }

// PathOf is Path for any version of the stored form, by the id of its document.
func PathOf(versionID, memories string) (string, error) {
	if err := memory.CollectionPath(memories); err != nil {
		return "", err
	}
	if memories == Root || strings.HasPrefix(memories, Root+"/") ||
		memories[strings.LastIndexByte(memories, '/')+1:] == CollectionID {
		return "", fmt.Errorf("%q belongs to the index and holds no memories", memories)
	}
	return strings.Join([]string{Root, versionID, memories, indexDocument, CollectionID}, "/"), nil
}

// VersionID is the id of the document below Root that holds every index of a
// version: "v1" for version 1.
func VersionID(version int) string { return "v" + strconv.Itoa(version) }

// SplitPath is the inverse of PathOf. It refuses paths of collections that are no
// index.
func SplitPath(index string) (versionID, memories string, err error) {
	rest, ok := strings.CutPrefix(index, Root+"/")
	if ok {
		versionID, rest, ok = strings.Cut(rest, "/")
	}
	if ok {
		memories, ok = strings.CutSuffix(rest, "/"+indexDocument+"/"+CollectionID)
	}
	if !ok {
		return "", "", fmt.Errorf("%q is not the path of an index", index)
	}
	if _, err := PathOf(versionID, memories); err != nil {
		return "", "", fmt.Errorf("%q is not the path of an index: %w", index, err)
	}
	return versionID, memories, nil
}

// MemoriesPath is the inverse of Path: the path of the memory collection whose
// index is at the given path. It refuses paths of other versions and of
// collections that are no index.
func MemoriesPath(index string) (string, error) {
	versionID, memories, err := SplitPath(index)
	if err == nil && versionID != VersionID(Version) {
		err = fmt.Errorf("%q is not the path of a version %d index", index, Version)
	}
	if err != nil {
		return "", err
	}
	return memories, nil
}
