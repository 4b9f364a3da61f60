// Package members looks at etcd's members from outside: the member list, and
// whether each member answers by itself. It reads only.
package members
