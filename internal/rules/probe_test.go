package rules

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/official/officialtest"
	"hippocampus/index"
)

func TestMain(m *testing.M) { officialtest.Main(m) }

const acme = "tenants/acme/memories"

// probeFor returns a probe of the first documents of an index, and an anonymous
// client, in a project of the test's own.
func probeFor(t *testing.T, text string, documents int) (*probe, []actor) {
	em := officialtest.Start(t)
	require.NoError(t, em.LoadRules(t.Context(), text))
	owner, err := em.Client(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = owner.Close() })
	all, closeAll, err := actors(t.Context(), em, acme)
	require.NoError(t, err)
	t.Cleanup(closeAll)
	path, err := index.Path(acme)
	require.NoError(t, err)
	return &probe{owner: owner, index: path, docs: indexDocuments()[:documents], tried: func() {}}, all[:1]
}

// Each method of the rules opens the operations that need it and no others: so
// what is called refused is refused by the rules, and what is called open is not.
func TestProbeTellsOperationsApart(t *testing.T) {
	for methods, want := range map[string][]string{
		"get":    {"get", "get in a transaction", "listen"},
		"list":   {"list", "query", "count", "listen to a query", "collection-group query", "collection-group query of what is due", "query by id"},
		"create": {"create"},
		"update": {"set", "update", "set in a transaction", "set in a batch"},
		"delete": {"delete"},
		"read, write": {
			"list", "query", "count", "listen to a query", "collection-group query", "collection-group query of what is due",
			"get", "get in a transaction", "query by id", "listen",
			"create", "set", "update", "delete", "set in a transaction", "set in a batch",
		},
	} {
		t.Run(methods, func(t *testing.T) {
			t.Parallel()
			p, anonymous := probeFor(t, inDocuments("match /{path=**}/memory_shards/{id} { allow "+methods+": if true; }"), 1)
			tried := 0
			p.tried = func() { tried++ }
			open, err := p.run(t.Context(), anonymous)
			require.NoError(t, err)
			var got []string
			for _, a := range open {
				require.Equal(t, "anonymous", a.Client)
				require.Contains(t, []string{"meta", EveryDocument}, a.Document)
				got = append(got, a.Operation)
			}
			require.ElementsMatch(t, want, got)
			require.Equal(t, p.count(1), tried)
			require.Equal(t, len(documentOperations)+len(collectionOperations), tried)
		})
	}
}

func TestProbeTellsDocumentsApart(t *testing.T) {
	t.Parallel()
	p, anonymous := probeFor(t, inDocuments("match /hippocampus/{path=**}/memory_shards/{id} { allow get: if id.matches('base-.*'); }"), 3)
	open, err := p.run(t.Context(), anonymous)
	require.NoError(t, err)
	require.Len(t, open, 3)
	for _, a := range open {
		require.Equal(t, p.docs[1].ID, a.Document)
	}
}

// What fails for another reason than the rules shows nothing, and says so.
func TestProbeDoesNotTakeAFailureForARefusal(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(p *probe, anonymous []actor){
		"a document too large": func(p *probe, _ []actor) {
			p.docs[0].Fields = map[string]any{"b": make([]byte, 1<<20)}
		},
		"a client that is closed": func(_ *probe, anonymous []actor) { _ = anonymous[0].client.Close() },
	} {
		p, anonymous := probeFor(t, inDocuments("match /a/{b} { allow read; }"), 1)
		spoil(p, anonymous)
		open, err := p.run(t.Context(), anonymous)
		require.Error(t, err, name)
		require.Nil(t, open)
	}
	// A condition that cannot be evaluated refuses, as in production.
	p, anonymous := probeFor(t, inDocuments("match /{d=**} { allow read, write: if resource.data.no.such.field > 1 && nothing(); }"), 1)
	open, err := p.run(t.Context(), anonymous)
	require.NoError(t, err)
	require.Empty(t, open)
}

// The probe leaves behind what it found, so an operation that got through does
// not spoil the next.
func TestProbePutsBackWhatGotThrough(t *testing.T) {
	t.Parallel()
	p, anonymous := probeFor(t, everythingOpen, 2)
	_, err := p.run(t.Context(), anonymous)
	require.NoError(t, err)
	found, err := p.owner.Collection(p.index).Documents(t.Context()).GetAll()
	require.NoError(t, err)
	require.Len(t, found, 2)
	require.Equal(t, index.MetaID, found[1].Ref.ID)
	_, err = index.ParseMeta(found[1].Data())
	require.NoError(t, err)
	require.NotContains(t, found[1].Data(), "forged")
}

// The documents that are tried are those of a sound index.
func TestProbeTriesTheDocumentsOfAnIndex(t *testing.T) {
	docs := indexDocuments()
	var ids []string
	for _, d := range docs {
		ids = append(ids, d.ID)
	}
	slices.Sort(ids)
	require.Equal(t, []string{"base-1-0123456789abcdef-1", "meta", "request", "shard-0", "shard-1", "shard-2", "shard-3", "shard-4", "shard-5", "shard-6", "shard-7"}, ids)
}
