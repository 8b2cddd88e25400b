package official_test

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/official"
	"hippocampus/emulator/official/officialtest"
)

// lockedBuffer is a log that may be written while it is read.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func TestStartAndClose(t *testing.T) {
	officialtest.Need(t)
	ctx := t.Context()
	var log lockedBuffer
	em, err := official.Start(ctx, &official.Options{Project: "demo-one", Output: &log})
	require.NoError(t, err)
	require.Equal(t, "demo-one", em.Project())
	require.Equal(t, "127.0.0.1:"+strconv.Itoa(em.Port()), em.Host())
	require.False(t, em.External())
	require.Contains(t, log.String(), "Dev App Server is now running")

	// The same port again: by option, and for one who does not look before.
	_, err = official.Start(ctx, &official.Options{Port: em.Port()})
	require.ErrorIs(t, err, official.ErrPortInUse)
	require.ErrorContains(t, err, em.Host())
	require.ErrorContains(t, err, "choose another port")

	client, err := em.Client(ctx)
	require.NoError(t, err)
	_, err = client.Doc("x/1").Set(ctx, map[string]any{"a": 1})
	require.NoError(t, err)
	require.NoError(t, client.Close())

	require.NoError(t, em.In("demo-two").Close(), "a view closes nothing")
	require.NoError(t, em.Clear(ctx))

	require.NoError(t, em.Close())
	l, err := net.Listen("tcp4", em.Host())
	require.NoError(t, err, "the port is free when Close returns")
	require.NoError(t, l.Close())
	require.NoError(t, em.Close())
	require.ErrorContains(t, em.Clear(ctx), "clear demo-one")
	require.ErrorContains(t, em.Settle(ctx), "official:")
}

func TestEmulatorElsewhere(t *testing.T) {
	ctx := t.Context()
	em := officialtest.Start(t)
	for _, form := range []string{em.Host(), "http://" + em.Host(), "localhost:" + strconv.Itoa(em.Port())} {
		t.Setenv("FIRESTORE_EMULATOR_HOST", form)
		other, err := official.Start(ctx, &official.Options{Project: "demo-elsewhere"})
		require.NoError(t, err, form)
		require.True(t, other.External())
		require.Equal(t, strings.TrimPrefix(form, "http://"), other.Host())
		client, err := other.Client(ctx)
		require.NoError(t, err)
		_, err = client.Doc("x/1").Set(ctx, map[string]any{"a": 1})
		require.NoError(t, err)
		require.NoError(t, client.Close())
		require.ErrorContains(t, other.Receive(http.NotFoundHandler()), "unset FIRESTORE_EMULATOR_HOST")
		require.ErrorContains(t, other.Settle(ctx), "does not receive the events")
		require.NoError(t, other.Close())
		require.NoError(t, em.Clear(ctx), "Close leaves it alone")
	}

	// Clients go to their emulator, not to the one that the environment names.
	t.Setenv("FIRESTORE_EMULATOR_HOST", "127.0.0.1:1")
	require.False(t, em.External())
	client, err := em.Client(ctx)
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	_, err = client.Doc("x/1").Set(ctx, map[string]any{"a": 1})
	require.NoError(t, err)
}

func TestNothingElsewhere(t *testing.T) {
	page := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(page.Close)
	for host, want := range map[string]string{
		"127.0.0.1":                   "is not host:port",
		"nonsense":                    "is not host:port",
		"127.0.0.1:1":                 "no emulator answers at FIRESTORE_EMULATOR_HOST=127.0.0.1:1",
		page.Listener.Addr().String(): "not as a Firestore emulator",
	} {
		t.Setenv("FIRESTORE_EMULATOR_HOST", host)
		_, err := official.Start(t.Context(), nil)
		require.ErrorContains(t, err, want, host)
	}
}

func TestNotFound(t *testing.T) {
	empty := t.TempDir()
	jar := filepath.Join(empty, "emulator.jar")
	require.NoError(t, os.WriteFile(jar, nil, 0o644))
	for name, c := range map[string]struct {
		env  map[string]string
		o    official.Options
		want []string
	}{
		"jar of the environment missing": {
			map[string]string{"FIRESTORE_EMULATOR_JAR": "/nowhere.jar"}, official.Options{},
			[]string{"FIRESTORE_EMULATOR_JAR names /nowhere.jar", "gcloud components install"}},
		"jar of the options missing": {
			nil, official.Options{Jar: "/nowhere.jar"}, []string{"Options.Jar names /nowhere.jar"}},
		"no Java on PATH": {
			map[string]string{"PATH": empty, "JAVA": "", "JAVA_HOME": "", "FIRESTORE_EMULATOR_JAR": jar}, official.Options{},
			[]string{"needs Java", "default-jre-headless"}},
		"JAVA wrong": {
			map[string]string{"JAVA": "/nowhere/java", "FIRESTORE_EMULATOR_JAR": jar}, official.Options{},
			[]string{"JAVA names /nowhere/java"}},
		"Options.Java wrong": {
			map[string]string{"FIRESTORE_EMULATOR_JAR": jar}, official.Options{Java: "/nowhere/java"},
			[]string{"Options.Java names /nowhere/java"}},
	} {
		t.Run(name, func(t *testing.T) {
			for key, value := range c.env {
				t.Setenv(key, value)
			}
			_, err := official.Start(t.Context(), &c.o)
			require.ErrorIs(t, err, official.ErrNotFound)
			for _, want := range c.want {
				require.ErrorContains(t, err, want)
			}
		})
	}
}

// fakeJava is a java command that does what script says.
func fakeJava(t *testing.T, script string) official.Options {
	if runtime.GOOS == "windows" {
		t.Fatal("this test needs a shell")
	}
	dir := t.TempDir()
	java, jar := filepath.Join(dir, "java"), filepath.Join(dir, "emulator.jar")
	require.NoError(t, os.WriteFile(java, []byte("#!/bin/sh\n"+script), 0o755))
	require.NoError(t, os.WriteFile(jar, nil, 0o644))
	return official.Options{Java: java, Jar: jar}
}

func TestJavaFails(t *testing.T) {
	o := fakeJava(t, "echo UnsupportedClassVersionError: get a newer Java >&2; exit 1")
	_, err := official.Start(t.Context(), &o)
	require.ErrorContains(t, err, "UnsupportedClassVersionError: get a newer Java")
	require.ErrorContains(t, err, "exit status 1")
}

// A start that is given up leaves no process, not even one that the child has started.
func TestGivenUp(t *testing.T) {
	dir := t.TempDir()
	pid := filepath.Join(dir, "pid")
	o := fakeJava(t, "echo starting; sleep 1000 & echo $! > "+pid+"; wait")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		for ctx.Err() == nil {
			if b, err := os.ReadFile(pid); err == nil && len(b) > 1 {
				return
			}
			runtime.Gosched()
		}
	}()
	_, err := official.Start(ctx, &o)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "starting")
	b, err := os.ReadFile(pid)
	require.NoError(t, err)
	n, err := strconv.Atoi(strings.TrimSpace(string(b)))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return gone(n) }, 10*time.Second, 10*time.Millisecond)
}

func TestBadOptions(t *testing.T) {
	for _, o := range []official.Options{{Port: -1}, {Port: 70000}, {HeapMB: -1}} {
		_, err := official.Start(t.Context(), &o)
		require.ErrorContains(t, err, "give a port", "%+v", o)
	}
}

func TestFunctionsElsewhere(t *testing.T) {
	officialtest.Need(t)
	ctx := t.Context()
	paths := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { paths <- r.URL.Path }))
	t.Cleanup(server.Close)
	em, err := official.Start(ctx, &official.Options{Functions: server.Listener.Addr().String()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, em.Close()) })
	require.ErrorContains(t, em.Receive(http.NotFoundHandler()), "Options.Functions")
	require.NoError(t, em.AddTrigger(ctx, "there", written, "x/{id}"))
	client, err := em.Client(ctx)
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	_, err = client.Doc("x/1").Set(ctx, map[string]any{"a": 1})
	require.NoError(t, err)
	select {
	case path := <-paths:
		require.Equal(t, "/functions/projects/demo-hippocampus/triggers/there", path)
	case <-time.After(30 * time.Second):
		t.Fatal("no event arrived")
	}
}

// Between the choice of a free port and its use somebody else may take it: another one is tried,
// not for ever.
func TestFreePortTaken(t *testing.T) {
	ports := filepath.Join(t.TempDir(), "ports")
	o := fakeJava(t, `echo "$*" >> `+ports+`; echo java.net.BindException: Address already in use; exit 1`)
	_, err := official.Start(t.Context(), &o)
	require.ErrorIs(t, err, official.ErrPortInUse)
	tried, err := os.ReadFile(ports)
	require.NoError(t, err)
	require.Equal(t, 5, strings.Count(string(tried), "--port"))
}
