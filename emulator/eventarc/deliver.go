package eventarc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
)

// maxAnswer is how much of a function's answer is read, for the log.
const maxAnswer = 4 << 10

var (
	errSabotaged = errors.New("not sent, on purpose")
	errAckLost   = errors.New("the acknowledgement was lost, on purpose")
)

// post makes one attempt to deliver m and returns the status of the answer, 0 without one. Only a
// 2xx is no error.
func (b *Broker) post(ctx context.Context, m Message) (status int, err error) {
	b.mu.Lock()
	b.stats.Attempts++
	b.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, b.opts.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.Trigger.URL,
		bytes.NewReader(m.Body))
	if err != nil {
		return 0, err
	}
	req.Header = m.Header.Clone()
	res, err := b.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return res.StatusCode, fmt.Errorf("%s answers HTTP %d and breaks off: %w", m.Trigger.URL,
			res.StatusCode, err)
	}
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return res.StatusCode, fmt.Errorf("%s answers HTTP %d: %s", m.Trigger.URL, res.StatusCode,
			bytes.TrimSpace(answer))
	}
	return res.StatusCode, nil
}

// report logs a failed attempt: one made to fail on purpose, or cut short, as debug only.
func (b *Broker) report(m *message, err error, fate string) {
	level := slog.LevelWarn
	if fate == cutShort || errors.Is(err, errSabotaged) || errors.Is(err, errAckLost) {
		level = slog.LevelDebug
	}
	b.log.Log(b.ctx, level, fate,
		"trigger", m.Trigger.Name, "document", m.Event.Document, "event", m.Event.ID, "attempt", m.attempts, "error", err)
}
