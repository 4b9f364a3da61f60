// Package oracle judges a recording. It knows the rules from their text and
// shares no code with the operator: a fault in the operator's decisions must not
// be found right because the judge has the same one.
//
// Every claim either holds, is broken, or is not proven. What was not seen proves
// nothing: a recording with gaps never gives "holds".
package oracle
