// Package service is the gRPC face of databases: google.firestore.v1.Firestore.
//
// It serves what ordinary backends call. Every other method answers UNIMPLEMENTED with a sentence.
package service

import (
	"context"
	"sync"
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	"hippocampus/emulator/internal/database"
	"hippocampus/emulator/internal/resource"
)

// Service serves any number of databases. A database is there, empty, as soon as somebody names it.
type Service struct {
	firestorepb.UnimplementedFirestoreServer
	open func(resource.Database) *database.Database

	mu        sync.RWMutex
	databases map[resource.Database]*database.Database
}

// New returns a service that has open make a database when it is named first.
func New(open func(resource.Database) *database.Database) *Service {
	return &Service{open: open, databases: map[resource.Database]*database.Database{}}
}

// Database returns the database of a name, made if there is none.
func (s *Service) Database(name resource.Database) *database.Database {
	s.mu.RLock()
	d := s.databases[name]
	s.mu.RUnlock()
	if d != nil {
		return d
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if d = s.databases[name]; d == nil {
		d = s.open(name)
		s.databases[name] = d
	}
	return d
}

// named returns the database of a request that names it.
func (s *Service) named(name string) (*database.Database, error) {
	parsed, err := resource.ParseDatabase(name)
	if err != nil {
		return nil, err
	}
	return s.Database(parsed), nil
}

// document returns the database and the path of a document's full name.
func (s *Service) document(name string) (*database.Database, resource.Path, error) {
	parsed, _, err := resource.Parse(name)
	if err != nil {
		return nil, "", err
	}
	path, err := parsed.Document(name)
	if err != nil {
		return nil, "", err
	}
	return s.Database(parsed), path, nil
}

// parent returns the database and the path of the name of a parent of collections.
func (s *Service) parent(name string) (*database.Database, resource.Path, error) {
	parsed, path, err := resource.Parse(name)
	if err != nil {
		return nil, "", err
	}
	return s.Database(parsed), path, nil
}

// queried finds the database of a request that queries below a parent, in a transaction if it names
// one.
func (s *Service) queried(req interface {
	GetParent() string
	GetTransaction() []byte
	GetExplainOptions() *firestorepb.ExplainOptions
}) (*database.Database, error) {
	if req.GetExplainOptions() != nil {
		return nil, status.Error(codes.Unimplemented,
			"queries are not explained here: leave explain_options out")
	}
	d, _, err := s.parent(req.GetParent())
	if err != nil {
		return nil, err
	}
	return d, checkTransaction(d, req.GetTransaction())
}

// checkTransaction checks that a transaction that a request names, if it names one, is open. It
// comes before the query is looked at, whose error may have another code.
func checkTransaction(d *database.Database, id []byte) error {
	if len(id) == 0 {
		return nil
	}
	_, err := d.View(database.Selector{Transaction: id})
	return err
}

// viewOf finds what a request reads, or begins the transaction that it asks for.
func viewOf(d *database.Database, req interface {
	GetTransaction() []byte
	GetReadTime() *timestamppb.Timestamp
}, begin *firestorepb.TransactionOptions) (database.View, error) {
	at, err := timeOf(req.GetReadTime())
	if err != nil {
		return database.View{}, err
	}
	return d.View(database.Selector{Transaction: req.GetTransaction(), New: begin, ReadTime: at})
}

// timeOf is the time of a request's field, zero if it is not set.
func timeOf(t *timestamppb.Timestamp) (time.Time, error) {
	if t == nil {
		return time.Time{}, nil
	}
	if err := t.CheckValid(); err != nil {
		return time.Time{}, status.Errorf(codes.InvalidArgument, "the read time is no time: %v", err)
	}
	if t.GetNanos()%1000 != 0 {
		return time.Time{}, status.Error(codes.InvalidArgument,
			"the read time is more precise than microseconds; round it down")
	}
	return t.AsTime(), nil
}

// BeginTransaction begins a transaction.
func (s *Service) BeginTransaction(_ context.Context,
	req *firestorepb.BeginTransactionRequest) (*firestorepb.BeginTransactionResponse, error) {
	d, err := s.named(req.GetDatabase())
	if err != nil {
		return nil, err
	}
	id, err := d.Begin(req.GetOptions())
	if err != nil {
		return nil, err
	}
	return &firestorepb.BeginTransactionResponse{Transaction: id}, nil
}
