package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/stretchr/testify/require"

	"hippocampus/functions"
	"hippocampus/index"
	"hippocampus/repair"
)

// due makes a tenant whose nightly fold is due and that has a request.
func due(c *trial) {
	requested(c)
	meta := c.schedule.client.Collection(c.tenant.index).Doc(index.MetaID)
	_, err := meta.Update(c.ctx, []firestore.Update{{Path: index.DueField, Value: time.Unix(1, 0)}})
	require.NoError(c.t, err)
}

// findDue finds the tenant, or says why not: never less than there is.
func findDue(ctx context.Context, c *trial) error {
	targets, err := repair.Due(ctx, c.client)
	if err != nil {
		require.ErrorContains(c.t, err, "find what is due")
		return err
	}
	require.Len(c.t, targets, 1)
	require.Equal(c.t, c.tenant.path, targets[0].Collection)
	require.Equal(c.t, index.Build, targets[0].Kind)
	require.Equal(c.t, "test", targets[0].Reason)
	return nil
}

// repairDue calls the function as Cloud Scheduler does, which takes 200 for done.
func repairDue(ctx context.Context, c *trial) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.hook.url+"/"+functions.NameRepairDue, nil)
	require.NoError(c.t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(c.t, err)
	defer response.Body.Close()
	var summary functions.Summary
	require.NoError(c.t, json.NewDecoder(response.Body).Decode(&summary))
	if response.StatusCode == http.StatusOK {
		require.Equal(c.t, 1, summary.Found)
		require.Len(c.t, summary.Repaired, 1)
		require.Equal(c.t, index.Build, summary.Repaired[0].Kind)
		return nil
	}
	require.Equal(c.t, http.StatusInternalServerError, response.StatusCode)
	text := summary.Error
	for _, failure := range summary.Failed {
		require.Equal(c.t, c.tenant.path, failure.Collection)
		text += failure.Error
	}
	require.Contains(c.t, text, "on purpose", "the summary says what failed")
	return errors.Join(errors.New(text), fmt.Errorf("status %d", response.StatusCode))
}
