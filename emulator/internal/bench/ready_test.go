package bench_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator"
	"hippocampus/emulator/internal/client"
	"hippocampus/emulator/official"
)

// From nothing to the first answer that a client has.
func BenchmarkReady(b *testing.B) {
	answer := func(host, project string) {
		c, err := client.New(b.Context(), host, project, client.Owner)
		require.NoError(b, err)
		_, err = c.Doc("c/d").Get(b.Context())
		require.Equal(b, codes.NotFound, status.Code(err))
		require.NoError(b, c.Close())
	}
	var took time.Duration
	n := 0
	for b.Loop() {
		began := time.Now()
		em, err := emulator.Start(b.Context(), nil)
		require.NoError(b, err)
		answer(em.Host(), em.Project())
		took += time.Since(began)
		n++
		require.NoError(b, em.Close())
	}
	b.ReportMetric(0, "ns/op")
	ours := took.Seconds() * 1000 / float64(n)
	b.ReportMetric(ours, "ours-ms")
	if official.Available() != nil {
		return
	}
	began := time.Now()
	em, err := official.Start(b.Context(), nil)
	require.NoError(b, err)
	answer(em.Host(), em.Project())
	theirs := time.Since(began).Seconds() * 1000
	require.NoError(b, em.Close())
	b.ReportMetric(theirs, "official-ms")
	b.ReportMetric(theirs/ours, "×official")
}
