package corpus_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/emulatortest"
	"hippocampus/internal/eval/corpus"
)

const collection = "tenants/acme/memories"

func TestWriteAndRemove(t *testing.T) {
	client := emulatortest.Client(t, emulatortest.Start(t))
	memories := corpus.Generate(3, 6001) // a page of Remove and more
	progress := 0
	require.NoError(t, corpus.Write(t.Context(), client, collection, &corpus.WriteOptions{Progress: func(written int) {
		progress++
		require.Equal(t, progress, written)
	}}, memories))
	require.Equal(t, len(memories), progress)
	found, err := client.Collection(collection).Documents(t.Context()).GetAll()
	require.NoError(t, err)
	require.Len(t, found, len(memories))
	written := map[string]map[string]any{}
	for _, s := range found {
		name, err := base64.RawURLEncoding.DecodeString(s.Ref.ID)
		require.NoError(t, err)
		written[string(name)] = s.Data()
	}
	for _, m := range memories {
		fields := written[m.Name]
		require.Equal(t, m.Date, fields["updated_at"])
		delete(fields, "updated_at")
		require.Equal(t, m.Fields, fields)
	}

	deleted, err := corpus.Remove(t.Context(), client, collection)
	require.NoError(t, err)
	require.Equal(t, len(memories), deleted)
	found, err = client.Collection(collection).Documents(t.Context()).GetAll()
	require.NoError(t, err)
	require.Empty(t, found)
	deleted, err = corpus.Remove(t.Context(), client, collection)
	require.NoError(t, err)
	require.Zero(t, deleted)
}

func TestWriteWithOptions(t *testing.T) {
	client := emulatortest.Client(t, emulatortest.Start(t))
	m := corpus.Generate(3, 1)[0]
	m.Name = "plain name"
	o := &corpus.WriteOptions{PlainIDs: true, DateField: "changed", PerSecond: 1000}
	require.NoError(t, corpus.Write(t.Context(), client, collection, o, []corpus.Memory{m, {Name: "no fields", Date: m.Date}}))
	s, err := client.Collection(collection).Doc("plain name").Get(t.Context())
	require.NoError(t, err)
	require.Equal(t, m.Date, s.Data()["changed"])
	require.NotContains(t, m.Fields, "changed", "what was given is as it was")
	s, err = client.Collection(collection).Doc("no fields").Get(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[string]any{"changed": m.Date}, s.Data())
}

func TestWhatCannotBeWritten(t *testing.T) {
	client := emulatortest.Client(t, emulatortest.Start(t))
	memories := corpus.Generate(3, 100)
	with := func(m corpus.Memory) []corpus.Memory { return append(memories[:len(memories):len(memories)], m) }
	having := func(field any) []corpus.Memory {
		return with(corpus.Memory{Name: "x", Fields: map[string]any{"body": field}})
	}
	twice := fmt.Sprintf("%q to %s: it is there twice", memories[7].Name, collection)
	plain := &corpus.WriteOptions{PlainIDs: true}
	for name, c := range map[string]struct {
		at       string
		o        *corpus.WriteOptions
		memories []corpus.Memory
		want     string
	}{
		"a document's path":               {"tenants/acme", nil, memories, "tenants/acme/memories"},
		"no name":                         {collection, nil, with(corpus.Memory{}), `memory "" to ` + collection + ": it is no id"},
		"a name with a slash as an id":    {collection, plain, []corpus.Memory{{Name: "a/b"}}, `memory "a/b"`},
		"a name that Firestore refuses":   {collection, plain, []corpus.Memory{{Name: "__a__"}}, `"__a__"`},
		"one that is too large":           {collection, nil, having(string(make([]byte, 1<<20))), `memory "x"`},
		"a field that the client refuses": {collection, nil, having(make(chan int)), `memory "x"`},
		"one twice":                       {collection, nil, with(memories[7]), twice},
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorContains(t, corpus.Write(t.Context(), client, c.at, c.o, c.memories), c.want)
		})
	}
	_, err := corpus.Remove(t.Context(), client, "tenants/acme")
	require.ErrorContains(t, err, "tenants/acme/memories")
}

func TestWriteEndsWithItsContext(t *testing.T) {
	client := emulatortest.Client(t, emulatortest.Start(t))
	ctx, cancel := context.WithCancel(t.Context())
	err := corpus.Write(ctx, client, collection, &corpus.WriteOptions{Progress: func(int) { cancel() }}, corpus.Generate(3, 5000))
	require.ErrorIs(t, err, context.Canceled)
	_, err = corpus.Remove(ctx, client, collection)
	require.Error(t, err)
}
