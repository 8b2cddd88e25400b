//go:build race

package chaos

// schedules is how many are run by default among deep tests: fewer with the race detector, which
// makes them ten times slower.
const schedules = 300
