package listen

import (
	"encoding/binary"
	"time"

	pb "cloud.google.com/go/firestore/apiv1/firestorepb"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// tokenSize of resume tokens: when the store was made and the time to resume from, in microseconds,
// big endian.
const tokenSize = 16

// token is what a client resumes from a time with.
func (s *Stream) token(at time.Time) []byte {
	token := make([]byte, 0, tokenSize)
	token = binary.BigEndian.AppendUint64(token, uint64(s.source.Born.UnixMicro()))
	return binary.BigEndian.AppendUint64(token, uint64(at.UnixMicro()))
}

// resumed returns the time that a target is resumed from, zero if the token or time is none of this
// store's. Neither is an error on the official emulator: everything is sent then.
func (s *Stream) resumed(req *pb.Target) (from time.Time, resumes bool, err error) {
	switch req.GetResumeType().(type) {
	case nil:
		return time.Time{}, false, nil
	case *pb.Target_ResumeToken:
		token := req.GetResumeToken()
		if len(token) != tokenSize || binary.BigEndian.Uint64(token) != uint64(s.source.Born.UnixMicro()) {
			return time.Time{}, true, nil
		}
		from = time.UnixMicro(int64(binary.BigEndian.Uint64(token[8:]))).UTC()
	default:
		if err := req.GetReadTime().CheckValid(); err != nil {
			return time.Time{}, false, status.Errorf(codes.InvalidArgument,
				"the read time is no time: %v", err)
		}
		// Commits have whole microseconds.
		from = time.UnixMicro(req.GetReadTime().AsTime().UnixMicro()).UTC()
	}
	if from.Before(s.source.Born) {
		return time.Time{}, true, nil
	}
	return from, true, nil
}
