package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/memory"
)

func TestCase13_DoctorNamesTwins(t *testing.T) {
	p := newPatient(t)
	p.put("caf\u00e9", 1).put("cafe\u0301", 2)        // é, as one code point and as two
	p.put("\u212b", 3).put("\u00c5", 4).put("Å", 5)   // the last two are the same memory
	p.put("cafe", 6).put("CAF\u00c9", 7).put("日本", 8) // like no other
	p.repair(0)

	found, grades := p.finds(0, "--horizon", "0")
	require.Equal(t, map[string]string{"names": "warning"}, notFine(grades))
	require.Equal(t, 2, found.Twins)
	require.Equal(t, 7, found.Memories, "every one of them is a memory")
	require.Equal(t, 7, found.Index.Listed, "and listed")

	said := p.says()
	require.Zero(t, said.code)
	require.Contains(t, said.out, "warn  names      2 names are shared by several memories but for the way letters are composed\n")
	require.Contains(t, said.out, `  "caf\u00e9"  and  "cafe\u0301"`+"\n")
	require.Contains(t, said.out, `  "\u00c5"  and  "\u212b"`+"\n")
	require.NotContains(t, said.out, "u65e5")

	p.remove("cafe\u0301").remove("\u212b").repair(0)
	_, grades = p.finds(0, "--horizon", "0")
	require.Empty(t, notFine(grades))
}

func TestCase13_DoctorTellsAnIDFromAName(t *testing.T) {
	// The id of one document is the name of the other, so the list shows one name twice.
	p := newPatient(t).put("x y", 1).putDocument("x y", map[string]any{"updated_at": time.Unix(1, 0)})
	_, grades := p.finds(1)
	require.Equal(t, "warning", grades["names"])
	require.Contains(t, p.says().out, "  x y  and  x y (the id as it stands)\n")
}

func TestCase15_DoctorNamesForeignIDs(t *testing.T) {
	date := map[string]any{"updated_at": time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)}
	p := newPatient(t).put("pages/A", 1)
	tooLong := strings.Repeat("x", memory.MaxIDBytes+20)
	for _, id := range []string{"not base64url!", "ok\n  ok    ids", "QR", tooLong} {
		p.putDocument(id, date)
	}
	p.repair(0)

	found, grades := p.finds(0, "--horizon", "0")
	require.Equal(t, map[string]string{"ids": "warning"}, notFine(grades))
	require.Equal(t, 4, found.ForeignIDs)
	require.Equal(t, 5, found.Index.Listed, "they are listed all the same")

	said := p.says()
	require.Zero(t, said.code)
	require.Contains(t, said.out, "warn  ids        4 documents have ids that are not the id of a name\n")
	require.Contains(t, said.out, "  not base64url!\n")
	require.Contains(t, said.out, `  ok\u{a}  ok    ids`+"\n")
	require.Contains(t, said.out, "  QR\n", "base64, but not as the encoder writes it")
	require.Contains(t, said.out, strings.Repeat("x", 120)+"…  too long for a shard")
	require.Contains(t, said.out, "set HIPPO_IDS=plain")
}

func TestCase15_DoctorTakesPlainIDs(t *testing.T) {
	p := newPatient(t).putDocument("not base64url!", map[string]any{"updated_at": time.Unix(1, 0)})
	found, grades := p.finds(1, "--ids", "plain") // there is no index
	require.Equal(t, "ok", grades["ids"])
	require.Zero(t, found.ForeignIDs)
}

func TestCase18_DoctorNamesUndated(t *testing.T) {
	p := newPatient(t).put("dated", 1).put("undated", 0)
	for name, date := range map[string]any{"text": "2026-05-01", "number": 5, "null": nil} {
		id, err := memory.ID(name)
		require.NoError(t, err)
		p.putDocument(id, map[string]any{"updated_at": date})
	}
	// A date that is the time of the last change by chance is a date.
	id, err := memory.ID("dated by chance")
	require.NoError(t, err)
	p.putDocument(id, map[string]any{"updated_at": time.Now()})
	p.repair(0)

	found, grades := p.finds(0, "--horizon", "0")
	require.Equal(t, map[string]string{"dates": "warning"}, notFine(grades))
	require.Equal(t, 4, found.Undated)
	require.Equal(t, 6, found.Index.Listed, "none is hidden")

	said := p.says()
	require.Zero(t, said.code)
	require.Contains(t, said.out, "warn  dates      4 memories have no timestamp in updated_at\n")
	for _, name := range []string{"undated", "text", "number", "null"} {
		require.Regexp(t, fmt.Sprintf(`(?m)^  %s  dated \S+ \S+ UTC by its last change$`, name), said.out)
	}
	require.NotContains(t, said.out, "  dated  dated")

	// Of another field none has a timestamp.
	found, _ = p.finds(1, "--date-field", "modified")
	require.Equal(t, 6, found.Undated)
	require.Contains(t, p.says("--date-field", "modified").out, "  … and 1 more\n")
}
