package differential_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// side is one of the servers in the run of a program.
type side struct {
	pb.FirestoreClient
	database string

	commits      map[int]*timestamppb.Timestamp   // the times of the steps that committed
	times        map[int64]*timestamppb.Timestamp // their names, by the times in microseconds
	values       map[int64]*timestamppb.Timestamp // and those of the times that transforms stored
	transactions map[string][]byte                // ids by their names
	last         time.Time                        // of the last commit
	listener     *listener                        // nil: there is none
	says         string                           // the last error
}

func newSide(client pb.FirestoreClient, database string) *side {
	return &side{
		FirestoreClient: client, database: database, commits: map[int]*timestamppb.Timestamp{}, times: map[int64]*timestamppb.Timestamp{},
		values: map[int64]*timestamppb.Timestamp{}, transactions: map[string][]byte{},
	}
}

// do does a step and returns what comes of it, in words that are the same for servers that do the
// same.
func (s *side) do(ctx context.Context, number int, st step) string {
	request := s.resolve(st.request)
	if _, writes := request.(interface{ GetWrites() []*pb.Write }); writes {
		s.nextMillisecond()
	}
	answers, err := s.ask(ctx, request)
	var b strings.Builder
	fmt.Fprintln(&b, plainCode(request, status.Code(err)))
	s.says = fmt.Sprint(err)
	for _, a := range answers {
		s.learn(number, request, a)
		if begun, ok := a.(interface{ GetTransaction() []byte }); ok && len(begun.GetTransaction()) > 0 {
			s.transactions[string(transactionOf(number))] = begun.GetTransaction()
		}
		a = plain(request, proto.Clone(a))
		s.level(a, readsAtTime(request))
		b.WriteString(prototext.MarshalOptions{Multiline: true, Indent: " "}.Format(a))
		b.WriteString("\n")
	}
	if err != nil {
		return b.String()
	}
	if len(st.targets) > 0 {
		s.listen(ctx, &b, st.targets)
	}
	if s.listener != nil && synced(st.request) {
		s.listener.readStep(&b, int64(number))
	}
	return b.String()
}

// nextMillisecond waits until the clock shows another millisecond than at the last commit, so that
// the times that transforms store are different on both servers.
func (s *side) nextMillisecond() {
	for time.Now().UnixMilli() <= s.last.UnixMilli() {
		<-time.After(100 * time.Microsecond)
	}
}

// readsAtTime says whether a request is to read at a past time.
func readsAtTime(request proto.Message) bool {
	r, ok := request.(interface{ GetReadTime() *timestamppb.Timestamp })
	return ok && r.GetReadTime() != nil
}

// ask makes a request and returns all of the answer. A list is asked for to its end.
func (s *side) ask(ctx context.Context, request proto.Message) ([]proto.Message, error) {
	switch r := request.(type) {
	case *pb.CommitRequest:
		return one(s.Commit(ctx, r))
	case *pb.BatchWriteRequest:
		return one(s.BatchWrite(ctx, r))
	case *pb.GetDocumentRequest:
		return one(s.GetDocument(ctx, r))
	case *pb.BatchGetDocumentsRequest:
		return all(s.BatchGetDocuments(ctx, r))
	case *pb.RunQueryRequest:
		return all(s.RunQuery(ctx, r))
	case *pb.RunAggregationQueryRequest:
		return all(s.RunAggregationQuery(ctx, r))
	case *pb.BeginTransactionRequest:
		return one(s.BeginTransaction(ctx, r))
	case *pb.RollbackRequest:
		return one(s.Rollback(ctx, r))
	case *pb.ListDocumentsRequest:
		return pages(func(token string) (*pb.ListDocumentsResponse, error) {
			r.PageToken = token
			return s.ListDocuments(ctx, r)
		}, func(p *pb.ListDocumentsResponse) { p.NextPageToken = "" })
	case *pb.ListCollectionIdsRequest:
		return pages(func(token string) (*pb.ListCollectionIdsResponse, error) {
			r.PageToken = token
			return s.ListCollectionIds(ctx, r)
		}, func(p *pb.ListCollectionIdsResponse) { p.NextPageToken = "" })
	}
	return nil, fmt.Errorf("a program asks with a %T", request)
}

func one[M proto.Message](answer M, err error) ([]proto.Message, error) {
	if err != nil {
		return nil, err
	}
	return []proto.Message{answer}, nil
}

func all[M proto.Message](stream interface{ Recv() (M, error) }, err error) ([]proto.Message, error) {
	if err != nil {
		return nil, err
	}
	var answers []proto.Message
	for {
		a, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return answers, nil
		}
		if err != nil {
			return answers, err
		}
		answers = append(answers, a)
	}
}

// maxPages is more than any list of a program has.
const maxPages = 100

func pages[M interface {
	proto.Message
	GetNextPageToken() string
}](page func(token string) (M, error), clear func(M)) ([]proto.Message, error) {
	var answers []proto.Message
	for token := ""; len(answers) < maxPages; {
		a, err := page(token)
		if err != nil {
			return answers, err
		}
		token = a.GetNextPageToken()
		clear(a)
		if token == "" && len(answers) > 0 && proto.Size(a) == 0 {
			return answers, nil // nothing is left
		}
		answers = append(answers, a)
		if token == "" {
			return answers, nil
		}
	}
	return answers, errors.New("the list has no end")
}
