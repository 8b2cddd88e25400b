package report_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"hippocampus/internal/deep"
)

// chromium returns where Chromium is. The test is a deep one, and fails if it is nowhere.
func chromium(t *testing.T) string {
	t.Helper()
	deep.Only(t)
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	require.Fail(t, "Chromium is not on the PATH: install it, on Debian with apt-get install chromium")
	return ""
}

// browser is a tab of a headless Chromium, and what it did.
type browser struct {
	ctx context.Context

	mu       sync.Mutex
	requests []string // the addresses that it asked for
	messages []string // in its console
}

// startBrowser starts one that ends with the test. The directory of its data is new, and is removed
// after it.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium(t)), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
	)
	allocator, stop := chromedp.NewExecAllocator(context.WithoutCancel(t.Context()), options...)
	t.Cleanup(stop)
	ctx, _ := chromedp.NewContext(allocator)
	b := &browser{ctx: ctx}
	t.Cleanup(func() { require.NoError(t, chromedp.Cancel(ctx)) })
	require.NoError(t, chromedp.Do(ctx))
	require.NoError(t, chromedp.Listen(ctx, b.note))
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	require.NoError(t, err)
	return b
}

func (b *browser) note(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	case *runtime.EventConsoleAPICalled:
		b.messages = append(b.messages, "console: "+string(e.Type))
	case *runtime.EventExceptionThrown:
		b.messages = append(b.messages, "exception: "+e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		b.messages = append(b.messages, "log: "+e.Entry.Text)
	}
}

// open shows a page, from a server of this machine that has nothing else.
func (b *browser) open(t *testing.T, page []byte) (address string) {
	t.Helper()
	b.mu.Lock()
	b.requests, b.messages = nil, nil
	b.mu.Unlock()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/report.html" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(page)
	}))
	t.Cleanup(server.Close)
	address = server.URL + "/report.html"
	require.NoError(t, chromedp.Do(b.ctx, chromedp.Navigate(address)))
	return address
}

// did returns what the browser asked for and what it complained about since the page was opened.
func (b *browser) did() (requests, messages []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.requests, b.messages
}

// screen is how a page is looked at.
type screen struct {
	width  int64
	media  string // screen or print
	scheme string // light or dark
}

func (b *browser) look(t *testing.T, s screen) {
	t.Helper()
	require.NoError(t, chromedp.Do(b.ctx, chromedp.EmulateViewport(s.width, 900)))
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: s.media, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: s.scheme}},
	})
	require.NoError(t, err)
}

// audit is what testdata/audit.js finds.
type audit struct {
	Problems []string       `json:"problems"`
	Looked   map[string]int `json:"looked"`
}

func (b *browser) audit(t *testing.T) audit {
	t.Helper()
	script, err := os.ReadFile("testdata/audit.js")
	require.NoError(t, err)
	found, err := chromedp.Run(b.ctx, chromedp.Evaluate[audit](string(script)))
	require.NoError(t, err)
	return found
}

// shoot writes a picture of the page into the directory that HIPPOCAMPUS_SHOTS names, for people to
// look at, if it is set.
func (b *browser) shoot(t *testing.T, name string) {
	t.Helper()
	dir := os.Getenv("HIPPOCAMPUS_SHOTS")
	if dir == "" {
		return
	}
	const asPNG = 100
	picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(asPNG))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644))
}
