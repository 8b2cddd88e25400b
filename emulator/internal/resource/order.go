package resource

import (
	"cmp"
	"encoding/binary"
	"strings"
)

// The first byte of an id in a key: numbered ids come before all others.
const (
	keyNumber = 1
	keyText   = 2
)

// Key returns p as bytes whose order is Firestore's order of names, for ordered storage:
//
//	id __id<n>__   01, then n as 8 bytes, big-endian with the sign flipped
//	another id     02, then its UTF-8, with 00 written 01 01 and 01 written 01 02, then 00
//
// for every id in turn. So the keys of everything under a document or in a collection begin with
// its key, and no other keys do.
func (p Path) Key() string {
	if p == "" {
		return ""
	}
	b := make([]byte, 0, len(p)+8)
	for rest, more := string(p), true; more; {
		var id string
		id, rest, more = strings.Cut(rest, "/")
		if n, ok := number(id); ok {
			b = append(b, keyNumber)
			b = binary.BigEndian.AppendUint64(b, uint64(n)^(1<<63))
			continue
		}
		b = append(b, keyText)
		if strings.IndexByte(id, 0) < 0 && strings.IndexByte(id, 1) < 0 {
			b = append(b, id...)
		} else {
			for i := range len(id) {
				if c := id[i]; c <= 1 {
					b = append(b, 1, c+1)
				} else {
					b = append(b, c)
				}
			}
		}
		b = append(b, 0)
	}
	return string(b)
}

// CompareNames returns -1, 0 or 1 for the order of two full names of documents: by project,
// database, and then id by id, numbered ids first and by number, others by their UTF-8. It
// allocates nothing.
func CompareNames(a, b string) int {
	for a != b {
		var x, y string
		var moreA, moreB bool
		x, a, moreA = strings.Cut(a, "/")
		y, b, moreB = strings.Cut(b, "/")
		if c := compareIDs(x, y); c != 0 {
			return c
		}
		if !moreA || !moreB {
			return cmp.Compare(len(a), len(b)) // what is left: nothing of the shorter one
		}
	}
	return 0
}

func compareIDs(a, b string) int {
	if a == b {
		return 0
	}
	n, numA := number(a)
	m, numB := number(b)
	switch {
	case numA && numB:
		return cmp.Compare(n, m)
	case numA:
		return -1
	case numB:
		return 1
	default:
		return strings.Compare(a, b)
	}
}
