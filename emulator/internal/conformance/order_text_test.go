package conformance

import (
	"strings"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/literal"
)

// orderText are about the order of strings, bytes and references.
var orderText = []Check{
	ascends("a string precedes those that begin with it", given(literal.Str(""), literal.Str("a"), literal.Str("a\x00"), literal.Str("aa"), literal.Str("b"))),
	ascends("strings ascend by bytes and not by alphabet", given(literal.Str("10"), literal.Str("9"), literal.Str("A"), literal.Str("Z"), literal.Str("_"), literal.Str("a"), literal.Str("z"), literal.Str("é"))),
	ascends("strings ascend by UTF-8 and not by UTF-16", given(literal.Str("z"), literal.Str("\u00e9"), literal.Str("\u20ac"), literal.Str("\ue000"), literal.Str("\uffff"), literal.Str("\U0001f600"))),
	ascends("composed and decomposed letters are different strings", given(literal.Str("e\u0301"), literal.Str("f"), literal.Str("\u00e9"))),
	ascends("strings of which one is long differ at the first different byte", given(
		literal.Str(strings.Repeat("a", 1400)+"a"), literal.Str(strings.Repeat("a", 1400)+"b"), literal.Str("b"))),
	ascends("bytes ascend as unsigned", given(literal.Bytes(""), literal.Bytes("\x00"), literal.Bytes("\x00\x00"), literal.Bytes("\x01"), literal.Bytes("\x7f"), literal.Bytes("\x80"), literal.Bytes("\xff"))),
	ascends("bytes need not be UTF-8", given(literal.Bytes("\xc3"), literal.Bytes("\xc3\x28"), literal.Bytes("\xc3\xa9"), literal.Bytes("\xfe"), literal.Bytes("\xff\xff"))),
	ascends("references ascend by collection and then by document", references("a/x", "a/y", "b/a", "b/b")),
	ascends("references ascend segment by segment and not as text", references("c/a", "c/a/d/b", "c/a-", "c/a0")),
	ascends("a reference precedes those to documents below it", references("a/b", "a/b/c/d", "a/b/c/d/e/f", "a/c")),
	ascends("references to numeric ids precede the others, by number", references("c/__id9__", "c/__id10__", "c/A", "c/a")),
	ascends("references ascend by UTF-8", references("c/a", "c/\u00e9", "c/\uffff", "c/\U0001f600")),
}

// references are those to the documents at paths.
func references(paths ...string) func(t *T) []*pb.Value {
	return func(t *T) []*pb.Value {
		var values []*pb.Value
		for _, p := range paths {
			values = append(values, literal.Ref(t.Name(p)))
		}
		return values
	}
}
