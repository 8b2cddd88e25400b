package conformance_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"context"

	"hippocampus/emulator/conformance"
	"hippocampus/emulator/official/officialtest"
)

func TestMain(m *testing.M) { officialtest.Main(m) }

func TestOfficial(t *testing.T) {
	em := officialtest.Start(t)
	conformance.Run(t, conformance.Target{Conn: dial(t, em.Host()), Host: em.Host(), Official: true})
}

// dial connects as the owner.
func dial(t *testing.T, host string) *grpc.ClientConn {
	conn, err := grpc.NewClient("passthrough:///"+host,
		grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithPerRPCCredentials(owner{}))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

type owner struct{}

func (owner) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer owner"}, nil
}

func (owner) RequireTransportSecurity() bool { return false }
