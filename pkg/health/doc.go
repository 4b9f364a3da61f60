// Package health tells whether work is stuck: a pass or a controller's sync that began and has not ended for minutes. Only
// then does a restart help. Errors, however many, are not its business: conditions tell those, and a restart would only
// lose the observations that waits are counted from (rule R10.4).
//
// A process that does not lead does nothing, and is healthy. The package knows no decision and writes nothing; the
// command serves it as part of /healthz. A metric that cannot be read is no sign of stuck work.
package health
