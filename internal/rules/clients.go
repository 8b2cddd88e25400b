package rules

import (
	"context"
	"strings"
	"time"

	"hippocampus/emulator/official"
	"hippocampus/index"
	"hippocampus/memory"
)

// actors are clients as an application has them: anybody, anybody with an
// account, and a member of the tenant with all the claims that rules commonly
// ask for.
func actors(ctx context.Context, em *official.Emulator,
	collection string) (all []actor, closeAll func(), err error) {
	closeAll = func() {
		for _, a := range all {
			_ = a.client.Close()
		}
	}
	tenant := "acme"
	if segments := strings.Split(collection, "/"); len(segments) > 1 {
		tenant = segments[1]
	}
	for _, account := range []struct {
		name, uid string
		claims    map[string]any
	}{
		{name: "anonymous"},
		{name: "signed in", uid: "somebody"},
		{name: "member", uid: tenant, claims: map[string]any{
			"tenant": tenant, "tenant_id": tenant, "tenantId": tenant, "tenants": []any{tenant},
			"email": "member@example.com", "email_verified": true,
			"role": "admin", "roles": []any{"admin"}, "admin": true,
		}},
	} {
		client, err := em.ClientAs(ctx, account.uid, account.claims, hideMissing())
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		all = append(all, actor{account.name, client})
	}
	return all, closeAll, nil
}

// indexDocuments are the documents of an index, of every kind and under every id
// that rules could tell apart.
func indexDocuments() []index.Doc {
	at := memory.MicrosOf(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	entries := []index.Entry{{Name: "pages/A", Date: at, Version: at}}
	blocks := [][]byte{index.EncodeBlock(entries), index.EncodeBlock(entries)}
	meta := &index.Meta{
		ScanStarted: at, AsOf: at, Due: at, Generation: 1, Run: "0123456789abcdef",
		Count: 2, Parts: len(blocks), Sum: index.Checksum(blocks),
		Last: index.LastRun{Kind: index.Build},
	}
	docs := []index.Doc{
		{ID: index.MetaID, Fields: meta.Fields(blocks[0])},
		{ID: index.PartID(meta.Generation, meta.Run, 1),
			Fields: map[string]any{index.BlockField: blocks[1]}},
		{ID: index.RequestID, Fields: index.Request{Kind: index.Build,
			Reason: "missing"}.Fields(at.Time())},
	}
	for i := range index.Shards {
		docs = append(docs, index.Doc{ID: index.ShardID(i), Fields: map[string]any{
			index.EntriesField: map[string]any{index.Key(at, entries[0].ID()): at.Time()},
		}})
	}
	return docs
}
