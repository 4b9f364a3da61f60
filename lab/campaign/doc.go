// Package campaign plays scenarios that nobody wrote: random walks of faults and
// of what people do, bounded so that a majority of the members stays alive and
// that everything can become whole in the end. Each walk is a scenario file like
// any other, made from a seed; one that fails is cut to the shortest beginning that
// still does.
package campaign
