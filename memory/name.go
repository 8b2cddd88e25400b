package memory

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxNameBytes is the length of the longest name, in bytes of UTF-8. Its
// base64url is MaxIDBytes long.
const MaxNameBytes = 1110

// MaxIDBytes is the length of the longest document id that the index can hold:
// an index key "{version}-{id}" under the field e is one field path, and
// Firestore limits a field path to 1,500 bytes.
const MaxIDBytes = 1480

// ErrName marks a name that no memory can have. The error that wraps it says
// which limit it breaks.
var ErrName = errors.New("bad memory name")

// ErrID marks a document id that is not the id of any name, so that the
// document is listed under the id itself.
var ErrID = errors.New("document id is not the id of a memory name")

// IDKind says how a collection's document ids relate to the names of its
// memories. The zero value is Base64URL.
type IDKind uint8

const (
	// Base64URL ids are the unpadded base64url of the name (RFC 4648, section
	// 5), so that any name, with slashes too, is a valid document id.
	Base64URL IDKind = iota
	// Plain ids are the names themselves, as many existing stores have them.
	Plain
)

// String returns the kind's name in configuration: "base64url" or "plain".
func (k IDKind) String() string {
	switch k {
	case Base64URL:
		return "base64url"
	case Plain:
		return "plain"
	}
	return fmt.Sprintf("IDKind(%d)", uint8(k))
}

// ParseIDKind is the inverse of String. The empty string is Base64URL.
func ParseIDKind(s string) (IDKind, error) {
	switch s {
	case "", "base64url":
		return Base64URL, nil
	case "plain":
		return Plain, nil
	}
	return 0, fmt.Errorf("id kind %q is unknown: use base64url (the id is the base64url of the name) or plain (the id is the name)", s)
}

// ID returns the document id of a name in a collection with Base64URL ids. It
// refuses, with an error that wraps ErrName, a name that is empty, is not valid
// UTF-8 or is longer than MaxNameBytes.
func ID(name string) (string, error) { return Base64URL.ID(name) }

// Name returns the name whose ID is id. An id that ID cannot have made is
// refused with an error that wraps ErrID.
func Name(id string) (string, error) { return Base64URL.Name(id) }

// ID returns the document id of a name, or an error that wraps ErrName and says
// which limit the name breaks.
func (k IDKind) ID(name string) (string, error) {
	if err := checkName(name); err != nil {
		return "", err
	}
	if k == Plain {
		if err := checkPlain(name); err != nil {
			return "", fmt.Errorf("%w %s: %w", ErrName, abbreviate(name), err)
		}
		return name, nil
	}
	if len(name) > MaxNameBytes {
		return "", fmt.Errorf("%w %s: it has %d bytes and the limit is %d: shorten it", ErrName,
			abbreviate(name), len(name), MaxNameBytes)
	}
	return base64.RawURLEncoding.EncodeToString([]byte(name)), nil
}

// Name returns the name whose ID is id, or an error that wraps ErrID.
func (k IDKind) Name(id string) (string, error) {
	if k == Plain {
		if checkName(id) != nil || checkPlain(id) != nil {
			return "", fmt.Errorf("%w: %s", ErrID, abbreviate(id))
		}
		return id, nil
	}
	raw, err := strict.DecodeString(id)
	if err != nil || strings.ContainsAny(id, "\r\n") || len(raw) == 0 || len(raw) > MaxNameBytes ||
		!utf8.Valid(raw) {
		return "", fmt.Errorf("%w: %s is not the unpadded base64url of a name", ErrID,
			abbreviate(id))
	}
	return string(raw), nil
}

// strict refuses stray trailing bits but, as documented, still skips line breaks.
var strict = base64.RawURLEncoding.Strict()

func checkName(name string) error {
	if name == "" {
		return fmt.Errorf("%w: it is empty", ErrName)
	}
	if !utf8.ValidString(name) {
		return fmt.Errorf("%w %s: it is not valid UTF-8", ErrName, abbreviate(name))
	}
	return nil
}

// checkPlain applies Firestore's own constraints on document ids.
func checkPlain(id string) error {
	switch {
	case strings.Contains(id, "/"):
		return errors.New("it contains a slash, which a document id cannot: use base64url ids")
	case reserved(id):
		return errors.New("ids of the form ., .. and __x__ are reserved by Firestore")
	case len(id) > MaxIDBytes:
		return fmt.Errorf("it has %d bytes and the limit is %d: shorten it", len(id), MaxIDBytes)
	}
	return nil
}

func abbreviate(s string) string {
	const most = 60
	if len(s) <= most {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprintf("%q…", s[:most])
}
