// Package quorumguard carries out what the core of the same name decides (rule R7): it keeps the disruption budget over the
// guard pods, makes and deletes guards, and says what drains wait for.
//
// The order of its writes is part of the rules: the budget is raised before any guard is made or deleted, and lowered only
// after. Raising needs the pass alone, since it only refuses more; before anything else, guards, budget, Nodes, Machines
// and the member list are read live and judged again by the cores, and only what both judgements say is done. It judges
// nothing itself, never evicts, and changes no pod. Only the starter imports it.
package quorumguard
