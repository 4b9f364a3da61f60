// Package bindata holds the manifests of the objects that the operator creates
// itself, embedded so that the image and the binary cannot disagree.
//
// # Filling
//
// A manifest holds all that is the same in every cluster. What differs is a
// placeholder in capital letters. The API server refuses such a name, node name
// or minAvailable, so an object that nobody filled is never created by mistake:
//
//	GUARD_NAME      the pod's name, from pkg/quorumguard
//	GUARD_HOSTNAME  its host name, from pkg/quorumguard: a long node name must fit
//	NODE_NAME       the node whose voter the guard stands for
//	NODE_ADDRESS    an internal IP of that node; IPv6 without brackets
//	GUARD_IMAGE     any image that holds bash and sleep; the operator's own does
//	MIN_AVAILABLE   the number of guards that must stay, decided by pkg/quorumguard
//
// They are filled by decoding the manifest and setting the fields, never by
// replacing text: a node's name comes from outside, and as text it could carry
// further YAML with it. MIN_AVAILABLE becomes a number, not a string.
//
// The package decides nothing. Controllers that create the objects import it.
package bindata
