package index

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"hippocampus/memory"
)

// A part of the base is one block:
//
//	offset  size
//	0       3     magic "hpb"
//	3       1     block version, 1
//	4       4     number of entries, big-endian
//	8       8     xxhash64 of all that follows, big-endian
//	16      …     one zstd frame
//
// The frame holds the entries column by column, in list order:
//
//	dates     one uvarint an entry: microseconds that its date lies before that
//	          of the entry above; the first entry's is a varint since the epoch
//	versions  one varint an entry: version − date
//	flags     one byte an entry: 1 tombstone, 2 the name is the raw id
//	lengths   one uvarint an entry: bytes of the name
//	names     the names' bytes
//
// Varints are those of encoding/binary. Dates fall and versions lie close to
// dates, so the numbers are small; columns of like values compress well; and
// all names decode into one string.
const (
	blockMagic   = "hpb"
	blockVersion = 1
	blockHeader  = 16

	flagDeleted = 1
	flagRawID   = 2

	// MaxPartBytes is the size of the largest part, so that meta with the first
	// part stays below Firestore's 1 MiB a document.
	MaxPartBytes = 900_000

	// maxFrameBytes bounds what a frame may decode to: a part of the longest
	// names, incompressible ones even, is far below it.
	maxFrameBytes = 256 << 20

	minEntryBytes = 4 // one byte in each column before the names
)

var (
	blockEncoder, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderCRC(false), zstd.WithEncoderConcurrency(1))
	blockDecoder, _ = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxFrameBytes), zstd.WithDecoderConcurrency(0))
)

// EncodeBlock returns the entries, which are in list order, as one block.
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
	for _, e := range entries {
		columns = binary.AppendUvarint(columns, uint64(len(e.Name)))
	}
	for _, e := range entries {
		columns = append(columns, e.Name...)
	}

	block := make([]byte, blockHeader, blockHeader+len(columns)/2)
	copy(block, blockMagic)
	block[3] = blockVersion
	binary.BigEndian.PutUint32(block[4:], uint32(len(entries)))
	block = blockEncoder.EncodeAll(columns, block)
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
	for n := len(entries); ; {
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
		n = min(len(entries), n+n/20+1)
	}
}

// DecodeBlock appends the entries of a block to entries. A block that is not
// whole and sound is refused with an error that wraps ErrDamaged, and one of
// another block version with one that wraps ErrFormat. It allocates one string
// for all names; the entries share it.
func DecodeBlock(entries []Entry, block []byte) ([]Entry, error) {
	if len(block) < blockHeader || string(block[:3]) != blockMagic {
		return nil, fmt.Errorf("%w: a part of the base is no block", ErrDamaged)
	}
	if block[3] != blockVersion {
		return nil, fmt.Errorf("%w: block version %d, this code reads %d", ErrFormat, block[3], blockVersion)
	}
	if xxhash.Sum64(block[blockHeader:]) != binary.BigEndian.Uint64(block[8:]) {
		return nil, fmt.Errorf("%w: the checksum of a part of the base does not match", ErrDamaged)
	}
	columns, err := blockDecoder.DecodeAll(block[blockHeader:], nil)
	if err != nil {
		return nil, fmt.Errorf("%w: a part of the base does not decompress: %w", ErrDamaged, err)
	}
	count := int(binary.BigEndian.Uint32(block[4:]))
	if count > len(columns)/minEntryBytes {
		return nil, fmt.Errorf("%w: a part of the base is too short for its %d entries", ErrDamaged, count)
	}
	start := len(entries)
	entries = slices.Grow(entries, count)[:start+count]
	if err := decodeColumns(entries[start:], columns); err != nil {
		return nil, err
	}
	return entries, nil
}

func decodeColumns(entries []Entry, columns []byte) error {
	c := cursor{rest: columns}
	for i := range entries {
		if i == 0 {
			entries[i].Date = memory.Micros(c.varint())
		} else {
			entries[i].Date = entries[i-1].Date - memory.Micros(c.uvarint())
		}
	}
	for i := range entries {
		entries[i].Version = entries[i].Date + memory.Micros(c.varint())
	}
	for i := range entries {
		f := c.byte()
		if f&^(flagDeleted|flagRawID) != 0 {
			c.bad = true
		}
		entries[i].Deleted, entries[i].RawID = f&flagDeleted != 0, f&flagRawID != 0
	}
	lengths := c // names follow the lengths, so the lengths are read twice
	total := uint64(0)
	for range entries {
		n := c.uvarint()
		if n == 0 || n > math.MaxInt32 {
			c.bad = true
		}
		total += n
	}
	if c.bad || total != uint64(len(c.rest)) || !utf8.Valid(c.rest) {
		return fmt.Errorf("%w: the columns of a part of the base are not sound", ErrDamaged)
	}
	names := string(c.rest)
	for i := range entries {
		n := lengths.uvarint()
		entries[i].Name, names = names[:n], names[n:]
	}
	return nil
}

// cursor reads varints; bad is set once anything was missing or malformed.
type cursor struct {
	rest []byte
	bad  bool
}

func (c *cursor) uvarint() uint64 {
	v, n := binary.Uvarint(c.rest)
	if n <= 0 {
		c.bad = true
		return 0
	}
	c.rest = c.rest[n:]
	return v
}

func (c *cursor) varint() int64 {
	v, n := binary.Varint(c.rest)
	if n <= 0 {
		c.bad = true
		return 0
	}
	c.rest = c.rest[n:]
	return v
}

func (c *cursor) byte() byte {
	if len(c.rest) == 0 {
		c.bad = true
		return 0
	}
	b := c.rest[0]
	c.rest = c.rest[1:]
	return b
}
