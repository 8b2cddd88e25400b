package corpus

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// topic is a folder of up to three segments.
type topic struct {
	path   string
	script *script
}

const manyTopics = 400

// topics returns the folders of a store, the most popular ones first. Half of them are in one that
// is more popular.
func topics(seed uint64) []topic {
	r := rand.New(rand.NewPCG(seed, 1<<63)) // no memory's
	all := make([]topic, manyTopics)
	for i := range all {
		all[i].script = anyScript(r)
		parent := ""
		if i > 0 && r.IntN(2) == 0 {
			if p := all[r.IntN(i)]; strings.Count(p.path, "/") < 2 {
				parent, all[i].script = p.path+"/", p.script
			}
		}
		s := all[i].script
		all[i].path = parent + s.word(r)
		if r.IntN(3) == 0 {
			all[i].path += s.space + s.word(r)
		}
	}
	return all
}

// sites are where sources are from, the most popular ones first.
var sites = strings.Fields("wikipedia.org github.com arxiv.org nytimes.com docs.google.com mail youtube.com lemonde.fr " +
	"habr.com zhihu.com qiita.com naver.com kathimerini.gr haaretz.co.il aljazeera.net thehindu.com bücher.example spiegel.de")

// ranks draws a rank from 0 by Zipf's law, the k-th as often as 1/k; its elements are the sums of
// the weights.
type ranks []uint64

var popular, popularSites = zipf(manyTopics), zipf(len(sites))

func zipf(n int) ranks {
	sums := make(ranks, n)
	sum := uint64(0)
	for i := range sums {
		sum += 1_000_000 / uint64(i+1)
		sums[i] = sum
	}
	return sums
}

func (z ranks) pick(r *rand.Rand) int {
	i, _ := slices.BinarySearch(z, r.Uint64N(z[len(z)-1])+1)
	return i
}
