// Package lease tells whether this process leads at this moment, by reading the Lease of leader election live.
//
// A process that was paused, or whose clock or network stood still, may believe that it leads long after another one has
// taken over; leader election finds that out only when it renews next. Whoever changes etcd's member list asks here right
// before (rule R10.2). The package never writes the Lease. Controllers get it from the starter as a function.
package lease
