package conformance

import (
	"io"
	"net/http"
	"strings"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/internal/client"
	"hippocampus/emulator/internal/literal"
)

const clearPage = "emulator-suite/connect_firestore: clear your database between tests"

// control is about the calls over HTTP by which tools drive an emulator.
var control = []Check{
	{
		Name: "GET / says Ok",
		Run: func(t *T) {
			code, body := t.http(http.MethodGet, "/", "")
			require.Equal(t, http.StatusOK, code)
			require.Equal(t, "Ok", strings.TrimSpace(body))
		},
	},
	{
		Name: "clearing deletes all documents, also those below others",
		Page: clearPage,
		Run: func(t *T) {
			t.commit(t.set("c/d", nil), t.set("c/d/s/e", nil), t.set("missing/x/c/d", nil))
			t.clear()
			for _, path := range []string{"c/d", "c/d/s/e", "missing/x/c/d"} {
				require.Nil(t, t.get(path))
			}
			res, err := t.Firestore.ListCollectionIds(t.Ctx, &firestorepb.ListCollectionIdsRequest{Parent: t.Root()})
			require.NoError(t, err)
			require.Empty(t, res.CollectionIds)
		},
	},
	{
		Name: "clearing an empty database succeeds",
		Page: clearPage,
		Run:  func(t *T) { t.clear() },
	},
	{
		Name: "clearing leaves other projects and databases as they are",
		Page: clearPage,
		Run: func(t *T) {
			t.commit(t.set("c/d", nil))
			for _, other := range []string{strings.Replace(t.Database, "demo-", "demo-not-", 1), strings.Replace(t.Database, "(default)", "other", 1)} {
				name := other + "/documents/c/d"
				_, err := t.Firestore.Commit(t.Ctx, &firestorepb.CommitRequest{Database: other, Writes: []*firestorepb.Write{
					{Operation: &firestorepb.Write_Update{Update: &firestorepb.Document{Name: name}}}}})
				require.NoError(t, err)
				t.clear()
				_, err = t.Firestore.GetDocument(t.Ctx, &firestorepb.GetDocumentRequest{Name: name})
				require.NoError(t, err)
			}
			require.Nil(t, t.get("c/d"))
		},
	},
	{
		Name: "a database can be used after clearing",
		Page: clearPage,
		Run: func(t *T) {
			before := t.commit(t.set("c/d", nil)).CommitTime
			t.clear()
			t.commit(onlyIf(false, t.set("c/d", fields{"a": literal.Int(1)})))
			t.has("c/d", fields{"a": literal.Int(1)})
			t.before(before, t.get("c/d").CreateTime)
		},
	},
	{
		Name: "a trigger is registered",
		Run: func(t *T) {
			code, body := t.trigger("written", "c/{d}")
			require.Equal(t, http.StatusOK, code, body)
		},
	},
	{
		Name: "a trigger may be registered again",
		Run: func(t *T) {
			for _, pattern := range []string{"c/{d}", "x/{y}/{rest=**}"} {
				code, body := t.trigger("created", pattern)
				require.Equal(t, http.StatusOK, code, body)
			}
			t.commit(t.set("c/d", nil))
		},
	},
	{
		Name: "an unknown path under /emulator is not found",
		Run: func(t *T) {
			code, _ := t.http(http.MethodGet, "/emulator/v1/nonsense", "")
			require.Equal(t, http.StatusNotFound, code)
		},
	},
	{
		Name: "what was cleared can be read in the past",
		Run: func(t *T) {
			at := t.commit(t.set("c/d", nil)).CommitTime
			t.clear()
			_, err := t.at("c/d", at)
			require.NoError(t, err)
		},
	},
}

// project is the id of the project.
func (t *T) project() string { return strings.Split(t.Database, "/")[1] }

// clear deletes all documents of the database.
func (t *T) clear() {
	t.Helper()
	code, body := t.http(http.MethodDelete, "/emulator/v1/"+t.Root(), "")
	require.Equal(t, http.StatusOK, code, body)
}

// trigger registers a trigger named t.
func (t *T) trigger(event, pattern string) (code int, body string) {
	return t.http(http.MethodPost, "/emulator/v1/projects/"+t.project()+"/eventarcTrigger?eventarcTriggerId=t", `{
		"eventType": "google.cloud.firestore.document.v1.`+event+`", "database": "(default)", "namespace": "(default)",
		"document": {"value": "`+pattern+`", "matchType": "PATH_PATTERN"}}`)
}

// http makes a call as the owner.
func (t *T) http(method, path, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Ctx, method, "http://"+t.Server.Host+path, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+client.Owner)
	req.Header.Set("Content-Type", "application/json")
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, Proxy: nil}}
	res, err := client.Do(req)
	require.NoError(t, err)
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, string(answer)
}
