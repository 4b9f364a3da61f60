// Package explain holds the situations of docs and rules as must-gathers, and what `explain` must say about each.
//
// A case is a folder of test/testdata/explain: world.txt describes the cluster in a few lines, expect.yaml says what the
// rules want (written by hand, from the rules), golden.txt is the whole text. The must-gather of a case is made from its
// world when the test runs. Situations that are no state have no case: what another order of the facts changes (S7),
// what happens between judging and writing (H11), and how an observer behaves (V1 to V3). `go run ./test/explain/write S1 FOLDER` writes it to look at.
package explain
