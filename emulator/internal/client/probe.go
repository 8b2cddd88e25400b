package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// prober keeps no connections, so that none is left when an emulator is gone.
var prober = &http.Client{Transport: &http.Transport{DisableKeepAlives: true, Proxy: nil},
	Timeout: 2 * time.Second}

// Probe returns an error unless a Firestore emulator answers at host, by saying Ok to GET /, and
// reports whether it is one of package emulator.
func Probe(ctx context.Context, host string) (embedded bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+host+"/", nil)
	if err != nil {
		return false, err
	}
	res, err := prober.Do(req)
	if err != nil {
		return false, err
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, 1024))
	if err != nil {
		return false, err
	}
	if res.StatusCode != http.StatusOK || strings.TrimSpace(string(body)) != "Ok" {
		return false, fmt.Errorf("%s answers, but not as a Firestore emulator (HTTP %d)", host,
			res.StatusCode)
	}
	return res.Header.Get("Server") == Embedded, nil
}
