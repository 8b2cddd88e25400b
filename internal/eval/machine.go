package eval

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"hippocampus/internal/eval/result"
)

// describe says what is run where.
func describe(t *Deployment, seed uint64) result.Evaluation {
	d := result.Evaluation{
		Deployment: result.Deployment{Kind: t.Kind, Name: t.Name},
		Seed:       seed,
		Started:    time.Now().UTC().Truncate(time.Second),
		Go:         runtime.Version(),
		Machine:    machine(),
	}
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, s := range build.Settings {
			switch s.Key {
			case "vcs.revision":
				d.Commit = s.Value
			case "vcs.modified":
				d.Modified = s.Value == "true"
			}
		}
		if d.Commit == "" {
			d.Commit, d.Modified = checkedOut()
		}
		for _, module := range build.Deps {
			if module.Path == "cloud.google.com/go/firestore" {
				d.Client = module.Version
			}
		}
	}
	return d
}

// checkedOut returns the commit of the working copy that this program was compiled in, and whether
// that has changed: go run puts neither into a program. It returns "" if this file is in no working
// copy.
func checkedOut() (commit string, modified bool) {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		return "", false
	}
	git := func(args ...string) (string, error) {
		out, err := exec.Command("git", append([]string{"-C", filepath.Dir(file)},
			args...)...).Output()
		return strings.TrimSpace(string(out)), err
	}
	if _, err := git("ls-files", "--error-unmatch", filepath.Base(file)); err != nil {
		return "", false
	}
	commit, err := git("rev-parse", "HEAD")
	if err != nil {
		return "", false
	}
	changes, err := git("status", "--porcelain", "--untracked-files=no")
	return commit, err != nil || changes != ""
}

// machine describes this machine, as far as the system tells without being asked twice: Linux does.
func machine() result.Machine {
	m := result.Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: runtime.GOMAXPROCS(0)}
	m.CPU = field("/proc/cpuinfo", "model name")
	if kilobytes, ok := strings.CutSuffix(field("/proc/meminfo", "MemTotal"), " kB"); ok {
		if n, err := strconv.ParseInt(strings.TrimSpace(kilobytes), 10, 64); err == nil {
			m.MemoryBytes = n << 10
		}
	}
	return m
}

// field returns what a file of "name: value" lines says first of a name.
func field(file, name string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if n, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(n) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
