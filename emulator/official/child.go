package official

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"hippocampus/emulator/internal/client"
)

// ErrPortInUse says that another process listens on the port that Options asked for.
var ErrPortInUse = errors.New("port in use")

const (
	mainClass = "com.google.cloud.datastore.emulator.firestore.CloudFirestore"
	// upMessage is the last line the emulator prints when it serves. That the port answers is not
	// enough: it might be another's.
	upMessage  = "Dev App Server is now running"
	bindFailed = "BindException"
	pollEvery  = 20 * time.Millisecond
	// attempts bounds how often another free port is tried when one was taken between its choice
	// and its use.
	attempts = 5
)

// child is the emulator's process.
type child struct {
	host   string
	cmd    *exec.Cmd
	out    *tail
	killed atomic.Bool   // on purpose
	exited chan struct{} // closed when the process is gone
	err    error         // how it ended; read after exited
}

// launch starts the process and waits until it serves.
func launch(ctx context.Context, jar, java, functions string, o *Options) (*child, error) {
	if o.Port != 0 {
		_, err := freePort(o.Port)
		if errors.Is(err, syscall.EADDRINUSE) {
			return nil, fmt.Errorf("%w: 127.0.0.1:%d: another emulator or program listens there; stop it or choose another port", ErrPortInUse, o.Port)
		}
		if err != nil {
			return nil, fmt.Errorf("port %d cannot be used; choose another one: %w", o.Port, err)
		}
		return launchOn(ctx, o.Port, jar, java, functions, o)
	}
	for n := 1; ; n++ {
		port, err := freePort(0)
		if err != nil {
			return nil, fmt.Errorf("choose a free port: %w", err)
		}
		c, err := launchOn(ctx, port, jar, java, functions, o)
		if !errors.Is(err, ErrPortInUse) || n == attempts {
			return c, err
		}
	}
}

// freePort returns a port of 127.0.0.1 that nobody listens on: the given one, or any for 0.
func freePort(port int) (int, error) {
	l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func launchOn(ctx context.Context, port int, jar, java, functions string,
	o *Options) (*child, error) {
	c := &child{
		host:   net.JoinHostPort("127.0.0.1", strconv.Itoa(port)),
		out:    &tail{log: o.Output},
		exited: make(chan struct{}),
	}
	c.cmd = exec.Command(java,
		"-Duser.language=en",    // the only language of its messages
		"-Dfile.encoding=UTF-8", // the headers of its events, whatever the locale
		"-XX:+UseSerialGC",      // half the memory and threads of the default collector
		"-Xmx"+strconv.Itoa(o.HeapMB)+"m",
		"-cp", jar, mainClass,
		"--host", "127.0.0.1", "--port", strconv.Itoa(port),
		"--project_id", o.Project,
		"--functions_emulator", functions)
	c.cmd.Stdout, c.cmd.Stderr = c.out, c.out
	c.cmd.WaitDelay = 2 * time.Second
	ownGroup(c.cmd)

	started := make(chan error)
	go func() {
		// The kernel sends the signal that dieWithParent asks for when the starting thread ends, so
		// that thread is kept until the child is gone.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := c.cmd.Start()
		started <- err
		if err != nil {
			return
		}
		c.err = c.cmd.Wait()
		close(c.exited)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("run %s: %w", java, err)
	}
	err := c.awaitReady(ctx)
	if err == nil {
		return c, nil
	}
	killed := c.kill()
	if !errors.Is(err, ErrPortInUse) {
		err = fmt.Errorf("%w; it said:\n%s", err, c.out) // all of it, now that the child is gone
	}
	return nil, errors.Join(err, killed)
}

func (c *child) awaitReady(ctx context.Context) error {
	for {
		if c.out.saw(upMessage) && answers(ctx, c.host) == nil {
			return nil
		}
		select {
		case <-c.exited:
			if c.out.saw(bindFailed) {
				return fmt.Errorf("%w: %s: another emulator or program listens there; stop it or choose another port", ErrPortInUse, c.host)
			}
			return fmt.Errorf("the emulator stopped at once (%v)", c.err)
		case <-ctx.Done():
			return fmt.Errorf("the emulator did not answer at %s: %w", c.host, ctx.Err())
		case <-time.After(pollEvery):
		}
	}
}

// ended returns nil while the process runs, and then why it does not.
func (c *child) ended() error {
	select {
	case <-c.exited:
	default:
		return nil
	}
	if c.killed.Load() {
		return fmt.Errorf("the emulator at %s was closed", c.host)
	}
	return fmt.Errorf("the emulator at %s has ended by itself (%s); the last it said:\n%s", c.host,
		c.cmd.ProcessState, c.out)
}

// kill ends the process and all it started, and returns when they are gone. There is nothing to
// save: the emulator keeps its data in memory only.
func (c *child) kill() error {
	select {
	case <-c.exited:
		return nil
	default:
	}
	c.killed.Store(true)
	if err := killGroup(c.cmd.Process); err != nil {
		return fmt.Errorf("official: kill process %d: %w", c.cmd.Process.Pid, err)
	}
	<-c.exited
	return nil
}

// errEmbedded says that the emulator is one of package emulator, in somebody's process.
var errEmbedded = errors.New("an emulator that is not the official one")

// answers reports whether an official emulator answers at host.
func answers(ctx context.Context, host string) error {
	embedded, err := client.Probe(ctx, host)
	if err == nil && embedded {
		err = errEmbedded
	}
	return err
}
