package price_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/eval/price"
	"hippocampus/eval/result"
)

const good = `{"source": "our contract", "date": "2027-01-31", "currency": "EUR", "per_100k_reads": 0.03, "per_100k_writes": 0.09, "per_100k_deletes": 0}`

func TestReadReadsPrices(t *testing.T) {
	p, err := price.Read(strings.NewReader(good))
	require.NoError(t, err)
	require.Equal(t, result.Prices{Source: "our contract", Date: "2027-01-31", Currency: "EUR", Reads: 0.03, Writes: 0.09, Deletes: 0}, p)
}

// The prices of a results.json can be given to the next run.
func TestReadReadsWhatADocumentHas(t *testing.T) {
	text, err := json.Marshal(price.Default())
	require.NoError(t, err)
	p, err := price.Read(strings.NewReader(string(text)))
	require.NoError(t, err)
	require.Equal(t, price.Default(), p)
	_, err = time.Parse(time.DateOnly, p.Date)
	require.NoError(t, err)
}

func TestReadRefuses(t *testing.T) {
	for name, c := range map[string]struct{ old, new, says string }{
		"no source":           {`"source": "our contract", `, ``, "source is missing"},
		"an empty source":     {`our contract`, ` `, "source is missing"},
		"no date":             {`"date": "2027-01-31", `, ``, "date is missing"},
		"a date that is none": {`2027-01-31`, `2027-02-31`, `date is "2027-02-31", which is no date`},
		"another date's form": {`2027-01-31`, `31.1.2027`, "which is no date"},
		"no currency":         {`"currency": "EUR", `, ``, "currency is missing"},
		"no price of reads":   {`"per_100k_reads": 0.03, `, ``, "per_100k_reads is missing"},
		"no price of writes":  {`"per_100k_writes": 0.09, `, ``, "per_100k_writes is missing"},
		"no price of deletes": {`, "per_100k_deletes": 0`, ``, "per_100k_deletes is missing"},
		"a null":              {`"per_100k_deletes": 0`, `"per_100k_deletes": null`, "per_100k_deletes is missing"},
		"a negative price":    {`0.09`, `-0.09`, "per_100k_writes is -0.09, and a price is not negative"},
		"an unknown field":    {`{`, `{"per_100k_stores": 1, `, "per_100k_stores"},
		"a price in words":    {`0.03`, `"0.03"`, "per_100k_reads"},
		"more than one":       {`}`, `} {}`, "something follows"},
		"no object":           {good, `[]`, "array"},
		"nothing":             {good, ``, "EOF"},
		"half of it":          {`}`, ``, "EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(good, c.old, c.new, 1)
			require.NotEqual(t, good, text)
			p, err := price.Read(strings.NewReader(text))
			require.ErrorContains(t, err, c.says)
			require.ErrorContains(t, err, "not a file of prices")
			require.Zero(t, p)
			_, form, found := strings.Cut(err.Error(), "write it like ")
			require.True(t, found)
			_, err = price.Read(strings.NewReader(form))
			require.NoError(t, err, "what the message says to write is right")
		})
	}
	broken := errors.New("broken")
	_, err := price.Read(iotest.ErrReader(broken))
	require.ErrorIs(t, err, broken)
}

// 5,000 documents a turn, at 0.06 for 100,000: 3,000; one document: 60 cents.
func TestDollarsAMillionTurns(t *testing.T) {
	p := price.Default()
	require.InEpsilon(t, 3000., price.DollarsAMillionTurns(p, 5000), 1e-12)
	require.InEpsilon(t, .6, price.DollarsAMillionTurns(p, 1), 1e-12)
	require.Zero(t, price.DollarsAMillionTurns(p, 0))
	p.Reads = 0.03
	require.InEpsilon(t, .3, price.DollarsAMillionTurns(p, 1), 1e-12)
}
