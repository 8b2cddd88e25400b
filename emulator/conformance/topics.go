package conformance

// topics are the files of checks. Each has its list in a file of the same name.
var topics = []topic{
	{"values", values},
}
