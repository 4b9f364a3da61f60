// Package operator puts the parts of the operator together and runs them while this process holds the lease: clients, the
// one observer and its loop of passes, the controllers (one package each below this one), status, metrics.
//
// It wires and decides nothing. Only pkg/cmd/operator imports it, and only it imports the controllers.
package operator
