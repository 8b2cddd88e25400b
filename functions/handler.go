package functions

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"

	cloudevents "github.com/cloudevents/sdk-go/v2"
)

// Names of the functions, as they are deployed.
const (
	NameOnMemoryWritten = "OnMemoryWritten"
	NameOnRequest       = "OnRequest"
	NameRepairDue       = "RepairDue"
)

// maxEventBytes bounds the body of an event's request: more than Cloud Run lets in.
const maxEventBytes = 33 << 20

type (
	eventFunction = func(*Service, context.Context, cloudevents.Event) error
	httpFunction  = func(*Service, http.ResponseWriter, *http.Request)
)

// served holds the functions by name, as they are served.
var served = map[string]httpFunction{
	NameOnMemoryWritten: recovering(NameOnMemoryWritten,
		onEvent(NameOnMemoryWritten, (*Service).OnMemoryWritten)),
	NameOnRequest: recovering(NameOnRequest, onEvent(NameOnRequest, (*Service).OnRequest)),
	NameRepairDue: recovering(NameRepairDue, (*Service).RepairDue),
}

// Handler serves the functions in this process, each at the path of its name.
func (s *Service) Handler() http.Handler {
	mux := http.NewServeMux()
	for name, f := range served {
		mux.HandleFunc("/"+name, func(w http.ResponseWriter, r *http.Request) { f(s, w, r) })
	}
	return mux
}

// onEvent makes an HTTP function of an event function. It answers 200 to have the
// event acknowledged and 500 to have it delivered again.
//
// The CloudEvents SDK has a handler for this, which the Functions Framework uses for event
// functions. It hands all requests over one channel, where a request can be left
// waiting for the next one's arrival (github.com/cloudevents/sdk-go/issues/1224),
// so this takes only the decoding from it.
func onEvent(name string, f eventFunction) httpFunction {
	return func(s *Service, w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			http.Error(w, name+" takes events as a POST", http.StatusMethodNotAllowed)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxEventBytes)
		e, err := cloudevents.NewEventFromHTTPRequest(r)
		if err == nil {
			err = e.Validate()
		}
		if err != nil {
			s.log.WarnContext(r.Context(), "request is no CloudEvent", "function", name, "error",
				err.Error())
			http.Error(w, name+" takes CloudEvents: "+err.Error(), http.StatusBadRequest)
			return
		}
		if err := f(s, r.Context(), *e); err != nil {
			s.log.WarnContext(r.Context(), "event not handled: it is delivered again", "function",
				name, "error", err.Error())
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}
}

// recovering makes a panic of a function an answer, 500.
func recovering(name string, f httpFunction) httpFunction {
	return func(s *Service, w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				s.log.ErrorContext(r.Context(), "function panicked", "function", name, "panic",
					fmt.Sprint(p), "stack", string(debug.Stack()))
				http.Error(w, name+" panicked: see its log", http.StatusInternalServerError)
			}
		}()
		f(s, w, r)
	}
}
