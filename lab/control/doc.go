// Package control is how commands reach a running lab: a socket in the abstract
// namespace of Unix sockets, which leaves no file behind and of which there is
// one per user. Holding it is what makes a lab the only one.
//
// A connection carries one Request, as a line of JSON, to which files may be
// attached, and any number of Replies.
package control
