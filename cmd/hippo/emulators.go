package main

import (
	"context"
	"errors"
	"os"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/spf13/pflag"
	"google.golang.org/api/option"

	"hippocampus/emulator"
	"hippocampus/emulator/eventarc"
	"hippocampus/emulator/official"
	"hippocampus/repair"
)

// firestoreEmulator is an emulator that demo and dev run.
type firestoreEmulator interface {
	eventarc.Source
	Host() string
	Client(ctx context.Context, opts ...option.ClientOption) (*firestore.Client, error)
	// Done is closed if the emulator ends by itself; Err then says why.
	Done() <-chan struct{}
	Err() error
	Close() error
}

// emulatorKind says which emulator demo and dev run.
type emulatorKind string

const (
	embedded   emulatorKind = "embedded" // in this process
	googlesOwn emulatorKind = "official"
)

func (k *emulatorKind) register(flags *pflag.FlagSet) {
	*k = embedded
	flags.Var(k, "emulator", "embedded, which needs nothing but this program, or official, Google's own, which needs Java and evaluates rules")
}

// String, Set and Type make it a flag's value.
func (k *emulatorKind) String() string { return string(*k) }

// Type is what help calls the value.
func (k *emulatorKind) Type() string { return "KIND" }

// Set takes a value from the command line.
func (k *emulatorKind) Set(s string) error {
	if s != string(embedded) && s != string(googlesOwn) {
		return errors.New("give embedded or official")
	}
	*k = emulatorKind(s)
	return nil
}

// start starts an emulator of the project, on a port of 127.0.0.1, 0 for a free one. Whatever else is running is left
// alone. The embedded one takes the exemptions of a firestore.indexes.json, if indexes is not nil.
func (k emulatorKind) start(ctx context.Context, project string, port int, indexes []byte) (firestoreEmulator, error) {
	if k == googlesOwn {
		if err := os.Unsetenv(emulatorHost); err != nil {
			return nil, err
		}
		em, err := official.Start(ctx, &official.Options{Project: project, Port: port})
		if err != nil {
			return nil, err
		}
		return em, nil
	}
	em, err := emulator.Start(ctx, &emulator.Options{Project: project, Port: port, Indexes: indexes})
	if err != nil {
		return nil, err
	}
	return inProcess{em}, nil
}

// lag is the SnapshotLag that repairs need on this kind.
func (k emulatorKind) lag() time.Duration {
	if k == googlesOwn {
		return repair.EmulatorLag
	}
	return 0
}

// inProcess is the embedded emulator, which does not end before this process does.
type inProcess struct{ *emulator.Emulator }

func (inProcess) Done() <-chan struct{} { return nil }

func (inProcess) Err() error { return nil }
