//go:build !race

package chaos

// schedules is how many are run by default among deep tests.
const schedules = 1_000
