// Package selftest breaks the operator, one rule at a time, to see that the
// scenarios notice. Its table says for each scenario which lines are replaced by
// which, and what the verdict must find broken. A broken operator is built with an
// overlay over the sources: nothing of it is in any file that is shipped.
package selftest
