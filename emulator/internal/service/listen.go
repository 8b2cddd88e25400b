package service

import (
	"errors"
	"io"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"hippocampus/emulator/internal/listen"
)

// Listen streams what changes in documents and the results of queries. It ends when the client has
// closed its side.
func (s *Service) Listen(stream firestorepb.Firestore_ListenServer) error {
	req, err := stream.Recv()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return err
	}
	name := req.GetDatabase()
	d, err := s.named(name)
	if err != nil {
		return err
	}
	l := listen.New(listen.Database{Name: d.Name, Store: d.Store, Born: d.Born}, stream.Send)
	defer l.Close()
	requests, ended := receive(stream)
	for {
		if other := req.GetDatabase(); other != "" && other != name {
			return status.Errorf(codes.InvalidArgument,
				"this stream listens to %s; open another one to listen to %s", name, other)
		}
		if err := handle(l, req); err != nil {
			return err
		}
		for req = nil; req == nil; {
			select {
			case req = <-requests:
			case err := <-ended:
				return err
			case <-l.Wake():
				if err := l.Flush(); err != nil {
					return err
				}
			}
		}
	}
}

func handle(l *listen.Stream, req *firestorepb.ListenRequest) error {
	switch change := req.GetTargetChange().(type) {
	case *firestorepb.ListenRequest_AddTarget:
		return l.Add(change.AddTarget)
	case *firestorepb.ListenRequest_RemoveTarget:
		return l.Remove(change.RemoveTarget)
	}
	return status.Error(codes.InvalidArgument,
		"the request neither adds nor removes a target; set add_target or remove_target")
}

// receive returns what a stream receives, and how it ends: nil if the client has closed its side.
// It goes on until the stream's context is done.
func receive(
	stream firestorepb.Firestore_ListenServer) (<-chan *firestorepb.ListenRequest, <-chan error) {
	requests, ended := make(chan *firestorepb.ListenRequest), make(chan error, 1)
	go func() {
		for {
			req, err := stream.Recv()
			if errors.Is(err, io.EOF) {
				ended <- nil
				return
			}
			if err != nil {
				ended <- err
				return
			}
			select {
			case requests <- req:
			case <-stream.Context().Done():
				ended <- status.FromContextError(stream.Context().Err()).Err()
				return
			}
		}
	}()
	return requests, ended
}
