package index_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"hippocampus/index"
	"hippocampus/memory"
)

// now is a moment in 2026, the newest in samples.
const now memory.Micros = 1_788_170_400_000_000

const second, hour, year memory.Micros = 1e6, 3600e6, 365 * 24 * 3600e6

// samples returns n entries in list order, as an agent for a small business
// might have them after two years: mixed names, dates that are the server's
// time to within a millisecond of the version, and one in ten imported with an
// old date.
func samples(n int, seed uint64) []index.Entry {
	r := rand.New(rand.NewPCG(seed, 1))
	taken := make(map[string]bool, n)
	entries := make([]index.Entry, 0, n)
	for len(entries) < n {
		name := sampleName(r)
		for taken[name] {
			name = fmt.Sprintf("%s %d", name, 2+r.IntN(n))
		}
		taken[name] = true
		e := index.Entry{Name: name, Version: now - memory.Micros(r.Int64N(int64(2*year)))}
		e.Date = e.Version - memory.Micros(r.Int64N(1000))
		switch r.IntN(10) {
		case 0: // imported, dated to the second by its file
			e.Date = (e.Version - memory.Micros(r.Int64N(int64(8*year)))) / second * second
		case 1, 2, 3:
			e.Date = e.Version
		}
		entries = append(entries, e)
	}
	index.Sort(entries)
	return entries
}

func sampleName(r *rand.Rand) string {
	word := func() string { return sampleWords[r.IntN(len(sampleWords))] }
	title := func(most int) string {
		words := make([]string, 1+r.IntN(most))
		for i := range words {
			words[i] = strings.ToUpper(word()[:1]) + word()[1:]
		}
		return strings.Join(words, " ")
	}
	slug := func(words int) string {
		all := make([]string, words)
		for i := range all {
			all[i] = word()
		}
		return strings.Join(all, "-")
	}
	day := func() string {
		return fmt.Sprintf("%d-%02d-%02d", 2023+r.IntN(4), 1+r.IntN(12), 1+r.IntN(28))
	}
	switch p := r.IntN(100); {
	case p < 28:
		return "pages/" + title(4)
	case p < 36:
		return "pages/People/" + title(2)
	case p < 46:
		return "journal/" + day()
	case p < 62:
		return "notebook/" + slug(2+r.IntN(3))
	case p < 75:
		return "sources/mail/" + day() + " " + title(3)
	case p < 87:
		return "sources/web/" + word() + ".example/" + slug(3)
	case p < 93:
		return fmt.Sprintf("sources/calls/%08x", r.Uint32())
	case p < 97:
		return "pages/" + []string{"Café", "Öffnungszeiten", "日本語", "Précis", "Übergabe"}[r.IntN(5)] + " " + title(2)
	default:
		return title(3)
	}
}

var sampleWords = strings.Fields(`
account agenda allergy answer apology april apron arrival august autumn backup bakery balance barista basket batch bill birthday booking
bread budget builder butter cabinet calendar cake calorie camera campaign candle capacity card carpet cash ceiling chair charity checklist
cheese christmas church cleaning clinic closing coffee college comment commission complaint contract corner counter coupon course cream
credit croissant crust culture customer deadline december decision decorator delivery deposit design dessert discount dough draft dress
driver easter electrician email energy engineer equipment event evening expense extension factory farmer february festival feedback fence
filter finance flour flower format freezer friday fridge garden glass grain grant guest handover harvest health heating holiday honey
hospital hygiene idea income inspection insurance interview invoice january job july june kettle kitchen label ladder landlord lawyer lease
leaflet lemon lesson letter library licence list loaf logo lunch machine magazine maintenance manager march margin market meeting member
menu message milk minutes mixer monday morning music neighbour newsletter november number nursery october offer office olive opening
order outage oven packaging painter parking partner party passport pastry patent payment pension permit phone photo pipe plan planner
plumber policy poster premises price print printer problem process produce profit project proof proposal quality question queue quote
radio rate receipt recipe refund register regular rent repair report request return review risk roof room rota rye safety salad salary
sale sample saturday schedule school season security september series service shelf shift shop sign site sketch sourdough staff stall
starter statement station stock storage story strategy street student summer sunday supplier survey table target tax teacher team
template tenant ticket till tool tour training translation travel treasurer trial tuesday uniform update vacancy van vegan venue video
visit voucher wage wall warehouse warranty waste water website wedding wednesday wheat wholesale window winter workshop yeast yield`)
