// Package rulebook reads docs/rules.md: which rules there are, and which packages keep each. The tools below hack check
// code and documents against it. Nothing that ships imports it.
package rulebook
