package stack

import (
	"context"
	"errors"
	"os"
	"time"

	"hippocampus/emulator"
	"hippocampus/emulator/eventarc"
	"hippocampus/emulator/official"
	"hippocampus/repair"
)

// Emulator is a running emulator of either kind, whose end is its owner's.
type Emulator interface {
	eventarc.Firestore
	// Done is closed if the emulator ends by itself; Err then says why.
	Done() <-chan struct{}
	Err() error
	Close() error
}

// Kind says which emulator is run.
type Kind string

// Kinds of emulators.
const (
	Embedded Kind = "embedded" // in this process
	Official Kind = "official" // Google's, a child of this process
)

// String, Set and Type make it a flag's value.
func (k *Kind) String() string { return string(*k) }

// Type is what help calls the value.
func (k *Kind) Type() string { return "KIND" }

// Set takes a value from the command line.
func (k *Kind) Set(s string) error {
	if s != string(Embedded) && s != string(Official) {
		return errors.New("give embedded or official")
	}
	*k = Kind(s)
	return nil
}

// start starts an emulator of the project on a port of 127.0.0.1, 0 for a free one. An official
// emulator that runs already is left alone: FIRESTORE_EMULATOR_HOST is taken out of this
// process's environment first. indexes, a firestore.indexes.json or nil, gives the embedded one
// its exemptions.
func (k Kind) start(ctx context.Context, project string, port int,
	indexes []byte) (Emulator, error) {
	if k == Official {
		if err := os.Unsetenv("FIRESTORE_EMULATOR_HOST"); err != nil {
			return nil, err
		}
		em, err := official.Start(ctx, &official.Options{Project: project, Port: port})
		if err != nil {
			return nil, err
		}
		return em, nil
	}
	em, err := emulator.Start(ctx, &emulator.Options{Project: project, Port: port,
		Indexes: indexes})
	if err != nil {
		return nil, err
	}
	return em, nil
}

// Lag is the SnapshotLag that repairs need on this kind.
func (k Kind) Lag() time.Duration {
	if k == Official {
		return repair.EmulatorLag
	}
	return 0
}
