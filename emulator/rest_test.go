package emulator_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator"
	"hippocampus/emulator/eventarc"
	"hippocampus/emulator/internal/client"
)

// ask returns the status and the body of an answer over HTTP.
func ask(t *testing.T, em *emulator.Emulator, method, path, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, "http://"+em.Host()+path, strings.NewReader(body))
	require.NoError(t, err)
	plain := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := plain.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	require.Equal(t, client.Embedded, res.Header.Get("Server"))
	answer, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, string(answer)
}

func TestOk(t *testing.T) {
	em, _ := start(t, nil)
	code, body := ask(t, em, http.MethodGet, "/", "")
	require.Equal(t, http.StatusOK, code)
	require.Equal(t, "Ok\n", body)
}

const triggers = "/emulator/v1/projects/demo-hippocampus/eventarcTrigger?eventarcTriggerId="

func TestTriggersOverHTTP(t *testing.T) {
	em, c := start(t, nil)
	var got posts
	require.NoError(t, em.Receive(&got))
	const body = `{"eventType":"google.cloud.firestore.document.v1.created","database":"(default)","namespace":"(default)","document":{"value":"x/{id}","matchType":"PATH_PATTERN"}}`
	code, answer := ask(t, em, http.MethodPost, triggers+"a", body)
	require.Equal(t, http.StatusOK, code)
	require.JSONEq(t, body, answer)
	code, _ = ask(t, em, http.MethodPost, triggers+"b", `{"eventType":"`+eventarc.Written+`","document":{"value":"y/1","matchType":"EXACT"}}`)
	require.Equal(t, http.StatusOK, code)
	code, _ = ask(t, em, http.MethodPost, triggers+"c", strings.Replace(body, `"database":"(default)"`, `"database":"other"`, 1))
	require.Equal(t, http.StatusOK, code)
	for _, path := range []string{"x/1", "y/1", "y/2"} {
		_, err := c.Doc(path).Create(t.Context(), map[string]any{})
		require.NoError(t, err)
	}
	require.NoError(t, em.Settle(t.Context()))
	var seen []string
	for _, p := range got.taken() {
		seen = append(seen, p.path[strings.LastIndex(p.path, "/"):]+" "+p.header.Get("ce-document"))
	}
	require.Equal(t, []string{"/a x/1", "/b y/1"}, seen)
}

func TestClearOverHTTP(t *testing.T) {
	em, c := start(t, nil)
	for _, project := range []string{"(default)", "%28default%29"} {
		_, err := c.Doc("x/1").Create(t.Context(), map[string]any{})
		require.NoError(t, err)
		code, answer := ask(t, em, http.MethodDelete, "/emulator/v1/projects/demo-hippocampus/databases/other/documents", "")
		require.Equal(t, http.StatusOK, code, answer)
		_, err = c.Doc("x/1").Get(t.Context())
		require.NoError(t, err, "another database")
		code, answer = ask(t, em, http.MethodDelete, "/emulator/v1/projects/demo-hippocampus/databases/"+project+"/documents", "")
		require.Equal(t, http.StatusOK, code, answer)
		require.JSONEq(t, "{}", answer)
		got, err := c.Collection("x").Documents(t.Context()).GetAll()
		require.NoError(t, err)
		require.Empty(t, got)
	}
}

// Errors have the form of Google's and say what to do.
func TestWrongRequests(t *testing.T) {
	em, _ := start(t, nil)
	good := `{"eventType":"` + eventarc.Written + `","database":"(default)","document":{"value":"x/{id}","matchType":"PATH_PATTERN"}}`
	for name, c := range map[string]struct {
		method, path, body string
		code               int
		status, want       string
	}{
		"no JSON":          {"POST", triggers + "a", "{", 400, "INVALID_ARGUMENT", `write it as {"eventType"`},
		"no such type":     {"POST", triggers + "a", strings.Replace(good, "v1.written", "v1.nope", 1), 400, "INVALID_ARGUMENT", "is not one of"},
		"no such match":    {"POST", triggers + "a", strings.Replace(good, "PATH_PATTERN", "PREFIX", 1), 400, "INVALID_ARGUMENT", "give PATH_PATTERN or EXACT"},
		"exact wildcard":   {"POST", triggers + "a", strings.Replace(good, "PATH_PATTERN", "EXACT", 1), 400, "INVALID_ARGUMENT", "has a wildcard"},
		"no such pattern":  {"POST", triggers + "a", strings.Replace(good, "x/{id}", "x", 1), 400, "INVALID_ARGUMENT", "names a collection"},
		"no such database": {"POST", triggers + "a", strings.Replace(good, "(default)", "a/b", 1), 400, "INVALID_ARGUMENT", "projects/P/databases/D"},
		"no name":          {"POST", triggers, good, 400, "INVALID_ARGUMENT", "needs a name"},
		"another method":   {"PUT", triggers + "a", good, 404, "NOT_FOUND", "POST /emulator/v1/projects"},
		"rules":            {"PUT", "/emulator/v1/projects/p:securityRules", "{}", 501, "UNIMPLEMENTED", "official emulator"},
		"the REST API":     {"GET", "/v1/projects/p/databases/(default)/documents/x/1", "", 404, "NOT_FOUND", "only gRPC"},
		"a part cleared":   {"DELETE", "/emulator/v1/projects/p/databases/(default)/documents/x", "", 404, "NOT_FOUND", "is not served"},
	} {
		t.Run(name, func(t *testing.T) {
			code, body := ask(t, em, c.method, c.path, c.body)
			require.Equal(t, c.code, code, body)
			var answer struct {
				Error struct {
					Code            int
					Message, Status string
				}
			}
			require.NoError(t, json.Unmarshal([]byte(body), &answer))
			require.Equal(t, c.code, answer.Error.Code)
			require.Equal(t, c.status, answer.Error.Status)
			require.Contains(t, answer.Error.Message, c.want)
		})
	}
}
