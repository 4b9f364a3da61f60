// Command gendocs writes docs/reasons.md from the table of package reason and from the places in the cores and the
// controllers that cite a rule together with a Reason. With --check it writes nothing and fails when the file is not what it would write.
//
// Both ways it fails when the code and the written documents disagree: a Reason that neither a core nor a controller uses, a rule that the code
// cites and docs/rules.md does not have, a function or test in docs/invariants.md that is not in the tree, a record of a
// decision that docs/adr/README.md does not list.
package main
