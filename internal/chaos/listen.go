package chaos

import (
	"context"
	"net"
	"net/http"
	"time"
)

// listen serves h at a port of this machine until end is called.
func listen(ctx context.Context, h http.Handler) (url string, end func() error, err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(listener) // it ends with Close
	}()
	return "http://" + listener.Addr().String(), func() error {
		err := server.Close()
		<-served
		return err
	}, nil
}
