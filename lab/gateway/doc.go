// Package gateway stands between the API server and the etcd cluster that the
// API server itself helps to change: connections go to members that are ready,
// and the members are those of the ConfigMap etcd-endpoints.
//
// A member whose /readyz fails is taken out, and connections to it are cut: a
// stopped process still accepts connections, and the API server would wait on
// it. The last known members are kept on disk for the time before the ConfigMap
// can be read. Bytes pass unread; the API server and etcd speak TLS with each
// other.
package gateway
