package official

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"hippocampus/emulator/internal/client"
)

// control keeps no connections: the calls are rare, and none is left when an emulator is gone.
var control = &http.Client{Transport: &http.Transport{DisableKeepAlives: true, Proxy: nil},
	Timeout: 60 * time.Second}

// AddTrigger has the emulator post the events of a type (such as
// "google.cloud.firestore.document.v1.written") of the documents that match pattern
// ("tenants/{tenant}/memories/{memory}", or "{document=**}" for all) in the default database of
// this project. A trigger of the same name is replaced. The emulator checks no pattern: one that
// can match nothing is taken, and nothing is ever posted for it. Triggers cannot be removed.
//
// The emulator puts a document's path into a header as it is, so the events of documents whose ids
// have control characters, such as line breaks, never arrive.
func (e *Emulator) AddTrigger(ctx context.Context, name, eventType, pattern string) error {
	if name == "" || pattern == "" {
		return fmt.Errorf("official: add trigger %q for %q: a trigger needs a name and a pattern",
			name, pattern)
	}
	body := map[string]any{
		"eventType": eventType, "database": "(default)", "namespace": "(default)",
		"document": map[string]any{"value": pattern, "matchType": "PATH_PATTERN"},
	}
	path := "/emulator/v1/projects/" + url.PathEscape(e.project) + "/eventarcTrigger?eventarcTriggerId=" + url.QueryEscape(name)
	if err := e.call(ctx, http.MethodPost, path, body); err != nil {
		return fmt.Errorf("official: add trigger %s (%s on %s): %w", name, eventType, pattern, err)
	}
	return nil
}

// LoadRules replaces this project's security rules with source. Without rules everything is
// allowed. If source has a fault the error gives its line, and the old rules stay.
func (e *Emulator) LoadRules(ctx context.Context, source string) error {
	body := map[string]any{"rules": map[string]any{"files": []any{
		map[string]any{"name": "security.rules", "content": source},
	}}}
	if err := e.call(ctx, http.MethodPut,
		"/emulator/v1/projects/"+url.PathEscape(e.project)+":securityRules", body); err != nil {
		return fmt.Errorf("official: load rules: %w", err)
	}
	return nil
}

// Clear deletes all documents of this project's default database. Triggers get an event for each;
// rules and triggers stay.
func (e *Emulator) Clear(ctx context.Context) error {
	path := "/emulator/v1/projects/" + url.PathEscape(e.project) + "/databases/(default)/documents"
	if err := e.call(ctx, http.MethodDelete, path, nil); err != nil {
		return fmt.Errorf("official: clear %s: %w", e.project, err)
	}
	return nil
}

func (e *Emulator) call(ctx context.Context, method, path string, body any) error {
	var data []byte
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://"+e.host+path,
		bytes.NewReader(data))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json") // without it the emulator answers 404
	req.Header.Set("Authorization", "Bearer "+client.Owner)
	res, err := control.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return err
	}
	if res.StatusCode == http.StatusOK {
		return nil
	}
	var failure struct {
		Error struct{ Message, Status string }
	}
	if json.Unmarshal(answer, &failure) == nil && failure.Error.Status != "" {
		if failure.Error.Message == "" {
			failure.Error.Message = "no reason given"
		}
		return fmt.Errorf("the emulator refuses (%s): %s", failure.Error.Status,
			failure.Error.Message)
	}
	return fmt.Errorf("the emulator answers HTTP %d: %s", res.StatusCode, bytes.TrimSpace(answer))
}
