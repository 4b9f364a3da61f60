// Package scenario is the language of scenario files: what a lab is to be put
// through, step by step, and what must hold meanwhile. It reads files and
// compiles their expressions; package player plays them.
package scenario
