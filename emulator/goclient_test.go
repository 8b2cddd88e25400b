package emulator_test

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator"
	"hippocampus/emulator/clock"
	"hippocampus/internal/deep"
)

// notPassing are the integration tests of the Go client that do not pass here, and why. On the
// official emulator the same ones fail and are skipped.
var notPassing = map[string]string{
	"Serialize_Deserialize_WatchQuery":  "fail: calls PartitionQuery, which is not served",
	"ColGroupRefPartitions":             "fail: calls PartitionQuery, which is not served",
	"ColGroupRefPartitionsLarge":        "fail: calls PartitionQuery, which is not served",
	"QueryDocuments":                    "fail: wants a query without its composite index refused; an emulator has every index",
	"NewClientWithDatabase":             "fail: wants an error of a client without credentials; no emulator asks for any",
	"GetAll_WithRunOptions":             "skip: explains queries; the test itself leaves emulators out",
	"Query_WithRunOptions":              "skip: explains queries; the test itself leaves emulators out",
	"RunTransaction_WithRunOptions":     "skip: explains queries; the test itself leaves emulators out",
	"AggregationQueries_WithRunOptions": "skip: explains queries; the test itself leaves emulators out",
}

// The Go client's own integration tests, which come with its module, pass here but for those that
// cannot.
func TestTheGoClientsOwnTests(t *testing.T) {
	deep.Only(t)
	// One of them wants two server timestamps, which are in milliseconds, to differ.
	em, err := emulator.Start(t.Context(), &emulator.Options{Clock: &milliseconds{Clock: clock.System}})
	require.NoError(t, err)
	defer func() { require.NoError(t, em.Close()) }()

	command := exec.CommandContext(t.Context(), "go", "test", "-json", "-count=1", "-timeout=5m", "-run", "^TestIntegration_DefaultDB$", "cloud.google.com/go/firestore")
	command.Env = append(os.Environ(), "FIRESTORE_EMULATOR_HOST="+em.Host(), "GOFLAGS=",
		"GCLOUD_TESTS_GOLANG_FIRESTORE_PROJECT_ID=demo-go-client", "GCLOUD_TESTS_GOLANG_FIRESTORE_KEY="+serviceAccount(t))
	out, err := command.Output()
	var exit *exec.ExitError
	require.True(t, err == nil || errors.As(err, &exit), "%v", err)

	type event struct{ Action, Test, Output string }
	ended, said := map[string]string{}, map[string]string{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var e event
		if err := decoder.Decode(&e); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err, "%s", out)
		}
		name, isSub := strings.CutPrefix(e.Test, "TestIntegration_DefaultDB/")
		if !isSub {
			continue
		}
		test, _, _ := strings.Cut(name, "/")
		said[test] += e.Output
		if test == name && (e.Action == "pass" || e.Action == "fail" || e.Action == "skip") {
			ended[test] = e.Action
		}
	}
	passed := 0
	for test, action := range ended {
		why, known := notPassing[test]
		if !known {
			require.Equal(t, "pass", action, "%s: %s", test, said[test])
			passed++
			continue
		}
		require.True(t, strings.HasPrefix(why, action+": "), "%s: it ended as %s, the table says %q", test, action, why)
	}
	require.Len(t, ended, passed+len(notPassing), "every test of the table was run")
	require.GreaterOrEqual(t, passed, 43)
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	require.Contains(t, string(readme), fmt.Sprintf("Of the %d integration tests that come with the Go client %d pass", len(ended), passed))
}

// milliseconds is a clock that shows another millisecond whenever it is looked at.
type milliseconds struct {
	clock.Clock
	mu   sync.Mutex
	last time.Time
}

func (m *milliseconds) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.Clock.Now()
	if next := m.last.Add(time.Millisecond); now.Before(next) {
		now = next
	}
	m.last = now
	return now
}

// serviceAccount writes the key of a service account that does not exist, and returns the file.
func serviceAccount(t *testing.T) string {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	der, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	data, err := json.Marshal(map[string]string{
		"type": "service_account", "project_id": "demo-go-client", "private_key_id": "none", "client_id": "1",
		"client_email": "nobody@demo-go-client.iam.gserviceaccount.com", "token_uri": "http://127.0.0.1:1/token",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
	})
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "account.json")
	require.NoError(t, os.WriteFile(file, data, 0o600))
	return file
}
