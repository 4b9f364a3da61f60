// Command mutate breaks the decisions in small ways, one at a time, and sees whether a test notices.
//
// What it breaks follows from the code: every condition, operand, comparison, question about a Fact, number, loop and
// statement of the cores and of the derived facts, each under the rule that the code cites there. All mutants of a
// package are woven into one variant of it, in which an environment variable picks the one that is active; the variant is
// compiled through an overlay, so that nothing in the tree changes and each test binary is built once.
//
// The tests are asked cheapest first: those of the package itself, those of the other packages that use it, the
// enumeration of small worlds, the model. A mutant that all of them accept is a survivor and fails the run, unless
// hack/mutate/equivalent.txt says why nobody could tell it from the original. The result is a table in docs/testing.md;
// --check, which runs no test, fails when that table is not about the present list of mutants.
package main
