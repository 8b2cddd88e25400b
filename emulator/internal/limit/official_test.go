package limit_test

import (
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/internal/limit"
	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/official/officialtest"
)

func TestMain(m *testing.M) { officialtest.Main(m) }

// The official emulator draws the lines of documents where they are drawn here.
func TestBoundariesOfficially(t *testing.T) {
	em := officialtest.Start(t)
	client := pb.NewFirestoreClient(officialtest.Dial(t, em.Host()))
	database := "projects/" + em.Project() + "/databases/(default)"
	set := func(path string, f fields) error {
		_, err := client.Commit(t.Context(), &pb.CommitRequest{Database: database, Writes: []*pb.Write{
			{Operation: &pb.Write_Update{Update: &pb.Document{Name: database + "/documents/" + path, Fields: f}}},
		}})
		return err
	}
	for name, b := range boundaries() {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, set("c/d", b.within))
			require.Equal(t, codes.InvalidArgument, status.Code(set("c/d", b.over)))
		})
	}
	t.Run("maps have no bytes of their own, though the documentation gives them 32", func(t *testing.T) {
		f := fields{"m": literal.Map(fields{"a": literal.Str(x(1 << 19))}), "z": literal.Bytes(x(1<<20 - 20 - 32 - 2 - 2 - (1<<19 + 1) - 2))}
		require.NoError(t, set("c/d", f))
		refused(t, limit.CheckDocument("c/d", document(f), exempt(t)), "1048608 bytes")
	})
	t.Run("ids", func(t *testing.T) {
		require.NoError(t, set("c/"+x(1500), nil))
		require.Equal(t, codes.InvalidArgument, status.Code(set("c/"+x(1501), nil)))
		require.Equal(t, codes.InvalidArgument, status.Code(set(x(1501)+"/d", nil)))
	})
}
