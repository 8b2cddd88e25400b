package conformance

// queryTopics are the files of checks of queries, lists and listeners.
var queryTopics = []topic{
	{"order of numbers", orderNumbers},
	{"order of text", orderText},
	{"order of nested", orderNested},
	{"order of types", orderTypes},
	{"filters", comparisons},
	{"filters of absence", absence},
	{"filters of sets", sets},
	{"composite filters", composite},
	{"implied orders", implied},
	{"wrong filters", wrongFilters},
	{"wrong queries", wrongQueries},
	{"long values", longValues},
	{"cursors", cursors},
	{"several cursors", severalCursors},
	{"limits and offsets", limitsOffsets},
	{"projections", projections},
	{"names in queries", queryNames},
	{"collection groups", groups},
	{"counts", counting},
	{"sums", sums},
	{"answers of queries", queryAnswers},
	{"lists", listing},
	{"missing documents", missingDocuments},
	{"collection ids", collectionIDs},
	{"listening to documents", listenDocuments},
	{"listening to queries", listenQueries},
	{"listening on streams", listenStreams},
	{"listening again", listenResume},
}

func init() { topics = append(topics, queryTopics...) }
