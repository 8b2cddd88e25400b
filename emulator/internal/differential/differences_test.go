package differential_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

// difference is one that package conformance knows. Requests that meet it are not made, or changed,
// or the answers are.
type difference struct {
	check  string // topic/name
	never  string // what programs have not
	avoid  func(request proto.Message)
	forget func(request, answer proto.Message)
	code   func(request proto.Message, c codes.Code) codes.Code
}

var differences = []difference{
	{check: "commits/a commit without writes succeeds", forget: func(request, answer proto.Message) {
		if a, ok := answer.(*pb.CommitResponse); ok && len(a.GetWriteResults()) == 0 {
			a.CommitTime = nil
		}
	}},
	{check: "limits and offsets/skipped results are counted in the answers", forget: func(request, answer proto.Message) {
		if a, ok := answer.(*pb.RunQueryResponse); ok {
			a.SkippedResults = 0
		}
	}},
	{check: "missing documents/a document that was deleted is missing while it has documents below it", forget: func(request, answer proto.Message) {
		if a, ok := answer.(*pb.ListDocumentsResponse); ok {
			for _, d := range a.GetDocuments() {
				if d.GetCreateTime() == nil {
					d.UpdateTime = nil
				}
			}
		}
	}},
	{check: "missing documents/missing documents go with a mask", avoid: func(request proto.Message) {
		if r, ok := request.(*pb.ListDocumentsRequest); ok && r.GetShowMissing() {
			r.Mask = nil
		}
	}},
	{
		check: "found/a write for the version that a deletion left is refused",
		code: func(request proto.Message, c codes.Code) codes.Code {
			if r, ok := request.(*pb.CommitRequest); ok && c == codes.NotFound && slices.ContainsFunc(r.GetWrites(), forVersion) {
				return codes.FailedPrecondition
			}
			return c
		},
		forget: func(request, answer proto.Message) {
			for i, s := range batch(answer).GetStatus() {
				if s.GetCode() == int32(codes.NotFound) && forVersion(request.(*pb.BatchWriteRequest).GetWrites()[i]) {
					s.Code = int32(codes.FailedPrecondition)
				}
			}
		},
	},
	{check: "found in queries/all documents can be queried in a transaction", avoid: func(request proto.Message) {
		switch r := request.(type) {
		case *pb.RunQueryRequest:
			if r.GetTransaction() != nil && ofAll(r.GetStructuredQuery()) {
				r.ConsistencySelector = nil
			}
		case *pb.RunAggregationQueryRequest:
			if r.GetTransaction() != nil && ofAll(r.GetStructuredAggregationQuery().GetStructuredQuery()) {
				r.ConsistencySelector = nil
			}
		}
	}},
	{check: "found/a full page has no token if nothing is left", never: "pages of nothing count, see pages"},
	{check: "found/spaces around an order of a list do not matter", never: "a space before an order"},
	{check: "found/a field of no name that the mask does not cover is refused", never: "fields of no name"},
	{check: "found/a deletion for the version that a deletion left is refused", never: "such a deletion, see writeOf"},
	{check: "found in queries/a target of all documents is told of changes", never: "such a target, see listen"},
	{check: "listening to queries/changes that a query does not see are not told", never: "what a target was told counts, only what it shows"},
	{check: "lists/pages in an order go on in it", avoid: func(request proto.Message) {
		if r, ok := request.(*pb.ListDocumentsRequest); ok && r.GetOrderBy() != "" {
			r.PageSize = 0
		}
	}},
}

func ofAll(q *pb.StructuredQuery) bool {
	return len(q.GetFrom()) == 0 || q.GetFrom()[0].GetCollectionId() == ""
}

func forVersion(w *pb.Write) bool { return w.GetCurrentDocument().GetUpdateTime() != nil }

func batch(answer proto.Message) *pb.BatchWriteResponse {
	a, _ := answer.(*pb.BatchWriteResponse)
	return a
}

// plainCode is a code without what is known to differ.
func plainCode(request proto.Message, c codes.Code) codes.Code {
	for _, d := range differences {
		if d.code != nil {
			c = d.code(request, c)
		}
	}
	return c
}

// avoid returns a request that meets none of the differences that cannot be forgotten.
func avoid(request proto.Message) proto.Message {
	for _, d := range differences {
		if d.avoid != nil {
			d.avoid(request)
		}
	}
	return request
}

// plain returns an answer without what is known to differ.
func plain(request, answer proto.Message) proto.Message {
	for _, d := range differences {
		if d.forget != nil {
			d.forget(request, answer)
		}
	}
	answer.ProtoReflect().SetUnknown(nil)
	if a, ok := answer.(*pb.RunAggregationQueryResponse); ok {
		a.GetResult().ProtoReflect().SetUnknown(nil)
		for _, v := range a.GetResult().GetAggregateFields() {
			if d, ok := v.GetValueType().(*pb.Value_DoubleValue); ok {
				d.DoubleValue = rounded(d.DoubleValue)
			}
		}
	}
	for _, s := range batch(answer).GetStatus() {
		s.Message, s.Details = "", nil
	}
	return answer
}

// rounded leaves out the last digits of a sum or an average: those of the official emulator depend
// on the order in which it adds doubles, which is not always the same.
func rounded(f float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(f, 'e', 11, 64), 64)
	if err != nil {
		return f // infinite
	}
	return short
}

// What is left out here is checked by package conformance, which writes the table of differences
// into the README.
func TestDifferencesAreChecked(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	require.NotEmpty(t, differences)
	for _, d := range differences {
		topic, name, found := strings.Cut(d.check, "/")
		require.True(t, found, d.check)
		require.Contains(t, string(readme), fmt.Sprintf("| %s | %s |", topic, name), "there is no such difference any more")
	}
}
