package conformance

import (
	"strings"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/build"
)

// orderText are about the order of strings, bytes and references.
var orderText = []Check{
	ascends("a string precedes those that begin with it", given(build.Str(""), build.Str("a"), build.Str("a\x00"), build.Str("aa"), build.Str("b"))),
	ascends("strings ascend by bytes and not by alphabet", given(build.Str("10"), build.Str("9"), build.Str("A"), build.Str("Z"), build.Str("_"), build.Str("a"), build.Str("z"), build.Str("é"))),
	ascends("strings ascend by UTF-8 and not by UTF-16", given(build.Str("z"), build.Str("\u00e9"), build.Str("\u20ac"), build.Str("\ue000"), build.Str("\uffff"), build.Str("\U0001f600"))),
	ascends("composed and decomposed letters are different strings", given(build.Str("e\u0301"), build.Str("f"), build.Str("\u00e9"))),
	ascends("strings of which one is long differ at the first different byte", given(
		build.Str(strings.Repeat("a", 1400)+"a"), build.Str(strings.Repeat("a", 1400)+"b"), build.Str("b"))),
	ascends("bytes ascend as unsigned", given(build.Bytes(""), build.Bytes("\x00"), build.Bytes("\x00\x00"), build.Bytes("\x01"), build.Bytes("\x7f"), build.Bytes("\x80"), build.Bytes("\xff"))),
	ascends("bytes need not be UTF-8", given(build.Bytes("\xc3"), build.Bytes("\xc3\x28"), build.Bytes("\xc3\xa9"), build.Bytes("\xfe"), build.Bytes("\xff\xff"))),
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
			values = append(values, build.Ref(t.Name(p)))
		}
		return values
	}
}
