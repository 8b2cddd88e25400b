package index

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"

	"hippocampus/memory"
)

var blockDecoder, _ = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxColumnBytes),
	zstd.WithDecoderConcurrency(0))

// DecodeBlock appends the entries of a block to entries. A block that is not
// whole and sound is refused with an error that wraps ErrDamaged, and one of
// another block version with one that wraps ErrFormat. It allocates one string
// for all names; the entries share it. However the block was made, it takes at
// most some 150 MiB of memory.
func DecodeBlock(entries []Entry, block []byte) ([]Entry, error) {
	if len(block) < blockHeader || string(block[:3]) != blockMagic {
		return nil, fmt.Errorf("%w: a part of the base is no block", ErrDamaged)
	}
	if block[3] != blockVersion {
		return nil, fmt.Errorf("%w: block version %d, this code reads %d", ErrFormat, block[3],
			blockVersion)
	}
	if xxhash.Sum64(block[blockHeader:]) != binary.BigEndian.Uint64(block[8:]) {
		return nil, fmt.Errorf("%w: the checksum of a part of the base does not match", ErrDamaged)
	}
	columns, err := blockDecoder.DecodeAll(block[blockHeader:], nil)
	if err != nil {
		return nil, fmt.Errorf("%w: a part of the base does not decompress: %w", ErrDamaged, err)
	}
	count := int(binary.BigEndian.Uint32(block[4:]))
	if count > maxPartEntries || count > len(columns)/minEntryBytes {
		return nil, fmt.Errorf("%w: a part of the base cannot hold its %d entries", ErrDamaged, count)
	}
	start := len(entries)
	entries = slices.Grow(entries, count)[:start+count]
	if !decodeColumns(entries[start:], columns) {
		return nil, fmt.Errorf("%w: the columns of a part of the base are not sound", ErrDamaged)
	}
	return entries, nil
}

// decodeColumns fills the entries, and reports whether the columns held exactly
// them, in list order.
func decodeColumns(entries []Entry, columns []byte) bool {
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
			return false
		}
		entries[i].Deleted, entries[i].RawID = f&flagDeleted != 0, f&flagRawID != 0
	}
	if c.bad {
		return false
	}
	names := string(c.rest)
	for i := range entries {
		n := strings.IndexByte(names, nameEnd)
		if n <= 0 || !utf8.ValidString(names[:n]) {
			return false
		}
		entries[i].Name, names = names[:n], names[n+1:]
		if i > 0 && Compare(entries[i-1], entries[i]) >= 0 {
			return false
		}
	}
	return names == ""
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
