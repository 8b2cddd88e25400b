package value_test

import (
	"fmt"
	"io"
	"slices"
	"testing"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/internal/literal"
	"hippocampus/emulator/internal/value"
	"hippocampus/emulator/official/officialtest"
)

func TestMain(m *testing.M) { officialtest.Main(m) }

// emulator is the official one, with documents of one field v.
type emulator struct {
	pb.FirestoreClient
	root string
}

func official(t *testing.T) emulator {
	em := officialtest.Start(t)
	return emulator{pb.NewFirestoreClient(officialtest.Dial(t, em.Host())), "projects/" + em.Project() + "/databases/(default)/documents"}
}

// set stores v and returns the time of its last change.
func (e emulator) set(t *testing.T, id string, v *pb.Value) *pb.Document {
	name := e.root + "/values/" + id
	_, err := e.Commit(t.Context(), &pb.CommitRequest{Database: e.root[:len(e.root)-len("/documents")], Writes: []*pb.Write{
		{Operation: &pb.Write_Update{Update: &pb.Document{Name: name, Fields: fields{"v": v}}}},
	}})
	require.NoError(t, err, "%v", v)
	doc, err := e.GetDocument(t.Context(), &pb.GetDocumentRequest{Name: name})
	require.NoError(t, err)
	return doc
}

// sorted returns all values in the emulator's order, the documents of equal ones by their names.
func (e emulator) sorted(t *testing.T) []*pb.Document {
	stream, err := e.RunQuery(t.Context(), &pb.RunQueryRequest{Parent: e.root, QueryType: &pb.RunQueryRequest_StructuredQuery{
		StructuredQuery: &pb.StructuredQuery{
			From:    literal.From("values", false),
			OrderBy: []*pb.StructuredQuery_Order{{Field: literal.Field("v")}},
		},
	}})
	require.NoError(t, err)
	var docs []*pb.Document
	for {
		res, err := stream.Recv()
		if err == io.EOF {
			return docs
		}
		require.NoError(t, err)
		if res.Document != nil {
			docs = append(docs, res.Document)
		}
	}
}

// The official emulator sorts values as Compare does: those of the table, and random ones. The ids
// of the table's run against the order, so that what is equal and what is not are told apart.
func TestOrderOfValuesOfficially(t *testing.T) {
	em := official(t)
	stored := 0
	store := func(v *pb.Value) {
		em.set(t, fmt.Sprintf("%04d", 9999-stored), v)
		stored++
	}
	for _, row := range ordered[1:] { // the first cannot be stored
		for _, v := range row {
			store(v)
		}
	}
	random := anyValue(2)
	for seed := range 300 {
		if v := random.Example(seed); storable(v) {
			store(v)
		}
	}
	require.Greater(t, stored, 300)
	docs := em.sorted(t)
	require.Len(t, docs, stored)
	require.True(t, slices.IsSortedFunc(docs, func(a, b *pb.Document) int {
		c := value.Compare(a.Fields["v"], b.Fields["v"])
		if c == 0 && a.Name > b.Name {
			c = 1
		}
		if c > 0 {
			t.Logf("%v is before %v", a.Fields["v"], b.Fields["v"])
		}
		return c
	}))
}

// storable reports whether a random value has no array or vector directly in an array.
func storable(v *pb.Value) bool {
	for _, element := range v.GetArrayValue().GetValues() {
		if class := value.ClassOf(element); class == value.Array || class == value.Vector || !storable(element) {
			return false
		}
	}
	for name, inner := range v.GetMapValue().GetFields() {
		if name == "" || value.ClassOf(v) == value.Map && !storable(inner) {
			return false
		}
	}
	return true
}

// The official emulator keeps the time of the last change when a value is written over one that is
// Identical.
func TestIdenticalOfficially(t *testing.T) {
	em := official(t)
	for i, c := range identities() {
		if c.b == nil {
			continue // is not a value
		}
		t.Run(c.name, func(t *testing.T) {
			id := fmt.Sprint(i)
			before, after := em.set(t, id, c.a), em.set(t, id, c.b)
			require.Equal(t, c.identical, before.UpdateTime.AsTime().Equal(after.UpdateTime.AsTime()))
			require.True(t, value.Identical(value.Truncate(c.b), after.Fields["v"]))
		})
	}
}
