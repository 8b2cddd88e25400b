package index

// EncodePartsUpTo is EncodeParts with parts of at most so many bytes.
func EncodePartsUpTo(entries []Entry, most int) [][]byte { return encodeParts(entries, most) }

const (
	MaxPartEntries = maxPartEntries
	MaxColumnBytes = maxColumnBytes
)

// BlockVersion is the version of a block.
const BlockVersion = blockVersion
