// Package mustgather reads what was collected of a cluster (a must-gather, the output of `oc adm inspect`, or a tar.gz of
// one) into the objects and the reading of etcd that package observe turns into a Snapshot.
//
// Only what decisions need is opened, and of that only the needed fields are parsed: text that is written as oc and kubectl
// write it is cut down before it becomes YAML, so that thousands of worker Nodes cost little. Any other YAML is parsed
// whole, with the same result. Files are untrusted: links that leave the folder are not followed, an archive whose paths
// climb out is refused, sizes are bounded, and nothing is written.
//
// What is missing or unreadable becomes "not read" and a Warning that names the file; it never becomes an empty list.
// The package decides nothing. Subcommands and tests may import it.
package mustgather
