package conformance

import (
	"time"

	"cloud.google.com/go/firestore/apiv1/firestorepb"
	"github.com/stretchr/testify/require"

	"hippocampus/emulator/internal/literal"
)

const requestTimePage = "proto write.proto, DocumentTransform.FieldTransform.ServerValue.REQUEST_TIME"

// serverTimes are about setting fields to the time of the request.
var serverTimes = []Check{
	{
		Name: "the request's time is set and returned",
		Page: requestTimePage,
		Run: func(t *T) {
			t.commit(t.set("c/d", fields{"a": literal.Str("x")}))
			res := t.commit(t.transform("c/d", literal.RequestTime("a")))
			at := t.get("c/d").Fields["a"]
			require.NotNil(t, at.GetTimestampValue())
			t.is(at, res.WriteResults[0].TransformResults[0])
		},
	},
	{
		Name: "the request's time has milliseconds",
		Page: requestTimePage + ": millisecond precision",
		Run: func(t *T) {
			t.commit(t.transform("c/d", literal.RequestTime("a")))
			require.Zero(t, t.get("c/d").Fields["a"].GetTimestampValue().Nanos%1_000_000)
		},
	},
	{
		Name: "all fields of a commit get the same time",
		Page: requestTimePage + ": all the fields will get the same",
		Run: func(t *T) {
			t.commit(t.transform("c/d", literal.RequestTime("a"), literal.RequestTime("m.b")), t.transform("c/e", literal.RequestTime("a")), t.oldTransform("c/f", literal.RequestTime("a")))
			want := t.get("c/d").Fields["a"]
			t.is(want, t.get("c/d").Fields["m"].GetMapValue().GetFields()["b"])
			t.is(want, t.get("c/e").Fields["a"])
			t.is(want, t.get("c/f").Fields["a"])
		},
	},
	{
		Name: "the request's time is not after the commit's time",
		Page: requestTimePage,
		Run: func(t *T) {
			res := t.commit(t.transform("c/d", literal.RequestTime("a")))
			at := t.get("c/d").Fields["a"].GetTimestampValue()
			require.False(t, at.AsTime().After(res.CommitTime.AsTime()))
			require.WithinDuration(t, res.CommitTime.AsTime(), at.AsTime(), 10*time.Second)
		},
	},
	refusesTransform("a server value of no kind", "proto write.proto, DocumentTransform.FieldTransform.ServerValue", func(t *T) *firestorepb.Write {
		tr := literal.RequestTime("a")
		tr.TransformType = &firestorepb.DocumentTransform_FieldTransform_SetToServerValue{}
		return t.transform("c/d", tr)
	}),
}
