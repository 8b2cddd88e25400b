package reader_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/reader"
)

func TestReceipt(t *testing.T) {
	at := time.Date(2026, 10, 1, 12, 0, 0, 123_000, time.UTC)
	receipt := reader.Receipt{
		Source: reader.FromIndex, Complete: true, Count: 52, AsOf: at, ScanStarted: at.Add(-time.Hour),
		DocumentsRead: 2, Bytes: 1824, Hash: "00f1", Request: reader.NotNeeded,
	}
	require.Equal(t, "52 memories from the index, complete, as of 2026-10-01T12:00:00.000123Z; documents read: 2, bytes: 1824; hash 00f1", receipt.String())
	data, err := json.Marshal(receipt)
	require.NoError(t, err)
	require.JSONEq(t, `{"source":"index","complete":true,"count":52,"as_of":"2026-10-01T12:00:00.000123Z","scan_started":"2026-10-01T11:00:00.000123Z",
		"documents_read":2,"bytes":1824,"hash":"00f1","request":"none"}`, string(data))

	receipt.Request = reader.Asked
	require.Contains(t, receipt.String(), "; compaction asked")
	receipt.Source, receipt.Reason, receipt.Detail, receipt.Request = reader.FromScan, "missing", "index missing", reader.AlreadyAsked
	require.Contains(t, receipt.String(), "52 memories by a scan (index missing), complete, as of")
	require.Contains(t, receipt.String(), "; build already asked")
	data, err = json.Marshal(receipt)
	require.NoError(t, err)
	require.Contains(t, string(data), `"reason":"missing","detail":"index missing"`)
}

// TestHashTellsListsApart: a hash that leaves out any of names, dates and order
// would give two of these the same.
func TestHashTellsListsApart(t *testing.T) {
	at := time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)
	ascii := time.UnixMicro(0x0005_4141_4141_4141) // eight bytes that a name can have
	seen := map[string]string{}
	for name, write := range map[string]func(tn *tenant){
		"empty":        func(*tenant) {},
		"one":          func(tn *tenant) { tn.putAt("a", at) },
		"other date":   func(tn *tenant) { tn.putAt("a", at.Add(time.Microsecond)) },
		"other name":   func(tn *tenant) { tn.putAt("b", at) },
		"two":          func(tn *tenant) { tn.putAt("a", at); tn.putAt("b", at) },
		"names joined": func(tn *tenant) { tn.putAt("ab", at) },
		"two, one day": func(tn *tenant) { tn.putAt("a", ascii); tn.putAt("b", ascii) },
		"date in name": func(tn *tenant) { tn.putAt("a\x00\x05AAAAAAb", ascii) },
		"other order":  func(tn *tenant) { tn.putAt("a", at.Add(-time.Microsecond)); tn.putAt("b", at) },
	} {
		tn := newTenant(t)
		write(tn)
		hash := tn.list().Receipt.Hash
		require.Len(t, hash, 16)
		require.Empty(t, seen[hash], name)
		require.Equal(t, hash, tn.list().Receipt.Hash)
		seen[hash] = name
	}
}
