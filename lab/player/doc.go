// Package player plays a scenario inside a running lab: it makes the load, takes
// the steps, watches, and writes the recording. It is a process of its own, so
// that what it does to the lab cannot stop the lab, and it judges nothing but
// what the scenario itself asks: see package oracle for the verdict.
package player
