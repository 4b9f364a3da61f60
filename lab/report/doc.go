// Package report makes a picture of a recording that explains itself: what was
// played, what every host, member, Machine and guard was at every moment, what the
// operator decided and why, how clients fared, and which claims of the verdict do
// not hold, where and when.
//
// Build turns a recording and its verdict into a Report; everything that is shown
// comes out of that one value, as report.json for programs and as report.html, one
// file without scripts, fonts, pictures or style sheets from elsewhere, for people.
//
// Names, messages and sentences of a recording are data: the page escapes all of
// them, and so may hold whatever a scenario or an object was called.
package report
