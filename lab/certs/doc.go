// Package certs makes the certificates of the lab. Keys are on the P-256 curve,
// because making dozens of RSA keys would take longer than starting the lab.
package certs
