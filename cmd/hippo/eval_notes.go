package main

import (
	"fmt"
	"strings"
	"time"

	"hippocampus/internal/eval/corpus"
	"hippocampus/memory"
)

// pathBytes is how long the path of a collection of the evaluation's own is at most, about.
const pathBytes = 500

// notes returns the memories that the notes of --from are. What can be none is told and left out.
func (e *evalOptions) notes(env *environment) ([]corpus.Memory, error) {
	var schema memory.Schema
	if e.live {
		configured, err := env.connection.configuration()
		if err != nil {
			return nil, err
		}
		schema = configured.Schema
	}
	files, err := findNotes(e.from)
	if err != nil {
		return nil, err
	}
	var memories []corpus.Memory
	taken := map[string]string{}
	for _, file := range files {
		m, err := noteMemory(e.from, file, schema)
		if other, twice := taken[m.Name]; err == nil && twice {
			err = fmt.Errorf("it would be the same memory as %+q: rename one of them", other)
		}
		if err != nil {
			env.warnf("%s: %v", file, err)
			continue
		}
		taken[m.Name] = file
		memories = append(memories, m)
	}
	if len(memories) == 0 {
		return nil, fmt.Errorf("no note of %s can be a memory", e.from)
	}
	return memories, nil
}

// noteMemory returns the memory that a note is, or why Firestore would refuse it.
func noteMemory(dir, file string, schema memory.Schema) (m corpus.Memory, err error) {
	n, err := readNote(dir, file)
	if err != nil {
		return m, err
	}
	m = corpus.Memory{Name: n.name, Date: n.date.Time(), Fields: map[string]any{bodyField: n.body}}
	if schema.IDs == memory.Plain {
		m.Name = strings.ReplaceAll(m.Name, "/", ":") // which ids cannot have
	}
	id, err := schema.IDs.ID(m.Name)
	if err != nil {
		return m, err
	}
	size := pathBytes + memory.DocumentSize(id,
		map[string]any{bodyField: n.body, schema.Field(): time.Time{}})
	if size > maxDocumentBytes {
		return m, fmt.Errorf("as a memory it has %d bytes, and a document of Firestore has at most %d: split it", size, maxDocumentBytes)
	}
	return m, nil
}
