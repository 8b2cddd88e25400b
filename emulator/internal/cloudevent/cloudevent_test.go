package cloudevent_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/emulator/internal/cloudevent"
)

func TestHeader(t *testing.T) {
	header := cloudevent.Attributes{
		ID: "e-1", Type: cloudevent.Deleted, Time: time.Date(2026, 8, 1, 2, 3, 4, 567_000, time.FixedZone("", 3600)),
		Project: "p", Database: "(default)", Document: "x/日 \"1\"%\r\n~\x7f",
	}.Header()
	require.Equal(t, http.Header{
		"Content-Type":   {"application/protobuf"},
		"Ce-Specversion": {"1.0"},
		"Ce-Id":          {"e-1"},
		"Ce-Type":        {"google.cloud.firestore.document.v1.deleted"},
		"Ce-Source":      {"//firestore.googleapis.com/projects/p/databases/(default)"},
		"Ce-Subject":     {"documents/x/%E6%97%A5%20%221%22%25%0D%0A~%7F"},
		"Ce-Document":    {"x/%E6%97%A5%20%221%22%25%0D%0A~%7F"},
		"Ce-Time":        {"2026-08-01T01:03:04.000567Z"},
		"Ce-Dataschema":  {"https://github.com/googleapis/google-cloudevents/blob/main/proto/google/events/cloud/firestore/v1/data.proto"},
		"Ce-Project":     {"p"},
		"Ce-Location":    {"us-central1"},
		"Ce-Database":    {"(default)"},
		"Ce-Namespace":   {"(default)"},
	}, header)
}

func TestCheckType(t *testing.T) {
	for _, known := range []string{cloudevent.Created, cloudevent.Updated, cloudevent.Deleted, cloudevent.Written} {
		require.NoError(t, cloudevent.CheckType(known))
	}
	require.ErrorContains(t, cloudevent.CheckType("written"), "is not one of google.cloud.firestore")
	require.Error(t, cloudevent.CheckType(""))
}
