// The binary labmachines runs the Machine API's own controllers (machine, drain,
// nodelink, machine set and health check, from machine-api-operator) with the
// lab as their cloud: package provider creates and deletes hosts.
//
// It is a module of its own because those controllers depend on much that the
// lab does not.
package main
