package official_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"hippocampus/emulator/official"
	"hippocampus/emulator/official/officialtest"
)

// asParent makes this test's binary a program that starts an emulator, prints its host and waits to
// be killed.
const asParent = "OFFICIAL_TEST_AS_PARENT"

func TestMain(m *testing.M) {
	if os.Getenv(asParent) != "" {
		_ = os.Unsetenv("FIRESTORE_EMULATOR_HOST")
		em, err := official.Start(context.Background(), nil)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(em.Host())
		select {}
	}
	officialtest.Main(m)
}
