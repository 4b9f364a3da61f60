// Package view prints how a lab is: a table that redraws itself on a terminal,
// and lines that say what changed elsewhere.
package view
