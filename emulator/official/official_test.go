package official_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/official/officialtest"
)

// open lets anybody read public and a signed-in user read and write a document of their own.
const openRules = `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /public/{id} { allow read: if true; }
    match /users/{uid} { allow read, write: if request.auth.uid == uid; }
    match /teams/{team} { allow read: if request.auth.token.team == team; }
  }
}`

func TestProjectsAreIsolated(t *testing.T) {
	ctx := t.Context()
	one, two := officialtest.Start(t), officialtest.Start(t)
	require.NotEqual(t, one.Project(), two.Project())
	require.Equal(t, one.Host(), two.Host())
	a, b := officialtest.Client(t, one), officialtest.Client(t, two)

	_, err := a.Doc("x/1").Set(ctx, map[string]any{"from": "one"})
	require.NoError(t, err)
	_, err = b.Doc("x/1").Get(ctx)
	require.Equal(t, codes.NotFound, status.Code(err))
	_, err = b.Doc("x/1").Set(ctx, map[string]any{"from": "two"})
	require.NoError(t, err)

	require.NoError(t, one.Clear(ctx))
	_, err = a.Doc("x/1").Get(ctx)
	require.Equal(t, codes.NotFound, status.Code(err))
	doc, err := b.Doc("x/1").Get(ctx)
	require.NoError(t, err)
	require.Equal(t, "two", doc.Data()["from"])
}

func TestRules(t *testing.T) {
	ctx := t.Context()
	em, other := officialtest.Start(t), officialtest.Start(t)
	require.NoError(t, em.LoadRules(ctx, openRules))

	owner := officialtest.Client(t, em)
	for _, path := range []string{"public/1", "users/ann", "users/bob", "teams/red", "secret/1"} {
		_, err := owner.Doc(path).Set(ctx, map[string]any{"a": 1})
		require.NoError(t, err)
	}
	anonymous, err := em.ClientAs(ctx, "", nil)
	require.NoError(t, err)
	t.Cleanup(func() { anonymous.Close() })
	ann, err := em.ClientAs(ctx, "ann", map[string]any{"team": "red"})
	require.NoError(t, err)
	t.Cleanup(func() { ann.Close() })

	for path, want := range map[string][2]codes.Code{
		"public/1":  {codes.OK, codes.OK},
		"users/ann": {codes.PermissionDenied, codes.OK},
		"users/bob": {codes.PermissionDenied, codes.PermissionDenied},
		"teams/red": {codes.PermissionDenied, codes.OK},
		"secret/1":  {codes.PermissionDenied, codes.PermissionDenied},
	} {
		_, err := anonymous.Doc(path).Get(ctx)
		require.Equal(t, want[0], status.Code(err), "anonymous %s: %v", path, err)
		_, err = ann.Doc(path).Get(ctx)
		require.Equal(t, want[1], status.Code(err), "ann %s: %v", path, err)
	}

	// Another project is still without rules.
	guest, err := other.ClientAs(ctx, "", nil)
	require.NoError(t, err)
	t.Cleanup(func() { guest.Close() })
	_, err = guest.Doc("secret/1").Set(ctx, map[string]any{"a": 1})
	require.NoError(t, err)
}

func TestBrokenRules(t *testing.T) {
	ctx := t.Context()
	em := officialtest.Start(t)
	require.NoError(t, em.LoadRules(ctx, openRules))
	err := em.LoadRules(ctx, "rules_version = '2';\nservce cloud.firestore {}")
	require.ErrorContains(t, err, "official: load rules")
	require.ErrorContains(t, err, "L2:1")
	require.ErrorContains(t, err, "servce")
	require.Error(t, em.LoadRules(ctx, ""))

	// The old ones stay.
	anonymous, err := em.ClientAs(ctx, "", nil)
	require.NoError(t, err)
	t.Cleanup(func() { anonymous.Close() })
	_, err = anonymous.Doc("secret/1").Get(ctx)
	require.Equal(t, codes.PermissionDenied, status.Code(err))
	_, err = anonymous.Doc("public/1").Get(ctx)
	require.Equal(t, codes.NotFound, status.Code(err))
}

func TestBadTriggers(t *testing.T) {
	ctx := t.Context()
	em := officialtest.Start(t)
	require.ErrorContains(t, em.AddTrigger(ctx, "", written, "x/{id}"), "needs a name and a pattern")
	require.ErrorContains(t, em.AddTrigger(ctx, "t", written, ""), "needs a name and a pattern")
	require.ErrorContains(t, em.AddTrigger(ctx, "t", "written", "x/{id}"), "add trigger t (written on x/{id})")
}
