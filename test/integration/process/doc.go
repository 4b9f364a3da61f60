// Package process runs a real program for a test, and ends it with the test, however that ends. Only tests import it.
package process
