//go:build !unix

package official_test

import "os"

func gone(pid int) bool {
	_, err := os.FindProcess(pid)
	return err != nil
}
