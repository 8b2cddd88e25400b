package memory

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Micros is a moment in microseconds since the Unix epoch, the resolution in
// which Firestore keeps every timestamp. It spans the years 1 to 9999.
type Micros int64

// MicrosOf returns t rounded down to the microsecond, as Firestore stores it.
func MicrosOf(t time.Time) Micros { return Micros(t.UnixMicro()) }

// Time returns the moment as a time in UTC.
func (m Micros) Time() time.Time { return time.UnixMicro(int64(m)).UTC() }

// Record is all that the index knows of a memory.
type Record struct {
	ID      string // the document's id
	Version Micros // the document's update time
	Date    Micros // what the list shows and is ordered by
	// Undated: the date field is missing or no timestamp, so Date is Version.
	Undated bool
}

// DefaultDateField is the field of a memory that dates it.
const DefaultDateField = "updated_at"

// Schema says how the documents of a collection are to be read. The zero value
// is the default layout.
type Schema struct {
	// IDs says how document ids relate to names.
	IDs IDKind
	// DateField names the top-level field that dates a memory; empty means
	// DefaultDateField.
	DateField string
}

// Field returns the name of the date field.
func (s Schema) Field() string {
	if s.DateField == "" {
		return DefaultDateField
	}
	return s.DateField
}

// Date returns the date of a memory whose date field has the given value, nil
// where it is missing, and whose document has the given version. A value that
// is no timestamp is no date: such a memory is dated by its version, so that
// it is never hidden.
func Date(field any, version Micros) Micros {
	if t, ok := field.(time.Time); ok {
		return MicrosOf(t)
	}
	return version
}

// CollectionPath checks that path is the path of a collection, relative to the
// database: an odd number of segments separated by slashes, each of them an id
// that Firestore takes, which is 1 to 1,500 bytes of UTF-8, neither "." nor ".."
// nor of the form __x__.
func CollectionPath(path string) error {
	if !utf8.ValidString(path) {
		return fmt.Errorf("%s is no collection path: it is not valid UTF-8", abbreviate(path))
	}
	segments := strings.Split(path, "/")
	for _, s := range segments {
		if len(s) > maxSegmentBytes {
			return fmt.Errorf("%s is no collection path: a segment has %d bytes and Firestore's limit is 1,500 bytes", abbreviate(path), len(s))
		}
		if s == "" || reserved(s) {
			return fmt.Errorf("%s is no collection path: %q cannot be a segment; it should look like tenants/acme/memories", abbreviate(path), s)
		}
	}
	if len(segments)%2 == 0 {
		return fmt.Errorf("%s is no collection path: %d segments name a document; it should look like tenants/acme/memories", abbreviate(path), len(segments))
	}
	return nil
}

const maxSegmentBytes = 1500

// reserved reports whether Firestore keeps an id for itself.
func reserved(id string) bool {
	return id == "." || id == ".." ||
		len(id) >= 4 && strings.HasPrefix(id, "__") && strings.HasSuffix(id, "__")
}
