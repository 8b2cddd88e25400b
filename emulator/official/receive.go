package official

import (
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// Receive has h handle the events that this project's triggers post, one POST to
// /functions/projects/{project}/triggers/{name} each, from now on; nil stops that. The emulator
// posts an event once, a while after its commit, and looks at no answer. It is an error if this
// Emulator does not receive the events: it is External, or Options.Functions sends them elsewhere.
func (e *Emulator) Receive(h http.Handler) error {
	if e.external {
		return fmt.Errorf("official: receive events of %s: the emulator at %s was started elsewhere and posts its events there; unset FIRESTORE_EMULATOR_HOST to have one started", e.project, e.host)
	}
	if e.events == nil {
		return fmt.Errorf("official: receive events of %s: Options.Functions sends them elsewhere; leave it empty", e.project)
	}
	e.events.set(e.project, h)
	return nil
}

// receiver is the HTTP server that the emulator takes for the functions emulator. It hands each
// post to its project's handler.
type receiver struct {
	listener net.Listener
	server   *http.Server
	done     chan struct{}

	settling chan struct{}   // has room for the one that may touch settles: mu would hold up the posts
	settles  map[string]bool // projects that have Settle's trigger

	mu         sync.RWMutex
	handlers   map[string]http.Handler  // by project
	markers    map[string]chan struct{} // that Settle waits for
	lastMarker int
}

func newReceiver() (*receiver, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for events: %w", err)
	}
	r := &receiver{
		listener: l, done: make(chan struct{}), handlers: map[string]http.Handler{},
		settling: make(chan struct{}, 1), settles: map[string]bool{},
		markers: map[string]chan struct{}{},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /functions/projects/{project}/triggers/{name}", r.dispatch)
	r.server = &http.Server{Handler: mux, ReadHeaderTimeout: 30 * time.Second}
	go func() {
		defer close(r.done)
		_ = r.server.Serve(l) // ends with close
	}()
	return r, nil
}

func (r *receiver) addr() string { return r.listener.Addr().String() }

func (r *receiver) set(project string, h http.Handler) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if h == nil {
		delete(r.handlers, project)
		return
	}
	r.handlers[project] = h
}

func (r *receiver) dispatch(w http.ResponseWriter, req *http.Request) {
	if req.PathValue("name") == settleCollection {
		r.settled(w, req)
		return
	}
	r.mu.RLock()
	h := r.handlers[req.PathValue("project")]
	r.mu.RUnlock()
	if h == nil {
		http.NotFound(w, req) // the receiver of a project that is no longer in use
		return
	}
	h.ServeHTTP(w, req)
}

func (r *receiver) close() {
	_ = r.server.Close()
	<-r.done
}
