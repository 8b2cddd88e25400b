package main

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func TestExplainInterrupted(t *testing.T) {
	cancelled := status.Error(codes.Canceled, "context canceled")
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"nothing but the interruption": {context.Canceled, "interrupted"},
		"the same of gRPC":             {cancelled, "interrupted"},
		"what was done so far":         {fmt.Errorf("import x (so far 3 added, 0 changed; run it again to go on): %w", cancelled), "interrupted: import x (so far 3 added, 0 changed; run it again to go on): rpc error: code = Canceled desc = context canceled"},
		"a failure while it ended":     {errors.New("close: it is stuck"), "interrupted: close: it is stuck"},
		"a failure besides":            {errors.Join(context.Canceled, errors.New("close: it is stuck")), "interrupted: context canceled\nclose: it is stuck"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			require.NotContains(t, explain(ctx, c.err).Error(), "interrupted")
			cancel()
			require.EqualError(t, explain(ctx, c.err), c.want)
		})
	}
}
