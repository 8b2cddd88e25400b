package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
)

// canConfirm requires that --yes has been given or that a person can be asked.
func (env *environment) canConfirm(yes bool, why string) error {
	if yes || isInteractive(env.in) {
		return nil
	}
	return usagef("%s Nobody can be asked here: give --yes", why)
}

// confirm asks a person, unless --yes has answered already. An answer that is no yes is an error,
// which says otherwise. If ctx ends it waits no more: what reads the answer then goes on to, until
// the program ends.
func (env *environment) confirm(ctx context.Context, yes bool, question, otherwise string) error {
	if yes {
		return nil
	}
	fmt.Fprintf(env.errs, "%s [y/N] ", question)
	var answer string
	read := make(chan error, 1)
	go func() {
		var err error
		answer, err = bufio.NewReader(env.in).ReadString('\n')
		read <- err
	}()
	select {
	case err := <-read:
		if err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
	case <-ctx.Done():
		fmt.Fprintln(env.errs)
		return ctx.Err()
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return errors.New(otherwise)
}
