//go:build race

package chaos

// schedules is how many are run by default: fewer with the race detector, which makes them ten times slower.
const schedules = 300
