//go:build unix && !linux

package official

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the child into a process group of its own, so that it is killed as a whole and a
// Ctrl-C at the terminal does not reach it before its parent.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
