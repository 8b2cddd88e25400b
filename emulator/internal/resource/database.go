package resource

import "strings"

// Database is one database of a project.
type Database struct {
	// Project is the project's id, ID the database's: "(default)" or another.
	Project, ID string
}

// ParseDatabase reads the name of a database, "projects/P/databases/D".
func ParseDatabase(name string) (Database, error) {
	d, rest, err := cut(name)
	if err == nil && rest != "" {
		err = invalid("the database name %q goes on after the database's id: write projects/P/databases/D", name)
	}
	if err != nil {
		return Database{}, err
	}
	return d, nil
}

// cut takes the database off the front of a name. The rest begins with a slash or is empty.
func cut(name string) (d Database, rest string, err error) {
	project, rest, ok := cutID(name, "projects/")
	if !ok {
		return d, "", invalid("the name %q does not begin with projects/P/databases/D", name)
	}
	id, rest, ok := cutID(rest, "/databases/")
	if !ok {
		return d, "", invalid("the name %q does not begin with projects/P/databases/D", name)
	}
	return Database{Project: project, ID: id}, rest, nil
}

// cutID takes prefix and the id after it off the front of s.
func cutID(s, prefix string) (id, rest string, ok bool) {
	s, ok = strings.CutPrefix(s, prefix)
	if !ok {
		return "", "", false
	}
	end := strings.IndexByte(s, '/')
	if end < 0 {
		end = len(s)
	}
	return s[:end], s[end:], end > 0
}

// String returns the database's name, "projects/P/databases/D".
func (d Database) String() string {
	return "projects/" + d.Project + "/databases/" + d.ID
}

// Root returns the parent of the top collections, "projects/P/databases/D/documents".
func (d Database) Root() string { return d.String() + "/documents" }

// Name returns the full name of what is at p. It is Root for the empty path.
func (d Database) Name(p Path) string {
	if p == "" {
		return d.Root()
	}
	return d.Root() + "/" + string(p)
}

// Document reads the full name of a document of d. The error is INVALID_ARGUMENT if the name is not
// well formed, is not a document's, or is of another database.
func (d Database) Document(name string) (Path, error) {
	p, err := d.path(name)
	if err == nil && p == "" {
		err = invalid("%q is the name of a database's root, not of a document: add a collection and a document id", name)
	}
	if err != nil {
		return "", err
	}
	return p, nil
}

// Parent reads the full name of what collections are in: d's Root, for which the path is empty, or
// a document of d.
func (d Database) Parent(name string) (Path, error) { return d.path(name) }

func (d Database) path(name string) (Path, error) {
	of, p, err := Parse(name)
	if err != nil {
		return "", err
	}
	if of != d {
		return "", invalid("the name %q is of another database than the request, %s", name, d)
	}
	return p, nil
}

// Parse reads the full name of a document or of a database's root, of whatever database.
func Parse(name string) (Database, Path, error) {
	d, rest, err := cut(name)
	if err != nil {
		return d, "", err
	}
	rest, ok := strings.CutPrefix(rest, "/documents")
	if !ok || rest != "" && rest[0] != '/' {
		return d, "", invalid("the name %q has no /documents after the database's id", name)
	}
	if rest == "" {
		return d, "", nil
	}
	p := Path(rest[1:])
	if err := p.check(name); err != nil {
		return d, "", err
	}
	return d, p, nil
}
