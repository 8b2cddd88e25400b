package emulator

import (
	"net"
	"sync"
)

// connections is a listener that closes what it has accepted, too: neither gRPC nor the multiplexer
// lets go of a connection that has not yet said what it is, until a timeout.
type connections struct {
	net.Listener

	mu     sync.Mutex
	closed bool
	open   map[*connection]struct{}
}

// connection is one that has been accepted.
type connection struct {
	net.Conn
	of *connections
}

func (l *connections) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		_ = conn.Close()
		return nil, net.ErrClosed
	}
	c := &connection{conn, l}
	l.open[c] = struct{}{}
	return c, nil
}

// Close closes the listener and all its connections. It does nothing the second time.
func (l *connections) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	for c := range l.open {
		_ = c.Conn.Close() // its user may have closed it before
	}
	l.open = nil
	return l.Listener.Close()
}

func (c *connection) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}
