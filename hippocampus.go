// Package hippocampus is what Google's Go buildpack builds when the functions are
// deployed: the package at the source root, whose import registers them.
// The functions themselves are in package [hippocampus/functions], the
// reader for a backend in [hippocampus/reader].
package hippocampus

import (
	// The buildpack looks for this import in this package, to know that the
	// functions register themselves.
	framework "github.com/GoogleCloudPlatform/functions-framework-go/functions"

	"hippocampus/functions"
)

func init() {
	deployed := functions.Deployed()
	framework.HTTP(functions.NameOnMemoryWritten, deployed.OnMemoryWritten)
	framework.HTTP(functions.NameOnRequest, deployed.OnRequest)
	framework.HTTP(functions.NameRepairDue, deployed.RepairDue)
}
