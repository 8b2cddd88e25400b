package official

import (
	"bytes"
	"io"
	"sync"
)

// tailBytes is how much of the emulator's output an error message shows at most.
const tailBytes = 8 << 10

// tail keeps the end of what is written to it and passes all of it on to log, if there is one.
type tail struct {
	mu  sync.Mutex
	buf []byte
	log io.Writer
}

// Write never fails: a log that cannot be written must not stop the emulator.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - tailBytes; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	if t.log != nil {
		_, _ = t.log.Write(p)
	}
	return len(p), nil
}

func (t *tail) saw(s string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Contains(t.buf, []byte(s))
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.buf))
}
