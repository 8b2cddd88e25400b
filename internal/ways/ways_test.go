package ways_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/index"
	"hippocampus/internal/eval/bill"
	"hippocampus/internal/eval/corpus"
	"hippocampus/internal/ways"
	"hippocampus/memory"
)

const (
	collection = "tenants/acme/memories"
	at         = "maps/acme/shards"
)

type way func(context.Context, *firestore.Client, string, ways.Options) ([]ways.Entry, int, error)

var scans = map[string]way{"full": ways.FullScan, "names": ways.NamesScan}

func day(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 123456000, time.UTC) }

func id(name string) string { return base64.RawURLEncoding.EncodeToString([]byte(name)) }

// put writes a document and returns when.
func put(t *testing.T, client *firestore.Client, id string, fields map[string]any) time.Time {
	t.Helper()
	result, err := client.Collection(collection).Doc(id).Set(t.Context(), fields)
	require.NoError(t, err)
	return result.UpdateTime
}

func TestTheListIsAsDefined(t *testing.T) {
	client := emulatortest.Client(t, emulatortest.Start(t))
	version := map[string]int64{}
	for id, date := range map[string]any{
		id("b"): day(2), id("a"): day(2), id("é"): day(2), id("new"): day(9), id("old"): day(1), id("Z"): day(2),
		"b":                       day(2), // has the name of another
		"no base64url":            day(3),
		"YQ==":                    day(3), // padded
		"YR":                      day(3), // stray bits
		"_w":                      day(3), // not UTF-8
		strings.Repeat("A", 1480): day(4), // as long as the longest name's
		strings.Repeat("A", 1484): day(4), // longer
		id("undated"):             nil, id("text"): "2026-01-09", id("number"): int64(7),
	} {
		version[id] = put(t, client, id, map[string]any{"updated_at": date, "body": "x"}).UnixMicro()
	}
	version[id("without")] = put(t, client, id("without"), map[string]any{}).UnixMicro()
	for name, scan := range scans {
		t.Run(name, func(t *testing.T) {
			got, documents, err := scan(t.Context(), client, collection, ways.Options{})
			require.NoError(t, err)
			require.Equal(t, len(version), documents)
			var names []string
			for _, e := range got {
				docID := id(e.Name)
				if e.RawID {
					docID = e.Name
				}
				require.Equal(t, version[docID], e.Version)
				if e.Date != e.Version {
					names = append(names, fmt.Sprint(e.Name[:min(12, len(e.Name))], " ", e.RawID, " ", time.UnixMicro(e.Date).UTC().Day()))
				}
			}
			require.Equal(t, []string{
				"new false 9",
				strings.Repeat("\x00", 12) + " false 4", "AAAAAAAAAAAA true 4",
				"YQ== true 3", "YR true 3", "_w true 3", "no base64url true 3",
				"Z false 2", "a false 2", "b false 2", "b true 2", "é false 2",
				"old false 1",
			}, names)
			for i, e := range got[:4] {
				require.Equal(t, e.Version, e.Date, "number %d has no date and is new", i)
			}
		})
	}
}

func TestOptions(t *testing.T) {
	client := emulatortest.Client(t, emulatortest.Start(t))
	put(t, client, "abcd", map[string]any{"seen.at": day(1), "updated_at": day(5)})
	before := put(t, client, "efgh", map[string]any{"seen.at": day(2)})
	after := put(t, client, "ijkl", map[string]any{"seen.at": day(3)})
	require.Greater(t, after, before)
	o := ways.Options{PlainIDs: true, DateField: "seen.at"}
	for name, scan := range scans {
		t.Run(name, func(t *testing.T) {
			for _, c := range []struct {
				at   time.Time
				want []string
			}{{before, []string{"efgh", "abcd"}}, {time.Time{}, []string{"ijkl", "efgh", "abcd"}}} {
				o.ReadTime = c.at
				entries, documents, err := scan(t.Context(), client, collection, o)
				require.NoError(t, err)
				require.Equal(t, len(c.want), documents)
				for i, e := range entries {
					require.Equal(t, c.want[i], e.Name)
					require.True(t, e.RawID)
					require.Equal(t, day(len(c.want)-i).UnixMicro(), e.Date)
				}
			}
		})
	}
}

// Code of its own, and ours, find the same in a store of many scripts with equal dates.
func TestTheListIsOurScans(t *testing.T) {
	client := emulatortest.Client(t, emulatortest.Start(t))
	require.NoError(t, corpus.Write(t.Context(), client, collection, nil, corpus.Generate(5, 1500)))
	store, err := memory.NewStore(client, collection, memory.Schema{})
	require.NoError(t, err)
	var want []index.Entry
	require.NoError(t, store.Scan(t.Context(), nil, func(r memory.Record) error {
		want = append(want, index.EntryOf(memory.Base64URL, r))
		return nil
	}))
	index.Sort(want)
	for name, scan := range scans {
		t.Run(name, func(t *testing.T) {
			got, _, err := scan(t.Context(), client, collection, ways.Options{})
			require.NoError(t, err)
			require.Len(t, got, len(want))
			for i, e := range got {
				date, version := memory.Micros(e.Date), memory.Micros(e.Version)
				require.Equal(t, want[i], index.Entry{Name: e.Name, Date: date, Version: version, RawID: e.RawID})
			}
		})
	}
}

func TestMapsListTheSame(t *testing.T) {
	for name, n := range map[string]int{"few": 3, "many": 9000, "none": 0} {
		t.Run(name, func(t *testing.T) {
			client := emulatortest.Client(t, emulatortest.Start(t))
			want := make([]ways.Entry, n)
			for i, m := range corpus.Generate(2, n) {
				want[i] = ways.Entry{Name: m.Name, Date: m.Date.UnixMicro()}
			}
			if n > 2 {
				want[0] = ways.Entry{Name: "not base64url", Date: day(1).UnixMicro(), RawID: true}
				want[1] = ways.Entry{Name: strings.Repeat("é", 555), Date: day(1).UnixMicro()}
			}
			require.NoError(t, ways.WriteMaps(t.Context(), client, at, want))
			got, documents, err := ways.Maps(t.Context(), client, at, ways.Options{})
			require.NoError(t, err)
			require.Equal(t, 8, min(documents, 8))
			require.ElementsMatch(t, want, got)
			for i := range max(n-1, 0) {
				require.GreaterOrEqual(t, got[i].Date, got[i+1].Date)
			}
		})
	}
}

func TestMapsOfPlainIDs(t *testing.T) {
	client := emulatortest.Client(t, emulatortest.Start(t))
	want := []ways.Entry{
		{Name: "efgh", Date: day(2).UnixMicro(), RawID: true},
		{Name: "abcd", Date: day(1).UnixMicro(), RawID: true},
	}
	require.NoError(t, ways.WriteMaps(t.Context(), client, at, want))
	got, _, err := ways.Maps(t.Context(), client, at, ways.Options{PlainIDs: true})
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestEmptyCollectionsCostOneRead(t *testing.T) {
	var wire bill.Meter
	client := emulatortest.Client(t, emulatortest.Start(t), wire.Options()...)
	for name, list := range map[string]way{"full": ways.FullScan, "names": ways.NamesScan, "maps": ways.Maps} {
		t.Run(name, func(t *testing.T) {
			entries, documents, err := list(t.Context(), client, collection, ways.Options{})
			require.NoError(t, err)
			require.Empty(t, entries)
			require.Equal(t, 1, documents)
			require.Equal(t, documents, wire.Take().Reads)
		})
	}
}

func TestWhatCannotBeListed(t *testing.T) {
	client := emulatortest.Client(t, emulatortest.Start(t))
	for name, list := range map[string]way{"full": ways.FullScan, "names": ways.NamesScan, "maps": ways.Maps} {
		t.Run(name, func(t *testing.T) {
			_, _, err := list(t.Context(), client, "tenants/acme", ways.Options{})
			require.ErrorContains(t, err, "tenants/acme/memories")
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			_, _, err = list(ended, client, collection, ways.Options{})
			require.ErrorContains(t, err, collection)
		})
	}
	require.ErrorContains(t, ways.WriteMaps(t.Context(), client, "maps/acme", nil), "tenants/acme/memories")
	for fields, want := range map[string]map[string]any{
		"no map of entries": {"entries": "text"},
		`the date of "YQ"`:  {"entries": map[string]any{"YQ": "yesterday"}},
	} {
		_, err := client.Collection(at).Doc("0").Set(t.Context(), want)
		require.NoError(t, err)
		_, _, err = ways.Maps(t.Context(), client, at, ways.Options{})
		require.ErrorContains(t, err, fields)
	}
}
