package figure_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"hippocampus/internal/figure"
)

func TestFigures(t *testing.T) {
	for _, c := range []struct{ want, got string }{
		{"0", figure.Count(0)},
		{"999", figure.Count(999)},
		{"1,000", figure.Count(1000)},
		{"-100", figure.Count(-100)},
		{"-1,000", figure.Count(-1000)},
		{"215,984,823", figure.Count(int64(215_984_823))},

		{"1 memory", figure.Plural(1, "memory", "memories")},
		{"0 memories", figure.Plural(0, "memory", "memories")},
		{"2,000 memories", figure.Plural(2000, "memory", "memories")},

		{"0.042", figure.Decimal(0.04211)},
		{"0.00080", figure.Money(0.0008)},
		{"1.73", figure.Decimal(1.734)},
		{"10.0", figure.Decimal(9.999)},
		{"17.3", figure.Decimal(17.34)},
		{"1,234", figure.Decimal(1234.4)},
		{"-1,235", figure.Decimal(-1234.6)},

		{"0.60", figure.Money(0.6)},
		{"0.06", figure.Money(0.06)},
		{"12.00", figure.Money(12)},
		{"3,000", figure.Money(3000)},
		{"100", figure.Money(99.999)},
		{"0.0060", figure.Money(0.006)},

		{"100", figure.Share(200, 200)},
		{"99.9", figure.Share(99_999, 100_000)},
		{"0.1", figure.Share(1, 100_000)},
		{"33.3", figure.Share(1, 3)},

		{"1.04×", figure.Times(104, 100)},

		{"1/5,000", figure.Against(1, 5000)},
		{"1/556", figure.Against(9, 5000)},
		{"1/1.3", figure.Against(10, 13)},
		{"1", figure.Against(101, 100)},
		{"11×", figure.Against(11.4, 1)},
		{"2.2×", figure.Against(2.2, 1)},
		{"0", figure.Decimal(0)},
		{"0", figure.Money(0)},
		{"0", figure.Share(0, 7)},
		{"0", figure.Against(0, 7)},
		{"10×", figure.Against(9.96, 1)},
		{"1/1,000", figure.Against(1, 1000)},
	} {
		require.Equal(t, c.want, c.got)
	}
}

func TestWhatIsNoNumberIsNotWritten(t *testing.T) {
	for name, got := range map[string]string{
		"a mean of none":     figure.Decimal(math.NaN()),
		"an endless number":  figure.Decimal(math.Inf(1)),
		"an endless amount":  figure.Money(math.Inf(-1)),
		"no amount":          figure.Money(math.NaN()),
		"a share of none":    figure.Share(0, 0),
		"times nothing":      figure.Times(1, 0),
		"beside nothing":     figure.Against(1, 0),
		"times what is none": figure.Times(math.NaN(), 1),
	} {
		require.Empty(t, got, name)
	}
}
