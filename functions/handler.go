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

type (
	eventFunction = func(context.Context, cloudevents.Event) error
	httpFunction  = func(http.ResponseWriter, *http.Request)
)

// Handler serves the functions in this process, each at the path of its name,
// the way the Functions Framework serves them.
func (s *Service) Handler() (http.Handler, error) {
	mux := http.NewServeMux()
	for name, f := range map[string]eventFunction{
		NameOnMemoryWritten: s.OnMemoryWritten,
		NameOnRequest:       s.OnRequest,
	} {
		h, err := s.eventHandler(name, f)
		if err != nil {
			return nil, fmt.Errorf("functions: serve %s: %w", name, err)
		}
		mux.Handle("/"+name, h)
	}
	mux.HandleFunc("/"+NameRepairDue, func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				s.panicked(r.Context(), NameRepairDue, p)
				http.Error(w, NameRepairDue+" panicked: see its log", http.StatusInternalServerError)
			}
		}()
		s.RepairDue(w, r)
	})
	return mux, nil
}

func (s *Service) eventHandler(name string, f eventFunction) (http.Handler, error) {
	protocol, err := cloudevents.NewHTTP()
	if err != nil {
		return nil, err
	}
	f = detached(f)
	return cloudevents.NewHTTPReceiveHandler(context.Background(), protocol, func(ctx context.Context, e cloudevents.Event) (err error) {
		defer func() {
			if p := recover(); p != nil {
				s.panicked(ctx, name, p)
				err = fmt.Errorf("%s panicked: %v", name, p)
			}
		}()
		if err := f(ctx, e); err != nil {
			s.log.WarnContext(ctx, "event not handled: it is delivered again", "function", name, "error", err.Error())
			return err
		}
		return nil
	})
}

func (s *Service) panicked(ctx context.Context, function string, p any) {
	s.log.ErrorContext(ctx, "function panicked", "function", function, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
}

// detached takes an event function's cancellation away from the HTTP requests. With requests at
// the same time, the CloudEvents SDK runs an event's handler under the context
// of any of them, which ends with that one. The functions have deadlines of their own.
func detached(f eventFunction) eventFunction {
	return func(ctx context.Context, e cloudevents.Event) error {
		return f(context.WithoutCancel(ctx), e)
	}
}
