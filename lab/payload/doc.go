// Package payload puts into the cluster what the installer and the cluster
// version operator would: the OpenShift CRDs, this operator's manifests, the
// feature gates of the release, and the few objects that the operator reads.
// It is a stand-in: objects are created once and not watched over.
package payload
