// Package passtest holds a Source of passes that a test publishes by hand. Only tests import it.
package passtest
