// Package fault makes calls to Firestore go wrong, for tests: fail, wait, or be made and then lose
// their connection before they are answered. Rules say which calls; several may concern one call,
// which then first waits for all that delay it.
//
// A call is counted when its request has arrived, so with one caller at a time the same rules hit
// the same calls again.
package fault

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/clock"
	"hippocampus/emulator/internal/call"
)

// Rule says which calls go wrong, and how: one of Code and Cut, or a delay, or a delay before one
// of them.
type Rule struct {
	// RPC is the name of the method, "Commit". Any if it is empty. A stream is one call.
	RPC string
	// Nth is the first such call, from now on, that is hit. Default 1, the next one.
	Nth int
	// Times is how many calls from there on are hit; negative: all, until Remove. Default 1.
	Times int

	// Delay has the call wait, by the emulator's clock, before it is made.
	Delay time.Duration
	// Until has the call wait until the channel is closed, before it is made.
	Until <-chan struct{}
	// Code has the call fail with it and not be made.
	Code codes.Code
	// Message of the failure. Default one that says that it was on purpose.
	Message string
	// Cut has the call be made and then closes the connection it came by, without an answer. What
	// else goes on over this connection is lost, too. A stream is cut when it sends its first
	// response, or ends without one.
	Cut bool
}

func (r *Rule) complete() error {
	if r.RPC != "" && !known(r.RPC) {
		return fmt.Errorf("%q is no method of Firestore; write it as Commit or RunQuery", r.RPC)
	}
	if r.Nth == 0 {
		r.Nth = 1
	}
	if r.Times == 0 {
		r.Times = 1
	}
	switch {
	case r.Nth < 0:
		return fmt.Errorf("rule with Nth %d: the next call is 1", r.Nth)
	case r.Delay < 0:
		return fmt.Errorf("the delay %s is negative", r.Delay)
	case r.Code > codes.Unauthenticated:
		return fmt.Errorf("%d is no code of gRPC", r.Code)
	case r.Code != codes.OK && r.Cut:
		return fmt.Errorf("a call that fails is not made, so it cannot be cut afterwards; give one of Code and Cut")
	case r.Code == codes.OK && !r.Cut && r.Delay == 0 && r.Until == nil:
		return fmt.Errorf("nothing would go wrong; give a Code, Cut, a Delay or Until")
	}
	if r.Message == "" {
		r.Message = "this call fails on purpose: a test asked for it"
	}
	return nil
}

// known reports whether Firestore has a method.
func known(rpc string) bool {
	for _, m := range firestorepb.Firestore_ServiceDesc.Methods {
		if m.MethodName == rpc {
			return true
		}
	}
	for _, s := range firestorepb.Firestore_ServiceDesc.Streams {
		if s.StreamName == rpc {
			return true
		}
	}
	return false
}

// Injector holds the rules of a server's projects. It is safe for concurrent use.
type Injector struct {
	clock clock.Clock

	active atomic.Int64 // rules, so that calls without any take no lock
	mu     sync.Mutex
	rules  map[string][]*Injected // by project, in the order of their making
}

// New returns an injector without rules. The clock is that of delays.
func New(c clock.Clock) *Injector {
	return &Injector{clock: c, rules: map[string][]*Injected{}}
}

// Injected is a rule that is in force.
type Injected struct {
	in      *Injector
	project string
	rule    Rule
	fired   chan struct{}

	before int // calls before the first that is hit; in.mu guards it, and count
	count  int
}

// Inject puts a rule in force for calls to a project.
func (in *Injector) Inject(project string, r Rule) (*Injected, error) {
	if err := r.complete(); err != nil {
		return nil, err
	}
	i := &Injected{in: in, project: project, rule: r, fired: make(chan struct{}), before: r.Nth - 1}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.rules[project] = append(in.rules[project], i)
	in.active.Add(1)
	return i, nil
}

// Fired returns a channel that is closed when the rule hits its first call, before this waits,
// fails or is made.
func (i *Injected) Fired() <-chan struct{} { return i.fired }

// Count returns how many calls the rule has hit.
func (i *Injected) Count() int {
	i.in.mu.Lock()
	defer i.in.mu.Unlock()
	return i.count
}

// Remove ends the rule. Calls that it has hit already are not spared. It may be called more than
// once.
func (i *Injected) Remove() {
	i.in.mu.Lock()
	defer i.in.mu.Unlock()
	i.remove()
}

func (i *Injected) remove() {
	rules := i.in.rules[i.project]
	n := slices.Index(rules, i)
	if n < 0 {
		return
	}
	if rules = slices.Delete(rules, n, n+1); len(rules) > 0 {
		i.in.rules[i.project] = rules
	} else {
		delete(i.in.rules, i.project)
	}
	i.in.active.Add(-1)
}

// hit counts a call and returns the rules that hit it.
func (in *Injector) hit(rpc, project string) []Rule {
	in.mu.Lock()
	defer in.mu.Unlock()
	var hit []Rule
	for _, i := range slices.Clone(in.rules[project]) {
		if i.rule.RPC != "" && i.rule.RPC != rpc {
			continue
		}
		if i.before > 0 {
			i.before--
			continue
		}
		if i.count == 0 {
			close(i.fired)
		}
		i.count++
		if i.count == i.rule.Times {
			i.remove()
		}
		hit = append(hit, i.rule)
	}
	return hit
}

// arrive has a call with this request suffer what precedes it. It returns its failure, if it is not
// to be made, and whether its connection is to be cut afterwards.
func (in *Injector) arrive(ctx context.Context, fullMethod string, req any) (cut bool, err error) {
	if in.active.Load() == 0 {
		return false, nil
	}
	hit := in.hit(call.RPC(fullMethod), call.Project(req))
	for _, r := range hit {
		if err := in.wait(ctx, r); err != nil {
			return false, err
		}
	}
	for _, r := range hit {
		if r.Code != codes.OK {
			return false, status.Error(r.Code, r.Message)
		}
		cut = cut || r.Cut
	}
	return cut, nil
}

func (in *Injector) wait(ctx context.Context, r Rule) error {
	if r.Delay > 0 {
		passed := make(chan struct{})
		stop := in.clock.AfterFunc(r.Delay, func() { close(passed) })
		defer stop()
		select {
		case <-passed:
		case <-ctx.Done():
			return status.FromContextError(ctx.Err()).Err()
		}
	}
	if r.Until != nil {
		select {
		case <-r.Until:
		case <-ctx.Done():
			return status.FromContextError(ctx.Err()).Err()
		}
	}
	return nil
}
