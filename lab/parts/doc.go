// Package parts builds the programs that the lab runs, and collects the CRDs
// and manifests that it applies, into one folder. A part is built again only
// when its sources or the versions it depends on have changed.
package parts
