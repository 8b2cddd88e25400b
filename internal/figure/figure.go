// Package figure writes figures for people: one way for the terminal, the report,
// the documents and a comparison with a baseline. A unit stands in the name of a
// column, not in its cells.
package figure

import (
	"math"
	"strconv"
)

// Count writes a whole number with its digits in groups: 20,000.
func Count[T int | int64](n T) string { return grouped(strconv.FormatInt(int64(n), 10)) }

// Plural writes a whole number with the word for it: 1 memory, 2,000 memories.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + many
}

// Decimal writes a number with three significant digits, two below 0.1, and whatever more stand
// before the point: 0.042, 0.421, 17.3, 1,234. It writes nothing for what is no number, as the mean
// of none.
func Decimal(f float64) string {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return ""
	}
	if f == 0 {
		return "0"
	}
	significant := 3
	if math.Abs(f) < 0.1 {
		significant = 2
	}
	return grouped(strconv.FormatFloat(f, 'f', decimals(f, significant), 64))
}

// Money writes an amount in hundredths, whole from 100 on: 0.60, 12.00, 3,000. Amounts below a
// hundredth keep two significant digits.
func Money(f float64) string {
	switch size := math.Abs(f); {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return ""
	case f == 0:
		return "0"
	case size >= 99.995:
		return grouped(strconv.FormatFloat(f, 'f', 0, 64))
	case size >= 0.00995:
		return strconv.FormatFloat(f, 'f', 2, 64)
	}
	return strconv.FormatFloat(f, 'f', decimals(f, 2), 64)
}

// Share writes the part of a whole in percent, whole or with one decimal: 100, 99.5. It says 100
// and 0 only of all and of none.
func Share(part, whole int) string {
	if whole == 0 {
		return ""
	}
	tenths := math.Round(1000 * float64(part) / float64(whole))
	switch {
	case tenths >= 1000 && part < whole:
		tenths = 999
	case tenths <= 0 && part > 0:
		tenths = 1
	}
	return strconv.FormatFloat(tenths/10, 'f', -1, 64)
}

// Times writes how many times a figure is of another: 11×, 1.04×.
func Times(f, of float64) string {
	if of == 0 {
		return ""
	}
	if s := Decimal(f / of); s != "" {
		return s + "×"
	}
	return ""
}

// Against writes a figure beside another that is called 1: 11× is eleven times as much, 1/5,000 is
// a five thousandth, 1 is as much.
func Against(f, of float64) string {
	if of == 0 {
		return ""
	}
	if f == 0 {
		return "0"
	}
	if f < of {
		if s := factor(of / f); s != "1" {
			return "1/" + s
		}
		return "1"
	}
	if s := factor(f / of); s != "1" {
		return s + "×"
	}
	return "1"
}

// factor writes a factor of at least 1 with two significant digits, or as a whole number.
func factor(f float64) string {
	if f < 9.95 {
		return strconv.FormatFloat(math.Round(f*10)/10, 'f', -1, 64)
	}
	return grouped(strconv.FormatFloat(f, 'f', 0, 64))
}

// decimals returns how many decimals give a number so many significant digits. It looks at the
// number as it will be rounded, so that 9.999 becomes 10.0 and not 10.00.
func decimals(f float64, significant int) int {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(math.Abs(f), 'e', significant-1, 64), 64)
	if err != nil {
		rounded = math.Abs(f)
	}
	return max(0, significant-1-int(math.Floor(math.Log10(rounded))))
}

// grouped puts the digits before the point in groups of three.
func grouped(s string) string {
	end := len(s)
	for i := range len(s) {
		if s[i] == '.' {
			end = i
			break
		}
	}
	for i := end - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
