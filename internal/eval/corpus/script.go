package corpus

import (
	"math/rand/v2"
	"strings"
	"sync"
	"unicode/utf8"
)

// script is words of one script.
type script struct {
	share int    // of names, in a hundred
	space string // between words
	words []string
	prose func() string
}

// textBytes is the length of the text that a script's bodies are taken from, more than any body's.
const textBytes = 128 << 10

func newScript(share int, space, words string) *script {
	s := &script{share: share, space: space, words: strings.Fields(words)}
	// Bodies share one text, so that a large store takes little memory. It does not depend on a
	// seed.
	s.prose = sync.OnceValue(func() string {
		r := rand.New(rand.NewPCG(0, uint64(share)))
		var text strings.Builder
		for text.Len() < textBytes {
			for range 4 + r.IntN(10) {
				text.WriteString(s.word(r) + s.space)
			}
			text.WriteString("\n")
		}
		return text.String()
	})
	return s
}

var scripts = []*script{
	newScript(50, " ", "opening hours supplier invoice second location lease kitchen oven menu spring allergy customer "+
		"feedback staff rota delivery van permit tax bakery coffee rye flour price list meeting garden website photos holiday booking Q3 roadmap "+
		"API migration TODO v2.1 don't & (draft) what's new? 50% budget #42 deploy incident summary interview Lisbon Anna Tom"),
	newScript(12, " ", "déjà café crème brûlée naïve Zürich Straße Köln München Łódź żółć česky příští señor mañana niño São João "+
		"coração Ångström smörgåsbord Øresund fjörður İstanbul çalışma Việt phở Nguyễn façade élève hôtel garçon über größe"),
	newScript(6, " ", "Москва поставщик договор аренда кухня отзывы клиент встреча проект бюджет рецепты хлеб Анна Иван Щукин ёлка "+
		"отпуск расписание налог поездка книга заметки Київ їжа"),
	newScript(4, " ", "Αθήνα καφές συνταγή πελάτης προμηθευτής συμβόλαιο κουζίνα ψωμί ταξίδι βιβλίο σημειώσεις Ελένη Γιώργος φόρος "+
		"ώρες άνοιξη"),
	newScript(5, " ", "القاهرة المورد العقد المطبخ خبز قهوة زبون اجتماع مشروع ميزانية سفر كتاب ملاحظات فاطمة أحمد وصفة ضريبة ربيع"),
	newScript(4, " ", "ירושלים ספק חוזה מטבח לחם קפה לקוח פגישה פרויקט תקציב נסיעה ספר הערות דוד שרה מתכון מס אביב"),
	newScript(4, " ", "दिल्ली ग्राहक रसोई रोटी चाय बैठक परियोजना बजट यात्रा किताब टिप्पणी राम सीता कर वसंत हिन्दी"),
	newScript(6, "", "北京 供应商 合同 厨房 面包 咖啡 客户 会议 项目 预算 旅行 书 笔记 王芳 李伟 食谱 税 春天 第二 门店 漢字"),
	newScript(5, "", "東京 仕入先 契約 キッチン パン コーヒー お客様 会議 プロジェクト 予算 旅行 本 メモ 田中 さくら レシピ 税金 春 の ノート"),
	newScript(4, " ", "서울 공급업체 계약 주방 빵 커피 고객 회의 프로젝트 예산 여행 책 메모 김민수 이영희 조리법 세금 봄"),
}

var emoji = strings.Fields("🥐 🚀 📌 ✅ 🇬🇷 👩‍💻 ❤️ 🧾")

// anyScript draws a script by its share.
func anyScript(r *rand.Rand) *script {
	k := r.IntN(100)
	for _, s := range scripts {
		if k -= s.share; k < 0 {
			return s
		}
	}
	return scripts[0]
}

func (s *script) word(r *rand.Rand) string { return s.words[r.IntN(len(s.words))] }

// title draws words of some length: most have up to 40 bytes, few several hundred.
func (s *script) title(r *rand.Rand) string {
	least := 2 + r.IntN(30)
	switch k := r.IntN(500); {
	case k == 0:
		least = 400 + r.IntN(600)
	case k < 8:
		least = 120 + r.IntN(280)
	case k < 40:
		least = 32 + r.IntN(88)
	}
	var title strings.Builder
	if r.IntN(20) == 0 {
		title.WriteString(emoji[r.IntN(len(emoji))] + s.space)
	}
	for title.WriteString(s.word(r)); title.Len() < least; title.WriteString(s.word(r)) {
		title.WriteString(s.space)
	}
	return title.String()
}

// text returns n bytes of text, up to three less where a rune would be cut.
func (s *script) text(r *rand.Rand, n int) string {
	prose := s.prose()
	n = min(n, len(prose))
	from := r.IntN(len(prose) - n + 1)
	for !utf8.RuneStart(prose[from]) {
		from--
	}
	return clip(prose[from:], n)
}
