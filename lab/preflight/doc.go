// Package preflight finds out, before anything is started, whether this machine
// can run a lab, and says what is missing in words.
package preflight
