package official

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strconv"

	"hippocampus/emulator/internal/cloudevent"
)

// settleCollection is where Settle deletes documents that do not exist.
const settleCollection = "official-settle"

// Settle returns when the handler given to Receive has answered the events of every commit that had
// returned before Settle was called, in any project.
//
// The emulator queues a commit's events before it answers the commit, and posts them from one
// thread, in that order. Settle deletes a document that does not exist, for which the emulator
// emits an event too, and waits for that one: all earlier ones came before it. Nothing is left
// behind. As in Receive, it is an error if the events go elsewhere.
//
// It takes as long as the handler takes for the events that are queued, one after the other, so
// give ctx a deadline. It ends with an error when the emulator does.
func (e *Emulator) Settle(ctx context.Context) error {
	if e.events == nil {
		return fmt.Errorf("official: settle %s: this process does not receive the events of the emulator at %s", e.project, e.host)
	}
	if err := e.addSettleTrigger(ctx); err != nil {
		return e.settleError(err)
	}
	marker, arrived := e.events.expect()
	defer e.events.forget(marker)
	document := "/v1/projects/" + url.PathEscape(e.project) + "/databases/(default)/documents/" + settleCollection + "/" + marker
	if err := e.call(ctx, http.MethodDelete, document, nil); err != nil {
		return e.settleError(err)
	}
	select {
	case <-arrived:
		return nil
	case <-e.Done():
		return e.settleError(nil)
	case <-ctx.Done():
		return e.settleError(fmt.Errorf("not all events have been posted; if none come any more, a handler given to Receive is stuck: %w", ctx.Err()))
	}
}

// settleError prefers the emulator's end, if it has ended, to what followed from it.
func (e *Emulator) settleError(err error) error {
	if ended := e.child.ended(); ended != nil {
		err = ended
	}
	return fmt.Errorf("official: settle %s: %w", e.project, err)
}

// addSettleTrigger has the emulator post this project's markers. One call adds it while others wait
// for that.
func (e *Emulator) addSettleTrigger(ctx context.Context) error {
	select {
	case e.events.settling <- struct{}{}:
		defer func() { <-e.events.settling }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if e.events.settles[e.project] {
		return nil
	}
	err := e.AddTrigger(ctx, settleCollection, cloudevent.Written, settleCollection+"/{marker}")
	e.events.settles[e.project] = err == nil
	return err
}

// expect returns a new marker and a channel that is closed when its event arrives.
func (r *receiver) expect() (string, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lastMarker++
	marker, arrived := strconv.Itoa(r.lastMarker), make(chan struct{})
	r.markers[marker] = arrived
	return marker, arrived
}

func (r *receiver) forget(marker string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.markers, marker)
}

// settled takes the event of a marker.
func (r *receiver) settled(w http.ResponseWriter, req *http.Request) {
	marker := path.Base(req.Header.Get("ce-document"))
	r.mu.Lock()
	defer r.mu.Unlock()
	if arrived := r.markers[marker]; arrived != nil {
		close(arrived)
		delete(r.markers, marker)
	}
	w.WriteHeader(http.StatusOK)
}
