// Package crash ends the operator after each single write of a replacement, and before it, and starts a new one on what is
// left (rule R10.4): the work must go on, and no write may be made twice over or be missing. etcd is the strict fake in a
// bubble of virtual time; the controllers run as they do in the operator, driven by passes that the test makes.
package crash
