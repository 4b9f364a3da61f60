// Package observer looks at a lab again and again from inside: it asks every
// member and the API server, makes Facts of the answers, and hands each look to
// whoever wants it. It changes nothing.
package observer
