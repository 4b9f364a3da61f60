// Package provider is the lab as a cloud: the actuator that the Machine API's
// machine controller calls to create and delete what is behind a Machine. It
// asks the lab over its control socket and keeps no state.
package provider
