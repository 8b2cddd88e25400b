//go:build unix

package official_test

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// gone reports whether a process has ended. On Linux one that nobody has waited for yet has ended,
// too.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	return err == nil && strings.Contains(string(status), "State:\tZ")
}
