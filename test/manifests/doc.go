// Package manifests reads every file that the cluster version operator would
// apply from manifests/ and tests what it relies on. Nobody imports it.
package manifests
