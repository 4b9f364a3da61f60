// Package model explores sequences: every order in which the moves of the operator, of Kubernetes, of machines and of
// people can follow each other in a small world, from a cluster that runs well, with a crash of the operator possible
// between any two of its writes. The operator's moves are the real cores, asked right before each write; the world around
// them, and all arithmetic of the checks, is written anew here.
//
// In every state and on every move it checks the invariants of docs/invariants.md, and afterwards, backwards from the
// states in which all is well, that each state with quorum has a way there without another fault. docs/testing.md says
// what is assumed and how to read a trace.
//
// It imports nothing of ours but the cores, the facts and the reasons. Nobody imports this package.
package model
