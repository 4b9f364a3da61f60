// Package history is the recording of a run: JSON lines that one process writes
// while a scenario is played, and that the oracle reads afterwards. Every line
// is numbered and the last one says how many there are, so that what is missing
// is noticed: a judge that does not know what happened for a while cannot say
// that all was well.
package history
