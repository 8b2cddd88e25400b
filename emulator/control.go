package emulator

import (
	"context"
	"fmt"

	"cloud.google.com/go/firestore"
	"google.golang.org/api/option"
	"google.golang.org/grpc"

	"hippocampus/emulator/fault"
	"hippocampus/emulator/meter"
)

// ClientOf returns a client, as Client does, whose usage is counted under a caller's name of
// printable ASCII. Any other client is counted so if it sends the name as gRPC metadata, in
// meter.Header.
func (e *Emulator) ClientOf(ctx context.Context, caller string,
	opts ...option.ClientOption) (*firestore.Client, error) {
	name, err := meter.Caller(caller)
	if err != nil {
		return nil, fmt.Errorf("emulator: client of %s: %w", e.project, err)
	}
	named := option.WithGRPCDialOption(grpc.WithPerRPCCredentials(name))
	return e.Client(ctx, append([]option.ClientOption{named}, opts...)...)
}

// Usage returns what the callers of this project have used, as billing would count it, by their
// names; "" is all without one. What a call that has been answered has used is in it.
func (e *Emulator) Usage() map[string]meter.Usage { return e.meter.Usage(e.project) }

// ResetUsage sets the counts of Usage to zero.
func (e *Emulator) ResetUsage() { e.meter.Reset(e.project) }

// Inject makes calls to this project go wrong as the rule says.
func (e *Emulator) Inject(r fault.Rule) (*fault.Injected, error) {
	injected, err := e.faults.Inject(e.project, r)
	if err != nil {
		return nil, fmt.Errorf("emulator: inject a fault into %s: %w", e.project, err)
	}
	return injected, nil
}
