package functions

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"sync"

	"cloud.google.com/go/firestore"

	"hippocampus/repair"
)

// Instance is the functions as one deployed instance has them. It makes its client
// and its Service when the first event arrives.
type Instance struct {
	environment Environment
	log         *slog.Logger

	mu      sync.Mutex
	service *Service
}

// Deployed returns the functions configured by the environment. If that is
// wrong it says so on standard error and ends the process, so that a deployment fails
// instead of every event. It does no other I/O.
func Deployed() *Instance {
	log := NewLogger(os.Stderr)
	i, err := newInstance(os.Getenv, log)
	if err != nil {
		log.Error("the functions are configured wrongly and do not start", "error", err.Error())
		os.Exit(1)
	}
	return i
}

func newInstance(getenv func(string) string, log *slog.Logger) (*Instance, error) {
	e, err := FromEnvironment(getenv)
	if err != nil {
		return nil, err
	}
	return &Instance{environment: e, log: log}, nil
}

// get returns the service, which the first call makes. A failure is not kept:
// the next event tries again.
func (i *Instance) get() (*Service, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.service != nil {
		return i.service, nil
	}
	project := i.environment.Project
	if project == "" {
		project = firestore.DetectProjectID
	}
	// Not the event's context: the client outlives it.
	client, err := firestore.NewClientWithDatabase(context.Background(), project,
		i.environment.Database)
	if err != nil {
		return nil, fmt.Errorf("connect to Firestore; if the project is unknown set %s: %w",
			envProject, err)
	}
	o := &Options{Logger: i.log}
	if i.environment.Emulator {
		o.Repair.SnapshotLag = repair.EmulatorLag
	}
	service, err := New(client, i.environment.Config, o)
	if err != nil {
		_ = client.Close()
		return nil, err
	}
	i.service = service
	return service, nil
}

// OnMemoryWritten is [Service.OnMemoryWritten] over HTTP.
func (i *Instance) OnMemoryWritten(w http.ResponseWriter, r *http.Request) {
	i.serve(NameOnMemoryWritten, w, r)
}

// OnRequest is [Service.OnRequest] over HTTP.
func (i *Instance) OnRequest(w http.ResponseWriter, r *http.Request) {
	i.serve(NameOnRequest, w, r)
}

// RepairDue is [Service.RepairDue].
func (i *Instance) RepairDue(w http.ResponseWriter, r *http.Request) {
	i.serve(NameRepairDue, w, r)
}

func (i *Instance) serve(name string, w http.ResponseWriter, r *http.Request) {
	s, err := i.get()
	if err != nil {
		i.log.ErrorContext(r.Context(), "nothing can be done", "function", name, "error",
			err.Error())
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	served[name](s, w, r)
}
