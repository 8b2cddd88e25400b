package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator"
	"hippocampus/emulator/official/officialtest"
	"hippocampus/internal/rules"
)

const rulesFile = "../../firestore.rules"

// trial is what doctor --rules --json prints.
type trial struct {
	OK         bool
	Collection string
	Documents  []string
	Clients    []string
	Operations []string
	Tried      int
	Open       []rules.Attempt
	Matches    []rules.Match
}

// ourRules returns the rules of this repository, with more matches beside ours.
func ourRules(t *testing.T, beside string) string {
	t.Helper()
	source, err := os.ReadFile(rulesFile)
	require.NoError(t, err)
	const ours = "    match /hippocampus/{document=**} {\n"
	require.Equal(t, 1, strings.Count(string(source), ours))
	return strings.Replace(string(source), ours, beside+"\n"+ours, 1)
}

// inDocuments are rules with matches for documents.
func inDocuments(matches string) string {
	return "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{database}/documents {\n" + matches + "\n  }\n}"
}

func writeRules(t *testing.T, source string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "app.rules")
	require.NoError(t, os.WriteFile(file, []byte(source), 0o666))
	return file
}

// tryRules runs doctor --rules --json and requires its exit code.
func tryRules(t *testing.T, code int, file string, args ...string) trial {
	t.Helper()
	said := doctorSays(t, officialtest.Start(t), append([]string{"--json", "--rules", file}, args...)...)
	require.Equal(t, code, said.code, said.out+said.errs)
	var found trial
	require.NoError(t, json.Unmarshal([]byte(said.out), &found), said.errs)
	require.Equal(t, code == 0, found.OK)
	// What was tried, so that nothing is called closed that was not tried.
	require.ElementsMatch(t, []string{"anonymous", "signed in", "member"}, found.Clients)
	require.ElementsMatch(t, []string{
		"list", "query", "count", "listen to a query", "collection-group query", "collection-group query of what is due",
		"get", "get in a transaction", "query by id", "listen",
		"create", "set", "update", "delete", "set in a transaction", "set in a batch",
	}, found.Operations)
	for _, id := range []string{"meta", "request", "shard-0", "shard-7", "base-1-0123456789abcdef-1"} {
		require.Contains(t, found.Documents, id)
	}
	require.Len(t, found.Documents, 11)
	require.Equal(t, 3*(6+10*11), found.Tried)
	return found
}

func TestCase27_RulesRefuseEveryOperation(t *testing.T) {
	t.Parallel()
	found := tryRules(t, 0, rulesFile)
	require.Empty(t, found.Open)
	require.Empty(t, found.Matches)
}

func TestCase27_RulesRefuseBesideAnOpenTenant(t *testing.T) {
	t.Parallel()
	source := ourRules(t, `match /tenants/{t}/{document=**} { allow read, write: if request.auth != null; }`)
	found := tryRules(t, 0, writeRules(t, source), "--tenant", "acme")
	require.Equal(t, acme, found.Collection)
	require.Empty(t, found.Open)
	require.Empty(t, found.Matches)

	// The tenant's tree is open indeed, to those who are signed in.
	em := officialtest.Start(t)
	require.NoError(t, em.LoadRules(t.Context(), source))
	for uid, want := range map[string]codes.Code{"": codes.PermissionDenied, "somebody": codes.OK} {
		client, err := em.ClientAs(t.Context(), uid, nil)
		require.NoError(t, err)
		t.Cleanup(func() { _ = client.Close() })
		_, err = client.Collection(acme).Doc("QQ").Set(t.Context(), map[string]any{"a": 1})
		require.Equal(t, want, status.Code(err), "%q: %v", uid, err)
		_, err = client.Doc("hippocampus/v1/tenants/acme/memories/index/memory_shards/meta").Get(t.Context())
		require.Equal(t, codes.PermissionDenied, status.Code(err), "%q: %v", uid, err)
	}
}

func TestCase27_DoctorSaysThatARootWildcardOpensTheIndex(t *testing.T) {
	t.Parallel()
	file := writeRules(t, ourRules(t, `match /{document=**} { allow read, write: if request.auth != null; }`))
	found := tryRules(t, 1, file)
	var want []rules.Attempt
	for _, client := range []string{"signed in", "member"} {
		const ofCollections = 6 // the first ones
		for i, op := range found.Operations {
			documents := found.Documents
			if i < ofCollections {
				documents = []string{rules.EveryDocument}
			}
			for _, id := range documents {
				want = append(want, rules.Attempt{Operation: op, Client: client, Document: id})
			}
		}
	}
	require.ElementsMatch(t, want, found.Open, "every operation on every document, and nothing to the anonymous")
	require.Len(t, found.Matches, 1)
	require.Equal(t, "/{document=**}", found.Matches[0].Match)
	require.Equal(t, "request.auth != null", found.Matches[0].Condition)

	said := doctorSays(t, officialtest.Start(t), "--rules", file)
	require.Equal(t, 1, said.code)
	require.Contains(t, said.errs, "trying 16 operations on the 11 documents of an index, as 3 clients, in the official emulator at ")
	require.Contains(t, said.out, "  ok    probe       with rules that open everything, all 16 operations get through\n")
	require.Contains(t, said.out, "  FAIL  operations  the index is open: 232 of 348 attempts got through\n")
	require.Contains(t, said.out, "  warn  matches     1 allow covers the index\n")
	require.Contains(t, said.out, "  signed in, all documents: list, query, ")
	require.NotContains(t, said.out, "anonymous, ")
	require.Regexp(t, `(?m)^  line \d+: match /\{document=\*\*\} allows read, write if request\.auth != null$`, said.out)
}

func TestDoctorWarnsOfWhatTheProbeCannotMeet(t *testing.T) {
	t.Parallel()
	file := writeRules(t, ourRules(t, `match /{document=**} {
	  allow read: if get(/databases/$(database)/documents/staff/$(request.auth.uid)).data.level > 3;
	}`))
	found := tryRules(t, 0, file)
	require.Empty(t, found.Open)
	require.Len(t, found.Matches, 1)
}

// Rules are tried in a project of doctor's own: whoever uses the emulator keeps
// rules and documents. They need no project of the environment.
func TestDoctorLeavesOthersRulesAlone(t *testing.T) {
	t.Parallel()
	em := officialtest.Start(t)
	p := newPatientIn(t, em).put("a", 1)
	require.NoError(t, em.LoadRules(t.Context(), inDocuments("match /mine/{d} { allow read: if true; }")))
	before := p.everything()
	tryRules(t, 0, rulesFile)
	require.Equal(t, before, p.everything())
	client, err := em.ClientAs(t.Context(), "", nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	_, err = client.Doc("mine/a").Get(t.Context())
	require.Equal(t, codes.NotFound, status.Code(err), "may be read, and does not exist")
	_, err = client.Doc("yours/a").Get(t.Context())
	require.Equal(t, codes.PermissionDenied, status.Code(err))
}

// Without a running emulator one is started, and is gone afterwards.
func TestDoctorStartsAnEmulatorForRules(t *testing.T) {
	t.Parallel()
	officialtest.Need(t)
	said := doctorSays(t, nil, "--rules", rulesFile, "--verbose")
	require.Zero(t, said.code, said.errs)
	_, host, ok := strings.Cut(said.errs, "in the official emulator at ")
	require.True(t, ok, said.errs)
	host = strings.Fields(host)[0]
	require.NotEqual(t, officialtest.Start(t).Host(), host)
	require.Error(t, dial(t.Context(), host), "it is gone")
}

// An emulator that evaluates no rules is not asked about them.
func TestDoctorStartsAnotherEmulatorForRulesThanTheEmbedded(t *testing.T) {
	t.Parallel()
	officialtest.Need(t)
	em, err := emulator.Start(t.Context(), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, em.Close()) })
	said := doctorSays(t, em, "--rules", rulesFile)
	require.Zero(t, said.code, said.errs)
	require.NotContains(t, said.errs, em.Host())
}

func TestDoctorSaysWhatIsWrongWithRules(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "none.rules")
	for says, file := range map[string]string{
		"Missing conditional expression after 'if'": writeRules(t, "rules_version = '2';\nservice cloud.firestore {\n  match /a/{b} { allow read: if }\n}}"),
		"Rules content empty":                       writeRules(t, ""),
		"no such file":                              missing,
		"is a directory":                            t.TempDir(),
		"mismatched input 'hello'":                  writeRules(t, "hello"),
	} {
		said := doctorSays(t, officialtest.Start(t), "--rules", file)
		require.Equal(t, 1, said.code)
		require.Contains(t, said.errs, says)
		require.Contains(t, said.errs, file)
		require.Empty(t, said.out)
	}
}

func TestDoctorWithoutAnEmulatorSaysHowToGetOne(t *testing.T) {
	t.Setenv("FIRESTORE_EMULATOR_JAR", filepath.Join(t.TempDir(), "none.jar"))
	said := doctorSays(t, nil, "--rules", rulesFile)
	require.Equal(t, 1, said.code)
	require.Contains(t, said.errs, "gcloud components install cloud-firestore-emulator")
	require.True(t, slices.Contains(strings.Fields(said.errs), "FIRESTORE_EMULATOR_JAR"))
}
