package resource

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Path is the name of a document or a collection within its database: ids of collections and of
// documents in turn, "cities/SF/landmarks/bridge". The empty path is the root. Paths are compared
// with CompareNames or by Key, not with <.
type Path string

// ID returns the last id: a document's own id, or a collection's.
func (p Path) ID() string { return string(p[strings.LastIndexByte(string(p), '/')+1:]) }

// Collection returns the path of the collection that the document p is in.
func (p Path) Collection() Path { return p[:max(strings.LastIndexByte(string(p), '/'), 0)] }

// CollectionID returns the id of the collection that the document p is in.
func (p Path) CollectionID() string { return p.Collection().ID() }

// Parent returns the document that the collection of the document p is under, or the root.
func (p Path) Parent() Path { return p.Collection().Collection() }

// check says what is wrong with p as the path of a document, of the full name.
func (p Path) check(name string) error {
	if !utf8.ValidString(string(p)) {
		return invalid("the name %q is not valid UTF-8", name)
	}
	document := false // whether id is a document's, not a collection's
	for rest, more := string(p), true; more; document = !document {
		var id string
		id, rest, more = strings.Cut(rest, "/")
		var err error
		if document {
			err = checkDocumentID(id)
		} else {
			err = CheckCollectionID(id)
		}
		if err != nil {
			return err
		}
	}
	if document {
		return invalid("%q is the name of a collection, not of a document: it has an odd number of ids after /documents", name)
	}
	return nil
}

// CheckCollectionID checks an id as
// firebase.google.com/docs/firestore/quotas#collections_documents_and_fields says: valid UTF-8, not
// empty, no slash, neither "." nor "..", and not matching __.*__ .
func CheckCollectionID(id string) error { return checkID("collection", id) }

func checkDocumentID(id string) error {
	if Numbered(id) {
		return nil
	}
	return checkID("document", id)
}

func checkID(what, id string) error {
	switch {
	case id == "":
		return invalid("a %s id is empty: look for a slash too many", what)
	case id == "." || id == "..":
		return invalid("the %s id %q is not allowed", what, id)
	case strings.IndexByte(id, '/') >= 0:
		return invalid("the %s id %q has a slash", what, id)
	case reserved(id):
		return invalid("the %s id %q is reserved: ids must not begin and end with two underscores",
			what, id)
	case !utf8.ValidString(id):
		return invalid("the %s id %q is not valid UTF-8", what, id)
	}
	return nil
}

// reserved reports whether an id matches the regular expression __.*__ .
func reserved(id string) bool {
	return len(id) >= 4 && strings.HasPrefix(id, "__") && strings.HasSuffix(id, "__")
}

// Numbered reports whether an id is of a document that is numbered: __id<n>__ .
func Numbered(id string) bool {
	_, ok := number(id)
	return ok
}

// number returns the n of an id __id<n>__. Such ids come from databases that were in Datastore
// mode, whose documents may be numbered. There is one way to write each number, and none for 0.
func number(id string) (n int64, ok bool) {
	digits, ok := strings.CutPrefix(id, "__id")
	if !ok {
		return 0, false
	}
	if digits, ok = strings.CutSuffix(digits, "__"); !ok {
		return 0, false
	}
	first := strings.TrimPrefix(digits, "-")
	if first == "" || first[0] < '1' || first[0] > '9' {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil
}
