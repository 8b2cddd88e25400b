package main

import (
	"bufio"
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

// confirm asks a person, unless --yes has answered already. An answer that is no yes is an error, which says otherwise.
func (env *environment) confirm(yes bool, question, otherwise string) error {
	if yes {
		return nil
	}
	fmt.Fprintf(env.errs, "%s [y/N] ", question)
	answer, err := bufio.NewReader(env.in).ReadString('\n')
	if err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return errors.New(otherwise)
}
