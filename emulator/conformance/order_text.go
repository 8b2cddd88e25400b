package conformance

import (
	"strings"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
)

// orderText are about the order of strings, bytes and references.
var orderText = []Check{
	ascends("a string precedes those that begin with it", given(str(""), str("a"), str("a\x00"), str("aa"), str("b"))),
	ascends("strings ascend by bytes and not by alphabet", given(str("10"), str("9"), str("A"), str("Z"), str("_"), str("a"), str("z"), str("é"))),
	ascends("strings ascend by UTF-8 and not by UTF-16", given(str("z"), str("\u00e9"), str("\u20ac"), str("\ue000"), str("\uffff"), str("\U0001f600"))),
	ascends("composed and decomposed letters are different strings", given(str("e\u0301"), str("f"), str("\u00e9"))),
	ascends("strings of which one is long differ at the first different byte", given(
		str(strings.Repeat("a", 1400)+"a"), str(strings.Repeat("a", 1400)+"b"), str("b"))),
	ascends("bytes ascend as unsigned", given(bytesOf(""), bytesOf("\x00"), bytesOf("\x00\x00"), bytesOf("\x01"), bytesOf("\x7f"), bytesOf("\x80"), bytesOf("\xff"))),
	ascends("bytes need not be UTF-8", given(bytesOf("\xc3"), bytesOf("\xc3\x28"), bytesOf("\xc3\xa9"), bytesOf("\xfe"), bytesOf("\xff\xff"))),
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
			values = append(values, reference(t.Name(p)))
		}
		return values
	}
}
