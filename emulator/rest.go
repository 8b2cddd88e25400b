package emulator

import (
	"fmt"
	"net/http"
)

// rest is what the official emulator serves over HTTP and tools use: GET / says Ok.
func (s *server) rest() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "Ok") })
	return mux
}
