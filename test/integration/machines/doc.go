// Package machines tests, on a real API server, what becomes of hooks, disruption budgets and guards: what the controllers
// write, and what the API server and the disruption controller then let others do.
package machines
