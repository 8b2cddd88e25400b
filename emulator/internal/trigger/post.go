package trigger

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	// timeout bounds one post over HTTP. The functions emulator answers when the function has
	// ended.
	timeout = 60 * time.Second
	// maxAnswer is how much of an answer is read, for the log.
	maxAnswer = 4 << 10
)

// newClient returns a client that keeps no connections: a post that meets one which the server is
// just closing would be lost.
func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true, Proxy: nil},
		Timeout: timeout}
}

// post posts one event and waits for the answer.
func (q *Queue) post(e event) {
	host := "functions" // of the process's own handler
	if q.client != nil {
		host = q.opts.Functions
	}
	req, err := q.request(q.ctx, host, e)
	if err == nil {
		if q.client != nil {
			err = send(q.client, req)
		} else {
			err = q.hand(req)
		}
	}
	if err != nil && q.ctx.Err() == nil {
		q.opts.Logger.Warn("the event of a trigger was not taken", "component", "trigger",
			"trigger", e.watch.Name, "document", string(e.change.Path), "error", err)
	}
}

func (q *Queue) request(ctx context.Context, host string, e event) (*http.Request, error) {
	body, err := data(e.change)
	if err != nil {
		return nil, fmt.Errorf("encode the event: %w", err)
	}
	path := "/functions/projects/" + url.PathEscape(q.opts.Project) + "/triggers/" + url.PathEscape(e.watch.Name)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+host+path,
		strings.NewReader(base64.StdEncoding.EncodeToString(body)))
	if err != nil {
		return nil, err
	}
	req.Header = q.attributes(e).Header()
	req.Header.Set("Ce-Datacontenttype", "application/protobuf") // not needed, but the official emulator sends it
	return req, nil
}

// send posts over HTTP.
func send(client *http.Client, req *http.Request) error {
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return fmt.Errorf("HTTP %d: %s", res.StatusCode, strings.TrimSpace(string(answer)))
	}
	return nil
}

// hand has the handler serve the request, as an HTTP server would. What it answers is its own
// affair: it is in this process and can say what it has to.
func (q *Queue) hand(req *http.Request) (err error) {
	q.mu.Lock()
	h := q.handler
	q.mu.Unlock()
	if h == nil {
		return nil
	}
	req.RequestURI = req.URL.RequestURI()
	req.RemoteAddr = "127.0.0.1:0"
	defer func() {
		if p := recover(); p != nil && p != http.ErrAbortHandler {
			err = fmt.Errorf("its handler panics: %v", p)
		}
	}()
	h.ServeHTTP(discard{}, req)
	return nil
}

// discard is an answer that nobody looks at.
type discard http.Header

func (d discard) Header() http.Header       { return http.Header(d) }
func (discard) WriteHeader(int)             {}
func (discard) Write(p []byte) (int, error) { return len(p), nil }
