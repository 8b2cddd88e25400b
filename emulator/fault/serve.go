package fault

import (
	"context"
	"net"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
)

// Unary is a server's interceptor.
func (in *Injector) Unary(ctx context.Context, req any, info *grpc.UnaryServerInfo,
	handle grpc.UnaryHandler) (any, error) {
	cut, err := in.arrive(ctx, info.FullMethod, req)
	if err != nil {
		return nil, err
	}
	res, err := handle(ctx, req)
	if cut {
		return nil, cutConnection(ctx)
	}
	return res, err
}

// Stream is a server's interceptor.
func (in *Injector) Stream(srv any, s grpc.ServerStream, info *grpc.StreamServerInfo,
	handle grpc.StreamHandler) error {
	wrapped := &stream{ServerStream: s, in: in, method: info.FullMethod}
	err := handle(srv, wrapped)
	cut, failure := wrapped.suffers()
	switch {
	case failure != nil:
		return failure
	case cut:
		return cutConnection(s.Context())
	}
	return err
}

// stream is a call whose fate is decided when its first request arrives.
type stream struct {
	grpc.ServerStream
	in     *Injector
	method string

	arrived sync.Once
	mu      sync.Mutex // requests and responses of a listener come at the same time
	cut     bool
	failure error
}

func (s *stream) suffers() (cut bool, failure error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cut, s.failure
}

func (s *stream) RecvMsg(m any) error {
	if err := s.ServerStream.RecvMsg(m); err != nil {
		return err
	}
	s.arrived.Do(func() {
		cut, err := s.in.arrive(s.Context(), s.method, m)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.cut, s.failure = cut, err
	})
	_, failure := s.suffers()
	return failure
}

func (s *stream) SendMsg(m any) error {
	if cut, _ := s.suffers(); cut {
		return cutConnection(s.Context())
	}
	return s.ServerStream.SendMsg(m)
}

// connection is what the server knows of a peer: its connection, to be closed.
type connection struct {
	credentials.CommonAuthInfo
	conn net.Conn
}

func (connection) AuthType() string { return "plain" }

// plain is a server's side of connections without TLS.
type plain struct {
	credentials.TransportCredentials
}

// Credentials returns a server's credentials, without TLS, by which calls can be cut off. The
// interceptors need them.
func Credentials() credentials.TransportCredentials { return plain{insecure.NewCredentials()} }

func (p plain) ServerHandshake(c net.Conn) (net.Conn, credentials.AuthInfo, error) {
	return c, connection{credentials.CommonAuthInfo{SecurityLevel: credentials.NoSecurity}, c}, nil
}

func (p plain) Clone() credentials.TransportCredentials {
	return plain{p.TransportCredentials.Clone()}
}

// cutConnection closes the connection of a call. It returns what the server may say to the call,
// which nobody hears.
func cutConnection(ctx context.Context) error {
	p, ok := peer.FromContext(ctx)
	if !ok {
		return status.Error(codes.Internal, "the call has no peer")
	}
	c, ok := p.AuthInfo.(connection)
	if !ok {
		return status.Error(codes.Internal,
			"the server has other credentials than those of package fault")
	}
	_ = c.conn.Close() // it may be closed already
	return status.Error(codes.Unavailable, "the connection was cut on purpose: a test asked for it")
}
