package official

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"

	"cloud.google.com/go/firestore"
	"google.golang.org/api/option"

	"hippocampus/emulator/internal/client"
)

// Client returns a Firestore client of this project that passes all security rules, as a server
// does. It neither reads nor changes the environment, so one process can use several emulators.
// opts come last, for interceptors. The caller closes it.
func (e *Emulator) Client(ctx context.Context,
	opts ...option.ClientOption) (*firestore.Client, error) {
	return e.client(ctx, client.Owner, opts)
}

// ClientAs returns a Firestore client that is subject to the security rules, as an application's
// user is: signed in as uid, with more claims in its token if there are any, or anonymous if uid is
// empty.
func (e *Emulator) ClientAs(ctx context.Context, uid string, claims map[string]any,
	opts ...option.ClientOption) (*firestore.Client, error) {
	if uid == "" {
		return e.client(ctx, "", opts)
	}
	token, err := e.userToken(uid, claims)
	if err != nil {
		return nil, fmt.Errorf("official: client as %s: %w", uid, err)
	}
	return e.client(ctx, token, opts)
}

func (e *Emulator) client(ctx context.Context, token string,
	opts []option.ClientOption) (*firestore.Client, error) {
	c, err := client.New(ctx, e.host, e.project, token, opts...)
	if err != nil {
		return nil, fmt.Errorf("official: %w", err)
	}
	return c, nil
}

// userToken is a Firebase ID token without a signature, which the emulator takes.
func (e *Emulator) userToken(uid string, claims map[string]any) (string, error) {
	body := map[string]any{
		// Fixed times: the emulator looks at neither, and no clock is involved.
		"iat": 0, "auth_time": 0, "exp": math.MaxInt32,
		"firebase": map[string]any{"sign_in_provider": "custom", "identities": map[string]any{}},
	}
	maps.Copy(body, claims)
	maps.Copy(body, map[string]any{
		"iss": "https://securetoken.google.com/" + e.project, "aud": e.project,
		"sub": uid, "user_id": uid,
	})
	payload, err := json.Marshal(body)
	if err != nil {
		return "", fmt.Errorf("encode claims: %w", err)
	}
	enc := base64.RawURLEncoding
	return enc.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`)) + "." + enc.EncodeToString(payload) + ".", nil
}
