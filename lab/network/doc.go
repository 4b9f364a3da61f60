// Package network wires the hosts of the lab together: one bridge in the lab's
// own network namespace and one pair of virtual interfaces per host. The
// network of the machine that the lab runs on is never touched: everything here
// happens in namespaces that the lab made.
package network
