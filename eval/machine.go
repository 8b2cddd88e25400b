package eval

import (
	"bufio"
	"bytes"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"hippocampus/eval/result"
)

// describe says what is run where.
func describe(t *Target, seed uint64) result.Run {
	d := result.Run{
		Target:  result.Target{Kind: t.Kind, Name: t.Name},
		Seed:    seed,
		Started: time.Now().UTC().Truncate(time.Second),
		Go:      runtime.Version(),
		Machine: machine(),
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
		for _, module := range build.Deps {
			if module.Path == "cloud.google.com/go/firestore" {
				d.Client = module.Version
			}
		}
	}
	return d
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
