package emulator

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/internal/client"
	"hippocampus/emulator/internal/resource"
	"hippocampus/emulator/internal/trigger"
)

// maxRequest bounds the body of a request over HTTP.
const maxRequest = 1 << 20

// rest is what the official emulator serves over HTTP and tools use: GET / says Ok, triggers are
// added, databases are cleared. Firestore's own REST API is not served.
func (s *server) rest() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "Ok") })
	mux.HandleFunc("POST /emulator/v1/projects/{project}/eventarcTrigger", answer(s.addTrigger))
	mux.HandleFunc("DELETE /emulator/v1/projects/{project}/databases/{database}/documents",
		answer(s.clear))
	mux.HandleFunc("/", answer(notServed))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Server", client.Embedded)
		mux.ServeHTTP(w, r)
	})
}

// answer serves what f returns as JSON, an error in the form of Google's.
func answer(f func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		httpCode := http.StatusOK
		result, err := f(r)
		if err != nil {
			s := status.Convert(err)
			httpCode = httpStatus(s.Code())
			result = map[string]any{"error": map[string]any{"code": httpCode,
				"message": s.Message(), "status": code.Code(s.Code()).String()}}
		}
		body, err := json.MarshalIndent(result, "", "  ")
		if err != nil { // of strings and maps: never
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(httpCode)
		_, _ = w.Write(append(body, '\n')) // the client may be gone
	}
}

// httpStatus is the status that google.rpc.Code has for those of the codes that these answers have.
func httpStatus(c codes.Code) int {
	switch c {
	case codes.InvalidArgument:
		return http.StatusBadRequest
	case codes.NotFound:
		return http.StatusNotFound
	case codes.Unimplemented:
		return http.StatusNotImplemented
	}
	return http.StatusInternalServerError
}

// eventarcTrigger is the body of a request for a trigger.
type eventarcTrigger struct {
	EventType string   `json:"eventType"`
	Database  string   `json:"database,omitempty"`
	Namespace string   `json:"namespace,omitempty"`
	Document  watching `json:"document"`
}

type watching struct {
	Value     string `json:"value"`
	MatchType string `json:"matchType"`
}

func (s *server) addTrigger(r *http.Request) (any, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequest))
	if err != nil {
		return nil, status.Errorf(codes.InvalidArgument, "read the request: %v", err)
	}
	var t eventarcTrigger
	if err := json.Unmarshal(body, &t); err != nil {
		return nil, status.Errorf(codes.InvalidArgument,
			`the request is no trigger (%v); write it as {"eventType":"google.cloud.firestore.document.v1.written","database":"(default)","document":{"value":"users/{user}","matchType":"PATH_PATTERN"}}`, err)
	}
	switch t.Document.MatchType {
	case "PATH_PATTERN":
	case "EXACT":
		if strings.ContainsAny(t.Document.Value, "{}*") {
			return nil, status.Errorf(codes.InvalidArgument,
				"the document %q has a wildcard, so its matchType is PATH_PATTERN, not EXACT",
				t.Document.Value)
		}
	default:
		return nil, status.Errorf(codes.InvalidArgument,
			"the matchType of the document is %q; give PATH_PATTERN or EXACT", t.Document.MatchType)
	}
	id := t.Database
	if id == "" {
		id = defaultDatabase
	}
	name, err := resource.ParseDatabase("projects/" + r.PathValue("project") + "/databases/" + id)
	if err != nil {
		return nil, err
	}
	err = s.triggers.of(name.Project).Add(trigger.Trigger{
		Name: r.URL.Query().Get("eventarcTriggerId"), EventType: t.EventType, Database: name.ID,
		Pattern: t.Document.Value,
	})
	if err != nil {
		return nil, status.Errorf(codes.InvalidArgument, "add the trigger: %v", err)
	}
	return t, nil
}

func (s *server) clear(r *http.Request) (any, error) {
	name, err := resource.ParseDatabase("projects/" + r.PathValue("project") + "/databases/" + r.PathValue("database"))
	if err != nil {
		return nil, err
	}
	return struct{}{}, s.service.Database(name).Clear()
}

func notServed(r *http.Request) (any, error) {
	if strings.HasSuffix(r.URL.Path, ":securityRules") {
		return nil, status.Error(codes.Unimplemented,
			"this emulator evaluates no security rules; try them on the official emulator")
	}
	return nil, status.Errorf(codes.NotFound,
		"%s %s is not served here: Firestore's REST API is not, only gRPC; "+
			"over HTTP there are POST /emulator/v1/projects/{project}/eventarcTrigger?eventarcTriggerId={name} and "+
			"DELETE /emulator/v1/projects/{project}/databases/{database}/documents", r.Method, r.URL.Path)
}
