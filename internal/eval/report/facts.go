package report

import (
	"fmt"
	"strings"
	"time"

	"hippocampus/internal/eval/result"
	"hippocampus/internal/figure"
)

// fact is one thing that the report's head says of the run.
type fact struct {
	Name string
	Code string // to be typed, or compared letter by letter
	Text string
}

// facts says what was run, on what.
func facts(r *result.Evaluation) []fact {
	source := fact{Name: "Source", Text: "not known to the program"}
	if r.Commit != "" {
		source.Code, source.Text = r.Commit, ""
		if r.Modified {
			source.Text = "with changes that are not committed"
		}
	}
	return []fact{
		{"Command", r.Command, ""},
		{"Target", "", r.Deployment.Name + kind(r.Deployment.Kind)},
		{"Seed", fmt.Sprint(r.Seed), ""},
		{"Machine", "", machine(&r.Machine)},
		source,
		{"Versions", "", versions(r)},
		{"Started", "", fmt.Sprintf("%s UTC, took %s",
			r.Started.UTC().Format("2 January 2006, 15:04:05"),
			took(time.Duration(r.TookMS)*time.Millisecond))},
	}
}

func kind(k result.Kind) string {
	switch k {
	case result.Embedded:
		return " (the emulator of this program)"
	case result.Official:
		return " (Google's emulator, started for the run)"
	case result.Live:
		return " (a Firestore that ran already)"
	}
	return ""
}

func versions(r *result.Evaluation) string {
	all := []string{"Go " + strings.TrimPrefix(r.Go, "go")}
	if r.Client != "" {
		all = append(all, "Firestore client "+r.Client)
	}
	return strings.Join(all, ", ")
}

func machine(m *result.Machine) string {
	all := []string{m.OS + "/" + m.Arch}
	if m.CPU != "" {
		all = append(all, m.CPU)
	}
	cores := figure.Count(m.Cores) + " cores"
	if m.Cores == 1 {
		cores = "1 core"
	}
	all = append(all, cores)
	if m.MemoryBytes > 0 {
		all = append(all, fmt.Sprintf("%.1f GiB of memory", float64(m.MemoryBytes)/(1<<30)))
	}
	return strings.Join(all, ", ")
}

// took writes a duration in minutes and seconds.
func took(d time.Duration) string {
	if d < time.Minute {
		return figure.Decimal(d.Seconds()) + " s"
	}
	d = d.Round(time.Second)
	text := fmt.Sprintf("%d min %d s", int(d.Minutes())%60, int(d.Seconds())%60)
	if d >= time.Hour {
		text = fmt.Sprintf("%d h ", int(d.Hours())) + text
	}
	return text
}
