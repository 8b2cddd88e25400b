package reader

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"hippocampus/index"
	"hippocampus/internal/indexdb"
	"hippocampus/internal/outcome"
)

// What became of asking for a build or a compaction, see Receipt.Request.
const (
	NotNeeded    = "none"
	Asked        = "asked"
	AlreadyAsked = "already asked"
	// Refused begins what a receipt says of a request that could not be made;
	// why follows.
	Refused = "refused: "
)

// turnsWithoutAsking is how many turns that need a request do not try to make
// one after permission was denied. Turns are counted and not time, because
// nothing here depends on this machine's clock.
const turnsWithoutAsking = 100

// asking is what a Reader remembers of its requests.
type asking struct {
	timeout time.Duration
	group   singleflight.Group // by the path of the index

	mu     sync.Mutex
	denied string // why permission was denied
	skip   int    // turns that still are not to try
	// settings holds, for each index that was built with other settings, the
	// generation of which a build was asked for.
	settings map[string]int64
}

// ask creates the request document of an index unless it is there already, and
// returns what became of it. Creating it triggers the work. The create fails if
// the document exists, so there is one request however many ask.
func (r *Reader) ask(ctx context.Context, x *indexdb.Index, view *index.View, kind index.Kind,
	reason string) string {
	if view.Request != nil {
		return AlreadyAsked
	}
	if why := r.asking.whyNotAsk(x.Path(), view, reason); why != "" {
		return Refused + why
	}
	// Concurrent creates of one document contend, so all turns of this reader
	// share one. It goes on when a turn's context ends.
	first := false
	asked := r.asking.group.DoChan(x.Path(), func() (any, error) {
		first = true
		return r.create(context.WithoutCancel(ctx), x, kind, reason), nil
	})
	select {
	case <-ctx.Done():
		return Refused + ctx.Err().Error()
	case result := <-asked:
		if result.Val == Asked && !first {
			return AlreadyAsked
		}
		return result.Val.(string)
	}
}

// create creates the request document and returns what became of it.
func (r *Reader) create(ctx context.Context, x *indexdb.Index, kind index.Kind,
	reason string) string {
	ctx, cancel := context.WithTimeout(ctx, r.asking.timeout)
	defer cancel()
	created, err := x.Request(ctx, index.Request{Kind: kind, Reason: reason})
	switch outcome.Of(err) {
	case outcome.OK:
		if created {
			return Asked
		}
		return AlreadyAsked
	case outcome.Denied, outcome.Unauthenticated:
		r.asking.backOff(err)
	}
	r.log.WarnContext(ctx, "the index needs a "+string(kind)+" and it could not be asked for",
		"index", x.Path(), "reason", reason, "error", err)
	return Refused + err.Error()
}

func (a *asking) backOff(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.denied, a.skip = err.Error(), turnsWithoutAsking
}

// forgetSettings forgets that an index had other settings: it has ours now.
func (a *asking) forgetSettings(path string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.settings, path)
}

// whyNotAsk returns why there is no use in asking now, or nothing.
func (a *asking) whyNotAsk(path string, view *index.View, reason string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.skip > 0 {
		a.skip--
		return a.denied
	}
	if reason != index.Reason(index.ErrSettings) {
		return ""
	}
	if asked, ok := a.settings[path]; ok && asked != view.Meta.Generation {
		// Without this, each build would be followed by a request for another.
		return "it was built anew, with other settings again: set the schema of this reader and of the functions alike"
	}
	if a.settings == nil {
		a.settings = map[string]int64{}
	}
	a.settings[path] = view.Meta.Generation
	return ""
}
