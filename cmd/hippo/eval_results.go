package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/term"

	"hippocampus/internal/eval/report"
	"hippocampus/internal/eval/result"
	"hippocampus/internal/figure"
)

func (e *evalOptions) readBaseline() (*result.Results, error) {
	if e.baseline == "" {
		return nil, nil
	}
	file, err := os.Open(e.baseline)
	if err != nil {
		return nil, fmt.Errorf("read the baseline: %w", err)
	}
	defer file.Close()
	found, err := result.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.baseline, err)
	}
	if found.Evaluation.Seed != e.options.Seed && found.Evaluation.Seed != 0 {
		return nil, usagef("%s is of other memories, --seed %d: give that", e.baseline,
			found.Evaluation.Seed)
	}
	return found, nil
}

// write shows the results and writes the files of --out.
func (e *evalOptions) write(env *environment, found *result.Results) error {
	if env.json {
		if err := env.printJSON(found); err != nil {
			return err
		}
	} else if err := printEvaluation(env, found); err != nil {
		return err
	}
	if e.out == "" {
		return nil
	}
	for _, f := range []struct {
		name  string
		write func(*os.File) error
	}{
		{"results.json", func(f *os.File) error { return found.Write(f) }},
		{"report.html", func(f *os.File) error { return report.HTML(f, found) }},
	} {
		path := filepath.Join(e.out, f.name)
		if err := writeFile(path, f.write); err != nil {
			return err
		}
		env.notef("wrote %s", path)
	}
	return nil
}

func writeFile(path string, write func(*os.File) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(file); err != nil {
		_ = file.Close()
		return fmt.Errorf("write %s: %w", path, err)
	}
	return file.Close()
}

// judge ends with exit code 1 if an answer is no, a figure is worse than the baseline's, or the run
// was interrupted.
func (e *evalOptions) judge(env *environment, found, earlier *result.Results) error {
	ok := found.OK()
	if earlier != nil {
		comparison, err := result.Compare(earlier, found)
		if err != nil {
			return fmt.Errorf("%s: %w", e.baseline, err)
		}
		for _, r := range comparison.Regressions {
			env.warnf("worse than the baseline: %s", r)
			ok = false
		}
		for _, point := range comparison.Lacking {
			env.notef("in the baseline and not measured now: %s", point)
		}
		if len(comparison.Regressions) == 0 {
			env.notef("nothing is worse than the baseline, %s compared",
				figure.Plural(comparison.Points, "point", "points"))
		}
	}
	switch {
	case found.Evaluation.Interrupted:
		env.warnf("interrupted: what was measured until then is shown")
		ok = false
	case len(found.Verdicts()) == 0:
		env.warnf("nothing was measured")
		ok = false
	}
	if !ok {
		return errReported
	}
	return nil
}

func printEvaluation(env *environment, found *result.Results) error {
	style := styleFor(env.out)
	paint := report.Paint{Bold: style.bold, Faint: style.faint, Good: style.good, Bad: style.bad}
	for i, section := range report.Measurements(found) {
		if i > 0 {
			env.printf("\n")
		}
		if err := section.Terminal(env.out, terminalWidth(env.out), paint); err != nil {
			return err
		}
	}
	for i, left := range found.Evaluation.Left {
		if i == 0 && len(found.Verdicts()) > 0 {
			env.printf("\n")
		}
		env.printf("not measured: %s: %s\n", left.What, left.Why)
	}
	return nil
}

// tableWidth is how many columns tables take at most.
const tableWidth = 100

// terminalWidth is how many there are.
func terminalWidth(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return tableWidth
}
