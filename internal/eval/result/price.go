package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// DefaultPrices returns the list prices of a database in the multi-region nam5, as Google gave them
// on their date.
func DefaultPrices() Prices {
	return Prices{
		Source:   "Google's list prices for Firestore in nam5 (multi-region), cloud.google.com/firestore/pricing",
		Date:     "2026-08-01",
		Currency: "USD",
		Reads:    0.06,
		Writes:   0.18,
		Deletes:  0.02,
	}
}

// form is what a file of prices must look like.
const form = `{"source": "whose prices", "date": "2026-08-01", "currency": "USD", ` +
	`"per_100k_reads": 0.06, "per_100k_writes": 0.18, "per_100k_deletes": 0.02}`

// ReadPrices reads prices from a JSON file that has the fields of [Prices], all of them and no
// others. It refuses a date that is none and prices that are negative.
func ReadPrices(r io.Reader) (Prices, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return Prices{}, err
	}
	p, err := parse(text)
	if err != nil {
		return Prices{}, fmt.Errorf("not a file of prices: %w; write it like %s", err, form)
	}
	return p, nil
}

func parse(text []byte) (Prices, error) {
	// Pointers tell a price of 0 from one that is missing.
	var file struct {
		Source   string   `json:"source"`
		Date     string   `json:"date"`
		Currency string   `json:"currency"`
		Reads    *float64 `json:"per_100k_reads"`
		Writes   *float64 `json:"per_100k_writes"`
		Deletes  *float64 `json:"per_100k_deletes"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return Prices{}, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return Prices{}, errors.New("something follows after the object")
	}
	p := Prices{Source: file.Source, Date: file.Date, Currency: file.Currency}
	for _, field := range []struct{ name, value string }{{"source", p.Source}, {"date", p.Date},
		{"currency", p.Currency}} {
		if strings.TrimSpace(field.value) == "" {
			return Prices{}, fmt.Errorf("%s is missing", field.name)
		}
	}
	if _, err := time.Parse(time.DateOnly, p.Date); err != nil {
		return Prices{}, fmt.Errorf("date is %q, which is no date", p.Date)
	}
	for _, field := range []struct {
		name  string
		value *float64
		to    *float64
	}{
		{"per_100k_reads", file.Reads, &p.Reads}, {"per_100k_writes", file.Writes, &p.Writes},
		{"per_100k_deletes", file.Deletes, &p.Deletes},
	} {
		if field.value == nil {
			return Prices{}, fmt.Errorf("%s is missing", field.name)
		}
		if *field.value < 0 {
			return Prices{}, fmt.Errorf("%s is %v, and a price is not negative", field.name,
				*field.value)
		}
		*field.to = *field.value
	}
	return p, nil
}

// AMillionTurns returns what the documents that turns read cost in a million turns, each of so
// many, in the prices' currency.
func (p Prices) AMillionTurns(documents int) float64 {
	const turns, unit = 1_000_000, 100_000
	return float64(documents) * turns / unit * p.Reads
}
