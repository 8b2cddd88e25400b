package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"hippocampus/memory"
)

// noteSuffix is how the name of a note's file ends.
const noteSuffix = ".md"

// maxFileBytes is the size of the largest file that is read at all.
const maxFileBytes = maxDocumentBytes

// note is a markdown file that is to be a memory.
type note struct {
	file string // its path below the folder, with slashes
	name string // of the memory
	body string
	date memory.Micros
}

// badNote is a file that cannot be a memory, and why.
type badNote struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
}

// findNotes returns the paths of the notes below a folder, relative to it, in
// order of path. Files and folders whose names begin with a dot are passed over,
// as editors and version control keep their own there.
func findNotes(dir string) ([]string, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("no folder of notes: %w", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is a file: give the folder of notes that it is in", dir)
	}
	var files []string
	err = fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		hidden := path != "." && strings.HasPrefix(entry.Name(), ".")
		switch {
		case err != nil:
			return err
		case hidden && entry.IsDir():
			return fs.SkipDir
		case !hidden && !entry.IsDir() && strings.EqualFold(filepath.Ext(path), noteSuffix):
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for notes in %s: %w", dir, err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no notes (*%s) in %s: is it the right folder?", noteSuffix, dir)
	}
	slices.Sort(files)
	return files, nil
}

// noteName returns the name of the memory of a file. Some file systems keep
// names decomposed; as a name of a memory that would be another one than what
// people type, so names are brought to NFC.
func noteName(file string) (string, error) {
	if !utf8.ValidString(file) {
		return "", errors.New("its name is not UTF-8: rename it")
	}
	return norm.NFC.String(file[:len(file)-len(noteSuffix)]), nil
}

// readNote reads a file of a folder. Its date is that of its front matter or
// else of the file.
func readNote(dir, file string) (*note, error) {
	path := filepath.Join(dir, filepath.FromSlash(file))
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	if info.Size() > maxFileBytes {
		return nil, fmt.Errorf("%d bytes, and a document of Firestore has at most %d: split it",
			info.Size(), maxDocumentBytes)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(text) {
		return nil, errors.New("its text is not UTF-8: convert it")
	}
	n := &note{file: file, date: memory.MicrosOf(info.ModTime())}
	if n.name, err = noteName(file); err != nil {
		return nil, err
	}
	date, body, err := parseNote(text)
	if err != nil {
		return nil, err
	}
	n.body = string(body)
	if !date.IsZero() {
		n.date = memory.MicrosOf(date)
	}
	return n, nil
}
