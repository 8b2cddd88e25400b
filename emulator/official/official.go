// Package official runs Google's Firestore emulator as a child process and talks to the parts of it
// that the Firestore client does not: triggers, security rules, clearing.
//
// The emulator is found, in this order, in
//
//  1. [Options].Jar,
//  2. FIRESTORE_EMULATOR_HOST: an official emulator that is running already; it is used, and nothing is started or
//     stopped,
//  3. FIRESTORE_EMULATOR_JAR: the path of the emulator's jar,
//  4. the Google Cloud CLI: its component cloud-firestore-emulator, or the Debian package google-cloud-cli-firestore-emulator.
//
// It is up in about a second and takes about 150 MB of memory when empty. All data are in its
// memory and are gone with it. It serves any number of projects: [Emulator.In] gives a view of
// another one, with documents, rules and triggers of its own.
//
// The child dies with the process that started it: on Close always; on Linux also when the process
// is killed.
package official

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// defaultProject is the project of an emulator whose Options name none. The Firebase tools promise
// that projects whose names begin with "demo-" never exist, so a mistake cannot reach a real one.
const defaultProject = "demo-hippocampus"

// startTimeout bounds a start whose context has no nearer deadline. A busy machine needs many times
// the usual second.
const startTimeout = 120 * time.Second

// Options of an emulator. Nil and the zero value are valid.
type Options struct {
	// Project is the project of the Emulator that Start returns. Default "demo-hippocampus".
	Project string
	// Port to listen on, on 127.0.0.1. 0 picks a free one.
	Port int
	// Functions is the host:port that receives the events of triggers. By default the Emulator
	// receives them itself and hands them to what Receive was given.
	Functions string
	// Jar is the emulator's jar. If set, this jar is started whatever the environment says.
	Jar string
	// Java is the java command. Default $JAVA, then $JAVA_HOME/bin/java, then java on PATH.
	Java string
	// HeapMB is the greatest size of the Java heap, in MiB. Default 2048. Room is taken only as it
	// is needed; 100,000 documents of 2 KB fit the default.
	HeapMB int
	// Output receives the emulator's output. By default only its end is kept, for error messages.
	Output io.Writer
}

// Emulator is a running emulator, seen as one project. It is safe for concurrent use.
type Emulator struct {
	*instance
	project string
	view    bool // made by In: does not own the process
}

// instance is what the views of all projects share.
type instance struct {
	host     string
	external bool      // somebody else's emulator
	child    *child    // nil if external
	events   *receiver // nil if external or Options.Functions was given
	close    func() error
}

// Start starts the emulator, or connects to the one that FIRESTORE_EMULATOR_HOST names, and returns
// when it answers. ctx bounds the start, not the emulator's life. The error wraps ErrNotFound if
// there is no emulator or no Java on this machine, and ErrPortInUse if Options.Port is taken.
func Start(ctx context.Context, o *Options) (*Emulator, error) {
	var opts Options
	if o != nil {
		opts = *o
	}
	if opts.Project == "" {
		opts.Project = defaultProject
	}
	if opts.HeapMB == 0 {
		opts.HeapMB = 2048
	}
	if opts.HeapMB < 0 || opts.Port < 0 || opts.Port > 65535 {
		return nil, fmt.Errorf("official: start: port %d and heap %d MB: give a port from 0 to 65535 and a positive heap", opts.Port, opts.HeapMB)
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()

	if host := os.Getenv("FIRESTORE_EMULATOR_HOST"); host != "" && opts.Jar == "" {
		if em, err := connect(ctx, host, opts.Project); !errors.Is(err, errEmbedded) {
			return em, err
		}
	}
	jar, java, err := find(&opts)
	if err != nil {
		return nil, fmt.Errorf("official: start: %w", err)
	}
	inst := &instance{}
	functions := opts.Functions
	if functions == "" {
		if inst.events, err = newReceiver(); err != nil {
			return nil, fmt.Errorf("official: start: %w", err)
		}
		functions = inst.events.addr()
	}
	inst.child, err = launch(ctx, jar, java, functions, &opts)
	if err != nil {
		if inst.events != nil {
			inst.events.close()
		}
		return nil, fmt.Errorf("official: start: %w", err)
	}
	inst.host = inst.child.host
	inst.close = sync.OnceValue(func() error {
		err := inst.child.kill()
		if inst.events != nil {
			inst.events.close()
		}
		return err
	})
	return &Emulator{instance: inst, project: opts.Project}, nil
}

// Available returns nil if Start finds an emulator and Java on this machine, else the error that
// Start returns, which wraps ErrNotFound.
func Available() error {
	_, _, err := find(&Options{})
	return err
}

// connect uses an emulator that somebody else runs.
func connect(ctx context.Context, host, project string) (*Emulator, error) {
	host = strings.TrimSuffix(strings.TrimPrefix(host, "http://"), "/")
	if _, port, err := net.SplitHostPort(host); err != nil || port == "" {
		return nil, fmt.Errorf("official: start: FIRESTORE_EMULATOR_HOST=%q is not host:port; correct or unset it", host)
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if err := answers(ctx, host); err != nil {
		return nil, fmt.Errorf("official: start: no emulator answers at FIRESTORE_EMULATOR_HOST=%s; start it, or unset the variable to have one started: %w", host, err)
	}
	inst := &instance{host: host, external: true, close: func() error { return nil }}
	return &Emulator{instance: inst, project: project}, nil
}

// Host returns the emulator's host:port, the value for FIRESTORE_EMULATOR_HOST.
func (e *Emulator) Host() string { return e.host }

// Port returns the port of Host.
func (e *Emulator) Port() int {
	_, port, _ := net.SplitHostPort(e.host)
	n, _ := strconv.Atoi(port)
	return n
}

// Project returns the project that this Emulator's methods act on.
func (e *Emulator) Project() string { return e.project }

// External reports whether the emulator was running already and belongs to somebody else.
func (e *Emulator) External() bool { return e.external }

// Done returns a channel that is closed when the emulator's process is gone: closed, killed by
// somebody else or out of memory. Err says which. All data are gone then, and only a new Start
// brings an emulator back. The channel of an External one is never closed.
func (e *Emulator) Done() <-chan struct{} {
	if e.child == nil {
		return nil
	}
	return e.child.exited
}

// Err returns nil until Done is closed, and then how the process ended, with the last of its
// output, 8 KiB at most.
func (e *Emulator) Err() error {
	if e.child == nil {
		return nil
	}
	if err := e.child.ended(); err != nil {
		return fmt.Errorf("official: %w", err)
	}
	return nil
}

// In returns the same emulator as another project, with its own documents, rules and triggers.
// Closing it does nothing: only the Emulator that Start returned stops the process.
func (e *Emulator) In(project string) *Emulator {
	return &Emulator{instance: e.instance, project: project, view: true}
}

// Close kills the emulator, with all its data, and returns when its process is gone and its port
// free. It does nothing to an emulator that was running before, nor the second time.
func (e *Emulator) Close() error {
	if e.view {
		return nil
	}
	return e.close()
}
