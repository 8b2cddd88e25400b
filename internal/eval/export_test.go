package eval

// The verdicts, for tests of what they say of figures.
var (
	JudgeEquivalence = judgeEquivalence
	JudgeCost        = judgeCost
	JudgeFreshness   = judgeFreshness
	JudgeRepair      = judgeRepair
	JudgeWrites      = judgeWrites
)
