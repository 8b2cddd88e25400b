package conformance

// topics are the files of checks. Each has its list in a file of the same name.
var topics = []topic{
	{"values", values},
	{"bad values", badValues},
	{"order of numbers", orderNumbers},
	{"order of text", orderText},
	{"order of nested", orderNested},
	{"order of types", orderTypes},
	{"masks", masks},
	{"transforms", transforms},
	{"increments", increments},
	{"maxima", maxima},
	{"minima", minima},
	{"array transforms", arrayTransforms},
	{"server times", serverTimes},
	{"preconditions", preconditions},
	{"preconditions in order", createOnce},
	{"commits", commits},
	{"create times", createTimes},
	{"names", names},
	{"batch writes", batchWrites},
	{"getting", getting},
	{"getting many", gettingMany},
	{"transactions", transactions},
	{"contention", contention},
	{"read times", readTimes},
}
