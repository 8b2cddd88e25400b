package index_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hippocampus/index"
	"hippocampus/memory"
)

// anyEntries draws entries in list order, each of another memory.
func anyEntries(t *rapid.T, least int) []index.Entry {
	any64 := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-3, 3), rapid.SampledFrom([]int64{math.MinInt64, math.MaxInt64, -62135596800000000, 253402300799999999}))
	entries := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) index.Entry {
		e := index.Entry{
			Name:    rapid.OneOf(rapid.StringN(1, 20, -1), rapid.SampledFrom([]string{"a", "b", "\x00", "\u00ff", "日本語/メモ"})).Draw(t, "name"),
			Date:    memory.Micros(any64.Draw(t, "date")),
			Version: memory.Micros(any64.Draw(t, "version")),
			RawID:   rapid.Bool().Draw(t, "raw id"),
			Deleted: rapid.Bool().Draw(t, "deleted"),
		}
		if _, err := memory.Name(e.Name); err == nil {
			e.RawID = false // the document of that id has another name
		}
		return e
	}), least, 40, func(e index.Entry) string { return fmt.Sprint(e.RawID, e.Name) }).Draw(t, "entries")
	index.Sort(entries)
	return entries
}

func TestABlockGivesBackItsEntries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries := anyEntries(t, 0)
		block := index.EncodeBlock(entries)
		above := []index.Entry{{Name: "above"}}
		decoded, err := index.DecodeBlock(above, block)
		require.NoError(t, err)
		require.Equal(t, append(above, entries...), decoded)
		require.Equal(t, block, index.EncodeBlock(entries), "the same entries make the same bytes")
	})
}

func TestABlockOfTheLongestNames(t *testing.T) {
	entries := []index.Entry{
		{Name: strings.Repeat("é", memory.MaxNameBytes/2), Date: 2},
		{Name: strings.Repeat("x", 1500), Date: 1, RawID: true},
	}
	decoded, err := index.DecodeBlock(nil, index.EncodeBlock(entries))
	require.NoError(t, err)
	require.Equal(t, entries, decoded)
}

func TestPartsAreFull(t *testing.T) {
	entries := samples(3000, 1)
	one := index.EncodeBlock(entries)
	for name, c := range map[string]struct {
		n, most, parts int
	}{
		"nothing":         {0, 1000, 1},
		"one entry":       {1, 1000, 1},
		"exactly full":    {3000, len(one), 1},
		"one byte over":   {3000, len(one) - 1, 2},
		"many parts":      {3000, len(one) / 10, 11},
		"an entry a part": {20, 1, 20},
	} {
		t.Run(name, func(t *testing.T) {
			parts := index.EncodePartsUpTo(entries[:c.n], c.most)
			require.GreaterOrEqual(t, len(parts), c.parts)
			require.LessOrEqual(t, len(parts), c.parts+c.parts/5)
			var all []index.Entry
			for _, part := range parts {
				before := len(all)
				var err error
				all, err = index.DecodeBlock(all, part)
				require.NoError(t, err)
				if len(all)-before > 1 {
					require.LessOrEqual(t, len(part), c.most)
				}
			}
			require.True(t, slices.Equal(entries[:c.n], all))
		})
	}
}

// A part after one of long names has room for more entries.
func TestPartsGrowWithShorterNames(t *testing.T) {
	entries := samples(4000, 4)
	for i := range entries[:400] {
		entries[i].Name += strings.Repeat(fmt.Sprint(i*7919), 60)
	}
	parts := index.EncodePartsUpTo(entries, 4000)
	total := 0
	for _, part := range parts {
		total += len(part)
	}
	require.Less(t, len(parts), total/4000*13/10)
}

func TestPartsOfALongList(t *testing.T) {
	entries := samples(100_000, 2)
	parts := index.EncodeParts(entries)
	require.Len(t, parts, 2)
	var all []index.Entry
	for i, part := range parts {
		require.LessOrEqual(t, len(part), index.MaxPartBytes)
		if i < len(parts)-1 {
			require.Greater(t, len(part), index.MaxPartBytes*85/100, "a part is nearly full")
		}
		var err error
		all, err = index.DecodeBlock(all, part)
		require.NoError(t, err)
	}
	require.True(t, slices.Equal(entries, all))
}

// However well entries compress, a part holds no more than a reader can spare
// the memory for, and what was encoded can be decoded.
func TestPartsThatCompressTooWell(t *testing.T) {
	for name, c := range map[string]struct {
		n    int
		name func(i int) string
	}{
		"very many entries": {index.MaxPartEntries + 1000, func(i int) string { return fmt.Sprintf("%07d", i) }},
		"very long names":   {60_000, func(i int) string { return strings.Repeat("x", 1400) + fmt.Sprintf("%07d", i) }},
	} {
		t.Run(name, func(t *testing.T) {
			entries := make([]index.Entry, c.n)
			for i := range entries {
				entries[i].Name = c.name(i)
			}
			parts := index.EncodeParts(entries)
			require.Len(t, parts, 2)
			var all []index.Entry
			for _, part := range parts {
				var err error
				all, err = index.DecodeBlock(all, part)
				require.NoError(t, err)
			}
			require.True(t, slices.Equal(entries, all))
		})
	}
}

func refused(t testing.TB, block []byte) {
	t.Helper()
	entries, err := index.DecodeBlock(nil, block)
	require.Error(t, err)
	require.Empty(t, entries)
	if err != nil && !isFormat(err) {
		require.ErrorIs(t, err, index.ErrDamaged)
	}
}

func isFormat(err error) bool { return index.Reason(err) == "format" }

func TestADamagedBlockIsRefused(t *testing.T) {
	block := index.EncodeBlock(samples(200, 3))
	for i := range block {
		for _, flip := range []byte{1, 0x80, 0xff} {
			damaged := slices.Clone(block)
			damaged[i] ^= flip
			if i >= 4 && i < 8 {
				continue // the count, below
			}
			refused(t, damaged)
		}
		refused(t, block[:i])
	}
	refused(t, append(slices.Clone(block), 0))
	refused(t, nil)

	other := slices.Clone(block)
	other[3] = 2
	_, err := index.DecodeBlock(nil, other)
	require.ErrorIs(t, err, index.ErrFormat)
	require.ErrorContains(t, err, "block version 2, this code reads 1")
}

func TestAWrongCountIsRefused(t *testing.T) {
	for _, n := range []int{0, 1, 200} {
		block := index.EncodeBlock(samples(n, 3))
		for _, count := range []int{0, 1, n - 1, n + 1, n * 2, 1 << 18, 1<<18 + 1, math.MaxUint32} {
			if count == n || count < 0 {
				continue
			}
			wrong := slices.Clone(block)
			binary.BigEndian.PutUint32(wrong[4:], uint32(count))
			refused(t, wrong)
		}
	}
}

// craft makes a block of any columns, with a right checksum.
func craft(count int, frames ...[]byte) []byte {
	block := append([]byte("hpb\x01"), make([]byte, 12)...)
	binary.BigEndian.PutUint32(block[4:], uint32(count))
	for _, frame := range frames {
		block = craftEncoder.EncodeAll(frame, block)
	}
	return seal(block)
}

var (
	craftEncoder, _ = zstd.NewWriter(nil)
	craftDecoder, _ = zstd.NewReader(nil)
)

func seal(block []byte) []byte {
	binary.BigEndian.PutUint64(block[8:], xxhash.Sum64(block[16:]))
	return block
}

func TestUnsoundColumnsAreRefused(t *testing.T) {
	good := craft(2, []byte{20, 1, 0, 0, 0, 0}, []byte("a\xffb\xff"))
	entries, err := index.DecodeBlock(nil, good)
	require.NoError(t, err)
	require.Equal(t, []index.Entry{{Name: "a", Date: 10, Version: 10}, {Name: "b", Date: 9, Version: 9}}, entries)

	for name, block := range map[string][]byte{
		"one column short":       craft(2, []byte{20, 1, 0, 0, 0}, []byte("a\xffb\xff")),
		"one byte more":          craft(2, []byte{20, 1, 0, 0, 0, 0}, []byte("a\xffb\xffc")),
		"one name more":          craft(2, []byte{20, 1, 0, 0, 0, 0}, []byte("a\xffb\xffc\xff")),
		"one name less":          craft(2, []byte{20, 1, 0, 0, 0, 0}, []byte("abcd\xff")),
		"no end":                 craft(2, []byte{20, 1, 0, 0, 0, 0}, []byte("a\xffbcd")),
		"an empty name":          craft(2, []byte{20, 1, 0, 0, 0, 0}, []byte("\xffbcd\xff")),
		"a name that is no text": craft(2, []byte{20, 1, 0, 0, 0, 0}, []byte("a\xff\xc3\xff")),
		"a rune across names":    craft(2, []byte{20, 1, 0, 0, 0, 0}, []byte("a\xc3\xff\xa9\xff")),
		"an unknown flag":        craft(2, []byte{20, 1, 0, 0, 0, 4}, []byte("a\xffb\xff")),
		"names out of order":     craft(2, []byte{20, 0, 0, 0, 0, 0}, []byte("b\xffa\xff")),
		"an entry twice":         craft(2, []byte{20, 0, 0, 0, 0, 0}, []byte("a\xffa\xff")),
		"a varint too long":      craft(1, []byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 0, 0}, []byte("a\xff")),
		"a varint cut off":       craft(1, nil, []byte{128, 128, 128, 128, 128}),
		"dates that rise":        craft(2, append(binary.AppendUvarint([]byte{20}, math.MaxUint64), 0, 0, 0, 0), []byte("a\xffb\xff")),
		"a frame cut off":        seal(good[:len(good)-3]),
		"no frame":               seal(append(slices.Clone(good[:16]), "no frame at all"...)),
	} {
		t.Run(name, func(t *testing.T) { refused(t, block) })
	}
}

// A block of a few kilobytes may claim, or even hold, what no reader could.
func TestABombIsRefused(t *testing.T) {
	zeros := make([]byte, index.MaxColumnBytes)
	for name, block := range map[string][]byte{
		"a great count":            craft(math.MaxUint32, zeros[:100]),
		"a great count and column": craft(index.MaxColumnBytes/5, zeros),
		"a great column":           craft(1, zeros, zeros[:1]),
		"many frames":              craft(1, zeros, zeros, zeros),
		"a great window":           seal(append(append([]byte("hpb\x01"), make([]byte, 12)...), 0x28, 0xb5, 0x2f, 0xfd, 0, 0xff, 1, 0, 0)),
		"a great content size":     seal(append(append([]byte("hpb\x01"), make([]byte, 12)...), 0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 1, 0, 0)),
	} {
		t.Run(name, func(t *testing.T) {
			require.Less(t, len(block), 100_000)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			refused(t, block)
			runtime.ReadMemStats(&after)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(300<<20))
		})
	}
}

// Nor does a small block take much memory for claiming many entries.
func TestASmallBlockTakesLittleMemory(t *testing.T) {
	block := craft(index.MaxPartEntries, []byte("x"))
	refused(t, block)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	refused(t, block)
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
}

// Random bytes under a right checksum never panic.
func TestNoiseIsRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		noise := make([]byte, r.IntN(60))
		for i := range noise {
			noise[i] = byte(r.Uint32())
		}
		block := craft(1+r.IntN(6), noise[:len(noise)/2], noise[len(noise)/2:])
		if entries, err := index.DecodeBlock(nil, block); err == nil {
			require.True(t, slices.IsSortedFunc(entries, index.Compare))
		}
		refused(t, seal(append(slices.Clone(block[:16]), append(noise, 7)...)))
	}
}

func FuzzDecodeBlock(f *testing.F) {
	f.Add(index.EncodeBlock(nil))
	f.Add(index.EncodeBlock(samples(3, 1)))
	f.Add(index.EncodeBlock([]index.Entry{{Name: "é", Date: 5, Version: 9, Deleted: true}, {Name: "x", Date: -5, RawID: true}}))
	f.Add(craft(2, []byte{20, 1, 0, 0, 0, 0}, []byte("a\xffb\xff")))
	f.Add([]byte("hpb\x01"))
	f.Fuzz(func(t *testing.T, block []byte) {
		if len(block) >= 16 {
			block = seal(slices.Clone(block)) // else nothing but the checksum would be tried
		}
		entries, err := index.DecodeBlock(nil, block)
		if err != nil {
			refused(t, block)
			return
		}
		again, err := index.DecodeBlock(nil, index.EncodeBlock(entries))
		require.NoError(t, err)
		require.True(t, slices.Equal(entries, again))
	})
}

// FuzzColumns reaches what FuzzDecodeBlock finds behind zstd only by luck.
func FuzzColumns(f *testing.F) {
	f.Add(uint32(2), []byte{20, 1, 0, 0, 0, 0}, []byte("a\xffb\xff"))
	f.Add(uint32(1), []byte{20, 19, 3}, []byte("\xc3\xa9\xff"))
	f.Add(uint32(0), []byte{}, []byte{})
	f.Fuzz(func(t *testing.T, count uint32, numbers, names []byte) {
		block := craft(int(count), numbers, names)
		entries, err := index.DecodeBlock(nil, block)
		if err != nil {
			refused(t, block)
			return
		}
		require.Len(t, entries, int(count))
		again, err := index.DecodeBlock(nil, index.EncodeBlock(entries))
		require.NoError(t, err)
		require.True(t, slices.Equal(entries, again))
	})
}
