//go:build unix

package official

import (
	"errors"
	"os"
	"syscall"
)

func killGroup(p *os.Process) error {
	if err := syscall.Kill(-p.Pid, syscall.SIGKILL); !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil // gone already
}
