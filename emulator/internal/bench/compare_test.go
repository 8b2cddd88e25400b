package bench_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"cloud.google.com/go/firestore"
	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator"
	"hippocampus/emulator/internal/client"
	"hippocampus/emulator/official"
)

// program is what clients do.
type program struct {
	clients int
	// slow makes turns five times as long.
	slow bool
	// prepare is not run on the server with ready answers.
	prepare func(context.Context, *server) error
	// once is what one client does again and again. n is different each time.
	once func(ctx context.Context, s *server, client, n int) error
	// canned says that the server with ready answers can run it.
	canned bool
}

// server is one of those that are compared.
type server struct {
	name     string
	client   *firestore.Client
	rpc      firestorepb.FirestoreClient
	database string
	done     int
	took     time.Duration
}

// perSecond is the throughput over all turns.
func (s *server) perSecond() float64 { return float64(s.done) / s.took.Seconds() }

// compare runs a program on all servers in turns and reports their throughputs and ratios.
func compare(b *testing.B, p program) {
	servers := start(b, p)
	for _, s := range servers {
		if s.name != "canned" {
			require.NoError(b, p.prepare(b.Context(), s))
		}
		length := *turn
		if s.name == "official" {
			length = *warm
		}
		require.NoError(b, s.run(b.Context(), p, length))
		s.done, s.took = 0, 0
	}
	length := *turn
	if p.slow {
		length *= 5
	}
	for b.Loop() {
		for range *turns {
			for _, s := range servers {
				require.NoError(b, s.run(b.Context(), p, length))
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	byName := map[string]float64{}
	for _, s := range servers {
		byName[s.name] = s.perSecond()
		b.ReportMetric(s.perSecond(), s.name+"/s")
	}
	if ours := byName["ours"]; ours > 0 {
		for _, other := range []string{"official", "canned"} {
			if byName[other] > 0 {
				b.ReportMetric(ours/byName[other], "×"+other)
			}
		}
	}
}

// start starts the servers that can run p.
func start(b *testing.B, p program) []*server {
	var all []*server
	add := func(name, host, project string) {
		c, err := client.New(b.Context(), host, project, client.Owner)
		require.NoError(b, err)
		b.Cleanup(func() { require.NoError(b, c.Close()) })
		conn, err := client.Dial(host, client.Owner)
		require.NoError(b, err)
		b.Cleanup(func() { require.NoError(b, conn.Close()) })
		all = append(all, &server{
			name: name, client: c, rpc: firestorepb.NewFirestoreClient(conn),
			database: "projects/" + project + "/databases/(default)",
		})
	}
	wanted := func(name string) bool { return *only == "" || *only == name }
	if wanted("ours") {
		em, err := emulator.Start(b.Context(), nil)
		require.NoError(b, err)
		b.Cleanup(func() { require.NoError(b, em.Close()) })
		add("ours", em.Host(), em.Project())
	}
	if wanted("official") && official.Available() == nil {
		em, err := official.Start(b.Context(), nil) // one for each program: contention leaves its traces
		require.NoError(b, err)
		b.Cleanup(func() { require.NoError(b, em.Close()) })
		add("official", em.Host(), em.Project())
	}
	if wanted("canned") && p.canned {
		add("canned", serveCanned(b), emulator.DefaultProject)
	}
	require.NotEmpty(b, all)
	return all
}

// grace is how long clients may take to finish what they began. Contended transactions of the
// official emulator take longer than anybody wants to wait; they are cut off and do not count.
func (s *server) grace() time.Duration {
	if s.name == "official" {
		return 5 * time.Second
	}
	return time.Minute
}

// run runs a program for a while, and until each client has finished what it began, and counts what
// they do.
func (s *server) run(ctx context.Context, p program, length time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, length+s.grace())
	defer cancel()
	var done, numbers atomic.Int64
	errs := make(chan error, p.clients)
	began := time.Now()
	for i := range p.clients {
		go func() {
			for time.Since(began) < length {
				if err := p.once(ctx, s, i, int(numbers.Add(1))); err != nil {
					errs <- err
					return
				}
				done.Add(1)
			}
			errs <- nil
		}()
	}
	var first error
	for range p.clients {
		if err := <-errs; first == nil {
			first = err
		}
	}
	if s.name == "official" && ctx.Err() != nil {
		first = nil
	}
	s.took += time.Since(began)
	s.done += int(done.Load())
	return first
}
