// The program write writes the must-gather of a case, so that `explain` can be tried on it.
package main
