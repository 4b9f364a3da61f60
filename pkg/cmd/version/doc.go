// Package version is the subcommand that tells which build a binary is. It
// reads nothing but what the linker put into it, so it works in a container
// that has neither cluster nor configuration.
package version
