package explain

import (
	"strings"
	"unicode"
)

// wide are the characters that terminals give two columns: the scripts of East Asia, full-width forms, and pictures. Where
// terminals differ the larger width is taken, since a line that is too short does no harm.
var wide = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo, unicode.Yi,
	{
		R16: []unicode.Range16{{0x231a, 0x231b, 1}, {0x23e9, 0x23f3, 1}, {0x2600, 0x27bf, 1}, {0x2b1b, 0x2b55, 1}, {0x3000, 0x303e, 1}, {0x3190, 0x33ff, 1}, {0xfe30, 0xfe6b, 1}, {0xff01, 0xff60, 1}, {0xffe0, 0xffe6, 1}},
		R32: []unicode.Range32{{0x16fe0, 0x18dff, 1}, {0x1f000, 0x1faff, 1}},
	},
}

// columnsOf returns how many columns of a terminal a character takes.
func columnsOf(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.In(r, wide...):
		return 2
	default:
		return 1
	}
}

func columns(s string) int {
	n := 0
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
}

// fitting returns how many bytes of a word that is wider than some columns stay in front of a break: as many parts of a path
// as fit, or else as many characters.
func fitting(word string, width int) int {
	used, cut := 0, len(word)
	for i, r := range word {
		if used += columnsOf(r); used > width {
			cut = i
			break
		}
	}
	if slash := strings.LastIndexByte(word[:cut], '/'); slash > 0 && cut < len(word) {
		return slash + 1
	}
	return max(cut, 1)
}
