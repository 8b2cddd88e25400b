package main

import (
	"context"
	"errors"
	"strings"

	"hippocampus/memory"
	"hippocampus/reader"
)

// resolveNames returns the names that are resolveNames by names given the way they are listed: one
// with escapes in it, that no memory has as it stands, means the name without them.
func resolveNames(ctx context.Context, store *memory.Store, names ...string) ([]string, error) {
	plain := make([]string, len(names))
	for i, name := range names {
		plain[i] = name
		if !strings.Contains(name, `\`) {
			continue
		}
		unescaped, err := reader.Unescape(name)
		if err != nil {
			continue // no escapes of ours: the name itself
		}
		_, err = store.Open(ctx, name)
		switch {
		case errors.Is(err, memory.ErrNotFound):
			plain[i] = unescaped
		case err != nil:
			return nil, err
		}
	}
	return plain, nil
}
