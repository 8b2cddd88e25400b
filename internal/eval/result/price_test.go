package result_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/eval/result"
)

const good = `{"source": "our contract", "date": "2027-01-31", "currency": "EUR", "per_100k_reads": 0.03, "per_100k_writes": 0.09, "per_100k_deletes": 0}`

func TestReadPricesReadsPrices(t *testing.T) {
	p, err := result.ReadPrices(strings.NewReader(good))
	require.NoError(t, err)
	require.Equal(t, result.Prices{Source: "our contract", Date: "2027-01-31", Currency: "EUR", Reads: 0.03, Writes: 0.09, Deletes: 0}, p)
}

// The prices of a results.json can be given to the next run.
func TestReadPricesReadsWhatADocumentHas(t *testing.T) {
	text, err := json.Marshal(result.DefaultPrices())
	require.NoError(t, err)
	p, err := result.ReadPrices(strings.NewReader(string(text)))
	require.NoError(t, err)
	require.Equal(t, result.DefaultPrices(), p)
	_, err = time.Parse(time.DateOnly, p.Date)
	require.NoError(t, err)
}

func TestReadPricesRefuses(t *testing.T) {
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
			p, err := result.ReadPrices(strings.NewReader(text))
			require.ErrorContains(t, err, c.says)
			require.ErrorContains(t, err, "not a file of prices")
			require.Zero(t, p)
			_, form, found := strings.Cut(err.Error(), "write it like ")
			require.True(t, found)
			_, err = result.ReadPrices(strings.NewReader(form))
			require.NoError(t, err, "what the message says to write is right")
		})
	}
	broken := errors.New("broken")
	_, err := result.ReadPrices(iotest.ErrReader(broken))
	require.ErrorIs(t, err, broken)
}

// 5,000 documents a turn, at 0.06 for 100,000: 3,000; one document: 60 cents.
func TestDollarsAMillionTurns(t *testing.T) {
	p := result.DefaultPrices()
	require.InEpsilon(t, 3000., p.AMillionTurns(5000), 1e-12)
	require.InEpsilon(t, .6, p.AMillionTurns(1), 1e-12)
	require.Zero(t, p.AMillionTurns(0))
	p.Reads = 0.03
	require.InEpsilon(t, .3, p.AMillionTurns(1), 1e-12)
}
