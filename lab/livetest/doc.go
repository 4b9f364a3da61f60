// Package livetest tests the command etcdlab as a person uses it: it builds it,
// brings a lab up, looks at it from inside and outside, harms it and kills it.
// Everything it tests is a real program; it needs what the lab needs.
package livetest
