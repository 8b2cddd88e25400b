package functions_test

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	// The wrapper that is built below imports it.
	_ "github.com/GoogleCloudPlatform/functions-framework-go/funcframework"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/eventarc"
	"hippocampus/functions"
	"hippocampus/index"
	"hippocampus/internal/deep"
)

// wrapper is the main that the Go buildpack generates (cmd/go/functions_framework
// in GoogleCloudPlatform/buildpacks), but on the loopback interface only.
const wrapper = `package main

import (
	"log"
	"os"

	_ "PACKAGE"

	"github.com/GoogleCloudPlatform/functions-framework-go/funcframework"
)

func main() {
	if err := funcframework.StartHostPort("127.0.0.1", os.Getenv("PORT")); err != nil {
		log.Fatalf("the function did not start: %v", err)
	}
}
`

// buildWrapper does to the source what scripts/stage and then the buildpack do,
// and returns the program.
func buildWrapper(t *testing.T) string {
	source := filepath.Join(t.TempDir(), "source")
	run := func(dir string, command ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
		cmd.Dir = dir
		// No network: go.sum holds all that the build needs.
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		require.NoError(t, err, "%s: %s", command, &stderr)
		return strings.TrimSpace(string(out))
	}
	run("..", "scripts/stage", source)

	// What the buildpack requires of the source.
	module := run(source, "go", "list", "-m")
	first, _, _ := strings.Cut(module, "/")
	require.Contains(t, first, ".", "the buildpack refuses module %s: no dot in its first element", module)
	require.NotEmpty(t, run(source, "go", "list", "-m", "-f", "{{.Version}}", "github.com/GoogleCloudPlatform/functions-framework-go"))
	require.Contains(t, run(source, "go", "list", "-f", "{{.Imports}}", "."), "functions-framework-go/functions",
		"without this import in the root package the buildpack expects the functions as its exported names")
	root, err := filepath.Glob(filepath.Join(source, "*.go"))
	require.NoError(t, err)
	require.Len(t, root, 1)

	main := filepath.Join(source, "functions.local", "app")
	require.NoError(t, os.MkdirAll(main, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(main, "main.go"), []byte(strings.Replace(wrapper, "PACKAGE", module, 1)), 0o644))
	program := filepath.Join(t.TempDir(), "app")
	run(source, "go", "build", "-o", program, "./functions.local/app")
	return program
}

// startFunction runs the wrapper as Cloud Run runs an instance and returns its URL.
func (w *world) startFunction(program, target string) string {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(w.t, err)
	address := listener.Addr().String()
	_, port, err := net.SplitHostPort(address)
	require.NoError(w.t, err)
	require.NoError(w.t, listener.Close())

	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), "FUNCTION_TARGET="+target, "PORT="+port, "K_SERVICE="+target,
		"FIRESTORE_EMULATOR_HOST="+w.Emulator.Host(), "GOOGLE_CLOUD_PROJECT="+w.Emulator.Project())
	cmd.Stderr, cmd.Stdout = w.log, w.log
	require.NoError(w.t, cmd.Start())
	w.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	require.Eventually(w.t, func() bool {
		conn, err := net.Dial("tcp4", address)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, 30*time.Second, 20*time.Millisecond, "%s does not listen", target)
	return "http://" + address
}

func TestBuildpackWrapperServesTheFunctions(t *testing.T) {
	deep.Only(t)
	program := buildWrapper(t)
	w := newWorld(t, setting{trigger: eventarc.Trigger{Pattern: "nothing/{here}"}})
	for _, trigger := range []eventarc.Trigger{
		{Name: "hook", Pattern: "tenants/{tenant}/memories/{memory}", URL: w.startFunction(program, functions.NameOnMemoryWritten)},
		{Name: "requests", EventType: eventarc.Created, URL: w.startFunction(program, functions.NameOnRequest),
			Pattern: "hippocampus/v1/tenants/{tenant}/memories/index/memory_shards/request"},
	} {
		require.NoError(t, w.broker.Add(t.Context(), trigger))
	}
	w.Put("日本語/メモ", t0)
	w.drain()
	require.Equal(t, []string{"shard-0"}, w.shardIDs())

	path, err := index.Path(acme)
	require.NoError(t, err)
	request := w.Client.Doc(path + "/" + index.RequestID)
	_, err = request.Create(t.Context(), index.Request{Kind: index.Build, Reason: "missing"}.Fields(firestore.ServerTimestamp))
	require.NoError(t, err)
	w.drain()
	w.requireListed(1)
	require.Nil(t, w.View().Request)

	w.Put("b", t0.Add(time.Hour))
	w.drain()
	w.requireListed(2)

	_, err = w.Client.Doc(path+"/"+index.MetaID).Update(t.Context(), []firestore.Update{{Path: index.DueField, Value: t0}})
	require.NoError(t, err)
	res, err := http.Post(w.startFunction(program, functions.NameRepairDue), "application/json", nil)
	require.NoError(t, err)
	defer res.Body.Close()
	require.Equal(t, http.StatusOK, res.StatusCode)
	var summary functions.Summary
	require.NoError(t, json.NewDecoder(res.Body).Decode(&summary))
	require.Equal(t, 1, summary.Found)
	require.Len(t, summary.Repaired, 1)
	require.Equal(t, acme, summary.Repaired[0].Collection)
	w.requireListed(2)
	require.Empty(t, w.log.lines(`"severity":"ERROR"`))
	require.NotEmpty(t, w.log.lines(`"severity":"INFO"`, `"message":"repair of what is due"`))
	require.Zero(t, w.service.Stats().Events, "nothing of this was done in this process")

	for name, value := range map[string]string{"HIPPO_MEMORIES": "tenants/{tenant}", "HIPPO_IDS": "roman"} {
		cmd := exec.CommandContext(t.Context(), program)
		cmd.Env = append(os.Environ(), "FUNCTION_TARGET=OnMemoryWritten", "PORT=0", name+"="+value)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit, "a wrong configuration must not start")
		require.Equal(t, 1, exit.ExitCode())
		require.Contains(t, string(out), `"severity":"ERROR"`)
		require.Contains(t, string(out), "environment variable "+name)
	}
}
