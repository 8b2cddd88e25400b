//go:build !race

package chaos

// schedules is how many are run by default.
const schedules = 1_000
