// Package architecture keeps the lines between our packages: it reads what
// `go list` says about the module and reports every edge that a rule forbids,
// with the reason for the rule.
//
// The rules are data, in rules.go. Nobody imports this package.
package architecture
