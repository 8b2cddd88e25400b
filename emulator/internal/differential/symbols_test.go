package differential_test

import (
	"bytes"
	"fmt"
	"slices"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// Times and transactions of a server are named by the steps that made them, in requests and in
// answers.
const (
	// timeBase and a step are the seconds of the time of that step's commit, or of the i-th of its
	// batch with i nanoseconds.
	timeBase = 1_000_000_000_000_000
	// justBefore are the nanoseconds of the microsecond before it.
	justBefore = 900
	// serverValue are added to the nanoseconds of the time that a transform of the step stored.
	serverValue = 1000
	// unknownTime are the seconds of a time that no step made.
	unknownTime = timeBase - 1
)

func timeOf(step int) *timestamppb.Timestamp {
	return &timestamppb.Timestamp{Seconds: timeBase + int64(step)}
}

func before(step int) *timestamppb.Timestamp {
	return &timestamppb.Timestamp{Seconds: timeBase + int64(step), Nanos: justBefore}
}

var transactionPrefix = []byte("transaction of step ")

// transactionOf is the id of the transaction that a step began.
func transactionOf(step int) []byte { return fmt.Append(nil, string(transactionPrefix), step) }

// visit calls f with each time in a message and says whether it is a field's value, and g with each
// id of a transaction.
func visit(m protoreflect.Message, f func(at *timestamppb.Timestamp, in protoreflect.FieldDescriptor), g func([]byte) []byte) {
	m.Range(func(d protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case d.Kind() == protoreflect.BytesKind && (d.Name() == "transaction" || d.Name() == "retry_transaction"):
			m.Set(d, protoreflect.ValueOfBytes(g(bytes.Clone(v.Bytes()))))
		case d.Kind() != protoreflect.MessageKind:
		case d.IsMap():
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				if d.MapValue().Kind() == protoreflect.MessageKind {
					visit(v.Message(), f, g)
				}
				return true
			})
		case d.IsList():
			for i := range v.List().Len() {
				visit(v.List().Get(i).Message(), f, g)
			}
		default:
			if at, ok := v.Message().Interface().(*timestamppb.Timestamp); ok {
				f(at, d)
				return true
			}
			visit(v.Message(), f, g)
		}
		return true
	})
}

// resolve returns a request with the times and transactions of this server.
func (s *side) resolve(request proto.Message) proto.Message {
	request = proto.Clone(request)
	visit(request.ProtoReflect(), func(at *timestamppb.Timestamp, _ protoreflect.FieldDescriptor) {
		if at.GetSeconds() < timeBase || at.GetSeconds() >= 2*timeBase {
			return
		}
		step := int(at.GetSeconds() - timeBase)
		for s.commits[step] == nil { // it failed: the one before
			step--
		}
		committed := s.commits[step].AsTime()
		if at.GetNanos() == justBefore {
			committed = committed.Add(-1000)
		}
		proto.Reset(at)
		proto.Merge(at, timestamppb.New(committed))
	}, func(id []byte) []byte {
		if real, ok := s.transactions[string(id)]; ok {
			return real
		}
		return id
	})
	return request
}

// learn remembers the times of a commit or batch of a step.
func (s *side) learn(step int, request, answer proto.Message) {
	var writes []*pb.Write
	var results []*pb.WriteResult
	switch a := answer.(type) {
	case *pb.CommitResponse:
		writes, results = request.(*pb.CommitRequest).GetWrites(), a.GetWriteResults()
		if len(writes) == 0 {
			return
		}
		s.committed(step, 0, a.GetCommitTime())
	case *pb.BatchWriteResponse:
		writes, results = request.(*pb.BatchWriteRequest).GetWrites(), a.GetWriteResults()
		for i, r := range results {
			s.committed(step, i, r.GetUpdateTime())
		}
	}
	for i, r := range results {
		w := writes[i]
		transforms := slices.Concat(w.GetUpdateTransforms(), w.GetTransform().GetFieldTransforms())
		for j, v := range r.GetTransformResults() {
			if transforms[j].GetSetToServerValue() != 0 {
				label(s.values, v.GetTimestampValue(), step, serverValue)
			}
		}
	}
}

func (s *side) committed(step, i int, at *timestamppb.Timestamp) {
	if at == nil || s.times[at.AsTime().UnixMicro()] != nil {
		return
	}
	label(s.times, at, step, i)
	s.last = at.AsTime()
	if s.commits[step] == nil {
		s.commits[step] = at
	}
}

// label names a time, unless it has a name.
func label(labels map[int64]*timestamppb.Timestamp, at *timestamppb.Timestamp, step, nanos int) {
	if micros := at.AsTime().UnixMicro(); labels[micros] == nil {
		labels[micros] = &timestamppb.Timestamp{Seconds: timeBase + int64(step), Nanos: int32(nanos)}
	}
}

// level replaces the times and transactions in an answer, and what else only this server knows. The
// time of a read is of interest if the request gave one.
func (s *side) level(answer proto.Message, atTime bool) {
	visit(answer.ProtoReflect(), func(at *timestamppb.Timestamp, in protoreflect.FieldDescriptor) {
		known := s.times[at.AsTime().UnixMicro()]
		switch in.Name() {
		case "timestamp_value":
			if known = s.values[at.AsTime().UnixMicro()]; known == nil {
				return // is the program's own
			}
		case "read_time":
			if !atTime {
				known = &timestamppb.Timestamp{}
			}
		}
		if known == nil {
			known = &timestamppb.Timestamp{Seconds: unknownTime}
		}
		proto.Reset(at)
		proto.Merge(at, known)
	}, func([]byte) []byte { return transactionPrefix })
}
