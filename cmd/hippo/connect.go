package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/spf13/pflag"
	"google.golang.org/api/option"

	"hippocampus/emulator"
	"hippocampus/functions"
	"hippocampus/index"
	"hippocampus/internal/stack"
	"hippocampus/memory"
	"hippocampus/repair"
)

const emulatorHost = "FIRESTORE_EMULATOR_HOST"

// connectionFlags say which Firestore a command works on, and which collection.
type connectionFlags struct {
	project, database  string
	tenant, collection string
	ids, dateField     string
	timeout            time.Duration
}

func (f *connectionFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.project, "project", "",
		"Google Cloud project (default $GOOGLE_CLOUD_PROJECT)")
	flags.StringVar(&f.database, "database", "", `Firestore database (default "(default)")`)
	flags.StringVarP(&f.tenant, "tenant", "t", "",
		"tenant whose memories are meant: tenants/TENANT/memories, or as $HIPPO_MEMORIES says")
	flags.StringVar(&f.collection, "collection", "",
		"path of the memory collection, instead of --tenant, such as users/u1/notes")
	flags.StringVar(&f.ids, "ids", "", `document ids: "base64url" of the names or "plain" (default base64url)`)
	flags.StringVar(&f.dateField, "date-field", "",
		"field that dates a memory (default updated_at)")
	flags.DurationVar(&f.timeout, "timeout", 20*time.Second,
		"how long to wait for Firestore to answer at all")
}

// registerEmulator registers the flag of a command that runs an emulator.
func registerEmulator(flags *pflag.FlagSet, kind *stack.Kind) {
	*kind = stack.Embedded
	flags.Var(kind, "emulator", "embedded, which needs nothing but this program, or official, Google's own, which needs Java and evaluates rules")
}

// configuration returns what environment and flags say, flags first, the same way
// as the functions read it.
func (f *connectionFlags) configuration() (functions.Environment, error) {
	flags := map[string]string{
		"GOOGLE_CLOUD_PROJECT": f.project,
		"HIPPO_DATABASE":       f.database,
		"HIPPO_IDS":            f.ids,
		"HIPPO_DATE_FIELD":     f.dateField,
	}
	e, err := functions.FromEnvironment(func(name string) string {
		if value := flags[name]; value != "" {
			return value
		}
		return os.Getenv(name)
	})
	if err != nil {
		return e, usagef("%v\n  (The flags --database, --ids and --date-field stand for the variables of those names.)", err)
	}
	if e.Memories == "" {
		e.Memories = functions.DefaultMemories
	}
	return e, nil
}

// memories returns the path of the collection that --collection or --tenant
// means.
func (f *connectionFlags) memories() (string, error) {
	switch {
	case f.collection != "" && f.tenant != "":
		return "", usagef("--collection and --tenant both say where the memories are: give one of them")
	case f.collection != "":
		if err := memory.CollectionPath(f.collection); err != nil {
			return "", usagef("--collection: %v", err)
		}
		return f.collection, nil
	case f.tenant == "":
		return "", usagef("which memories? Give --tenant NAME, or --collection PATH")
	case strings.Contains(f.tenant, "/"):
		return "", usagef("--tenant %q: a tenant's name has no slash; for another layout give --collection PATH", f.tenant)
	}
	e, err := f.configuration()
	if err != nil {
		return "", err
	}
	return fillPattern(e.Memories, f.tenant)
}

// fillPattern puts a tenant in the place of a pattern's one wildcard.
func fillPattern(pattern, tenant string) (string, error) {
	segments := strings.Split(pattern, "/")
	wildcard := -1
	for i, s := range segments {
		if !strings.ContainsAny(s, "{}*") {
			continue
		}
		if wildcard >= 0 {
			return "", usagef("HIPPO_MEMORIES=%s has more than one wildcard, so --tenant does not say which memories: give --collection PATH", pattern)
		}
		wildcard = i
	}
	if wildcard < 0 {
		return "", usagef("HIPPO_MEMORIES=%s has no wildcard for --tenant: give --collection PATH",
			pattern)
	}
	segments[wildcard] = tenant
	path := strings.Join(segments, "/")
	if err := memory.CollectionPath(path); err != nil {
		return "", usagef("--tenant %q: %v", tenant, err)
	}
	return path, nil
}

// connection is a Firestore that has answered.
type connection struct {
	client   *firestore.Client
	memories string // pattern of the memory collections
	schema   memory.Schema
	project  string
	database string
	emulator string // host:port, or empty for the real Firestore
}

// lag is the SnapshotLag that repairs need there.
func (c *connection) lag(ctx context.Context) time.Duration {
	if c.emulator == "" || emulator.IsEmbedded(ctx, c.emulator) {
		return 0
	}
	return repair.EmulatorLag
}

// connect connects to the Firestore that flags and environment name. It returns
// only when that has answered, so that a wrong project, missing credentials or a
// dead emulator are told at once and not after minutes of attempts. The caller
// closes the client.
func (env *environment) connect(ctx context.Context,
	opts ...option.ClientOption) (*connection, error) {
	f := &env.connection
	e, err := f.configuration()
	if err != nil {
		return nil, err
	}
	c := &connection{memories: e.Memories, schema: e.Schema, project: e.Project,
		database: e.Database, emulator: os.Getenv(emulatorHost)}
	switch {
	case c.project == "" && c.emulator == "":
		return nil, usagef("which Firestore? Export FIRESTORE_EMULATOR_HOST and GOOGLE_CLOUD_PROJECT as \"hippo dev\" prints them, or give --project ID for a Google Cloud project")
	case c.project == "":
		return nil, usagef("which project of the emulator at %s? Export GOOGLE_CLOUD_PROJECT as \"hippo dev\" prints it, or give --project ID", c.emulator)
	}
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	if c.emulator != "" {
		if err := dial(ctx, c.emulator); err != nil {
			return nil, err
		}
	}
	// The client outlives the deadline of the connecting.
	if c.client, err = c.open(context.WithoutCancel(ctx), opts...); err != nil {
		return nil, fmt.Errorf("connect to %s: %w", c, err)
	}
	if err := c.ping(ctx); err != nil {
		_ = c.client.Close()
		return nil, fmt.Errorf("%s does not answer as it should: %w", c, err)
	}
	return c, nil
}

// open returns another client of the same Firestore, which the caller closes.
func (c *connection) open(ctx context.Context,
	opts ...option.ClientOption) (*firestore.Client, error) {
	if c.emulator != "" {
		return emulator.Connect(ctx, c.emulator, c.project, c.database, opts...)
	}
	return firestore.NewClientWithDatabase(ctx, c.project, c.database, opts...)
}

// dial reports whether anything listens there: the client would try for ever.
func dial(ctx context.Context, host string) error {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		return fmt.Errorf("no emulator listens at FIRESTORE_EMULATOR_HOST=%s: start one with \"hippo dev\", or unset the variable to work on a project (%v)", host, err)
	}
	return conn.Close()
}

// ping makes one cheap read. That what it reads does not exist is an answer.
func (c *connection) ping(ctx context.Context) error {
	version := c.client.Collection(index.Root).Doc(index.VersionID(index.Version))
	_, err := c.client.GetAll(ctx, []*firestore.DocumentRef{version})
	return err
}

func (c *connection) close() { _ = c.client.Close() }

// String names the Firestore in messages.
func (c *connection) String() string {
	where := "project " + c.project
	if c.emulator != "" {
		where += " of the emulator at " + c.emulator
	}
	if c.database != functions.DefaultDatabase {
		where += ", database " + c.database
	}
	return where
}

// store returns the memories that the flags mean, on a Firestore that has
// answered. The caller closes the connection.
func (env *environment) store(ctx context.Context) (*memory.Store, *connection, error) {
	path, err := env.connection.memories()
	if err != nil {
		return nil, nil, err
	}
	c, err := env.connect(ctx)
	if err != nil {
		return nil, nil, err
	}
	store, err := memory.NewStore(c.client, path, c.schema)
	if err != nil {
		c.close()
		return nil, nil, err
	}
	return store, c, nil
}
