package index

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"
)

// A part of the base is one block:
//
//	offset  size
//	0       3     magic "hpb"
//	3       1     block version, 1
//	4       4     number of entries, big-endian
//	8       8     xxhash64 of all that follows, big-endian
//	16      …     two zstd frames: numbers, names
//
// The frames hold the entries column by column, in list order:
//
//	dates     one uvarint an entry: microseconds that its date lies before that
//	          of the entry above; the first entry's is a varint since the epoch
//	versions  one varint an entry: version − date
//	flags     one byte an entry: 1 tombstone, 2 the name is the raw id
//	names     each name's bytes and 0xff, which no UTF-8 contains
//
// Varints are those of encoding/binary. Dates fall and versions lie close to
// dates, so the numbers are small; columns of like values compress well, names
// best on their own; and all names decode into one string.
const (
	blockMagic   = "hpb"
	blockVersion = 1
	blockHeader  = 16

	flagDeleted = 1
	flagRawID   = 2

	nameEnd = 0xff

	// MaxPartBytes is the size of the largest part, so that meta with the first
	// part stays below Firestore's 1 MiB a document.
	MaxPartBytes = 900_000

	// A part has at most maxPartEntries entries, and its columns at most
	// maxColumnBytes, so that no part, however well it compresses, takes more
	// memory to decode than a reader can spare. Ordinary ones are at a fifth of
	// the one and a twentieth of the other.
	maxPartEntries = 1 << 18
	maxColumnBytes = 64 << 20

	minEntryBytes = 5  // one byte in each column, two of the name
	maxEntryBytes = 22 // besides the name: two varints, the flags, the name's end
)

var blockEncoder, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression),
	zstd.WithEncoderCRC(false), zstd.WithEncoderConcurrency(1))

// EncodeBlock returns the entries, which are in list order and fit one part, as
// one block.
func EncodeBlock(entries []Entry) []byte {
	columns := make([]byte, 0, 32*len(entries))
	for i, e := range entries {
		if i == 0 {
			columns = binary.AppendVarint(columns, int64(e.Date))
		} else {
			columns = binary.AppendUvarint(columns, uint64(entries[i-1].Date-e.Date))
		}
	}
	for _, e := range entries {
		columns = binary.AppendVarint(columns, int64(e.Version-e.Date))
	}
	for _, e := range entries {
		columns = append(columns, e.flags())
	}
	names := len(columns)
	for _, e := range entries {
		columns = append(append(columns, e.Name...), nameEnd)
	}

	block := make([]byte, blockHeader, blockHeader+len(columns)/2)
	copy(block, blockMagic)
	block[3] = blockVersion
	binary.BigEndian.PutUint32(block[4:], uint32(len(entries)))
	block = blockEncoder.EncodeAll(columns[:names], block)
	block = blockEncoder.EncodeAll(columns[names:], block)
	binary.BigEndian.PutUint64(block[8:], xxhash.Sum64(block[blockHeader:]))
	return block
}

func (e Entry) flags() byte {
	var f byte
	if e.Deleted {
		f |= flagDeleted
	}
	if e.RawID {
		f |= flagRawID
	}
	return f
}

// EncodeParts returns the entries, which are in list order, as blocks of at
// most MaxPartBytes each, at least one. The first part holds the newest.
func EncodeParts(entries []Entry) [][]byte { return encodeParts(entries, MaxPartBytes) }

func encodeParts(entries []Entry, most int) [][]byte {
	var parts [][]byte
	for n := decodable(entries); ; {
		block := EncodeBlock(entries[:n])
		if len(block) > most && n > 1 {
			// Aim a little below the limit: names compress unevenly.
			n = min(n-1, max(1, n*most/len(block)*19/20))
			continue
		}
		parts = append(parts, block)
		entries = entries[n:]
		if len(entries) == 0 {
			return parts
		}
		n = min(n+n/20+1, decodable(entries))
	}
}

// decodable returns how many of the entries one part may hold, whatever it
// compresses to.
func decodable(entries []Entry) int {
	size := 0
	for i, e := range entries {
		size += len(e.Name) + maxEntryBytes
		if i == maxPartEntries || size > maxColumnBytes {
			return max(i, 1)
		}
	}
	return len(entries)
}
