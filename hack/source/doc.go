// Package source reads and type-checks packages of this module, for the tools below hack that derive something from the
// code. It needs the go command and changes nothing. Nothing that ships imports it.
package source
