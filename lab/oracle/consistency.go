package oracle

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/openshift/cluster-etcd-operator/lab/history"
)

const (
	// checkTimeout bounds the search for an order of all operations.
	checkTimeout = 2 * time.Minute
	// shareOfLoad is how much of the load that was asked for must have been there.
	shareOfLoad = 5.0 / 6
)

// load: what clients saw.
func (j *judge) load() {
	if j.Start.LoadClients == 0 {
		j.notes = append(j.notes, "there was no load")
		return
	}
	const (
		linear = "reads and writes are linearizable"
		lost   = "no acknowledged write is lost"
	)
	if len(j.Operations) == 0 || len(j.Finals) == 0 {
		why := "nothing was read back in the end"
		if len(j.Operations) == 0 {
			why = "no operation was recorded"
		}
		j.unproven(linear, "", why)
		j.unproven(lost, "", why)
		return
	}
	j.linearizable(linear)
	j.claimOfEnd(lost, "", lostWrites(j.Operations, j.Finals, j.Complete), fmt.Sprintf("%d keys read back", len(j.Finals)))
	j.replicas()
	j.writeGaps()
	j.strength()
}

func (j *judge) linearizable(text string) {
	result, checked, bad := checkLinearizable(j.Operations, j.Finals, checkTimeout)
	switch result {
	case porcupine.Ok:
		j.claimOfEnd(text, "", nil, fmt.Sprintf("%d operations", checked))
	case porcupine.Illegal:
		j.claim(text, "", []fault{faultAt(nil, "no order of the operations on %s explains what was read", bad)}, "")
	default:
		j.unproven(text, "", fmt.Sprintf("the search for an order of the operations on %s took more than %s", bad, checkTimeout))
	}
}

// register is the model: a key holds what was last written.
type registerInput struct {
	write bool
	value string
}

var register = porcupine.Model{
	Init: func() any { return "" },
	Step: func(state, input, output any) (bool, any) {
		in := input.(registerInput)
		if in.write {
			return true, in.value
		}
		return output.(string) == state.(string), state
	},
	Equal: func(a, b any) bool { return a.(string) == b.(string) },
}

// checkLinearizable looks at each key by itself, which decides about all. A write
// whose outcome is unknown may take effect at any time after its call; if nobody
// ever read its value, an order with it exists exactly if one without it does.
// bad is the key that could not be explained, or not in time.
func checkLinearizable(operations []history.Operation, finals []history.Final, timeout time.Duration) (result porcupine.CheckResult, checked int, bad string) {
	read := map[string]bool{}
	for _, o := range operations {
		if o.Kind == history.Get && o.Outcome == history.Acknowledged {
			read[o.Key+"\x00"+o.Value] = true
		}
	}
	for _, f := range finals {
		read[f.Key+"\x00"+f.Value] = true
	}
	perKey := map[string][]porcupine.Operation{}
	add := func(key string, o porcupine.Operation) { perKey[key] = append(perKey[key], o) }
	for _, o := range operations {
		acknowledged := o.Outcome == history.Acknowledged
		entry := porcupine.Operation{ClientId: o.Client, Call: int64(o.Call), Return: int64(o.Return), Output: o.Value}
		switch {
		case o.Kind == history.Put && (acknowledged || read[o.Key+"\x00"+o.Value]):
			entry.Input = registerInput{write: true, value: o.Value}
			if !acknowledged {
				entry.Return = math.MaxInt64
			}
			add(o.Key, entry)
		case o.Kind == history.Get && acknowledged:
			entry.Input = registerInput{}
			add(o.Key, entry)
		}
	}
	for _, f := range finals {
		add(f.Key, porcupine.Operation{Call: int64(f.Call), Return: int64(f.Return), Input: registerInput{}, Output: f.Value})
	}
	began := time.Now()
	for _, key := range sortedKeys(perKey) {
		checked += len(perKey[key])
		left := timeout - time.Since(began)
		if left <= 0 {
			return porcupine.Unknown, checked, key
		}
		if result := porcupine.CheckOperationsTimeout(register, perKey[key], left); result != porcupine.Ok {
			return result, checked, key
		}
	}
	return porcupine.Ok, checked, ""
}

// lostWrites compares what is there with what was acknowledged, by the revisions
// that etcd gave: it needs no search, and finds nothing that is not certain. Only if
// all were read back, a key that was not is lost.
func lostWrites(operations []history.Operation, finals []history.Final, all bool) []fault {
	last, values := map[string]history.Operation{}, map[string]map[string]history.Outcome{}
	for _, o := range operations {
		if o.Kind != history.Put {
			continue
		}
		if values[o.Key] == nil {
			values[o.Key] = map[string]history.Outcome{}
		}
		values[o.Key][o.Value] = o.Outcome
		if o.Outcome == history.Acknowledged && o.Revision > last[o.Key].Revision {
			last[o.Key] = o
		}
	}
	there := map[string]history.Final{}
	for _, f := range finals {
		there[f.Key] = f
	}
	var lost []fault
	for _, key := range sortedKeys(last) {
		write, final := last[key], there[key]
		outcome, written := values[key][final.Value]
		switch {
		case final.Key == "" && !all:
		case final.Key == "":
			lost = append(lost, faultAt(times(write.Return), "%s is not there; %q was acknowledged at %s", key, write.Value, seconds(write.Return)))
		case final.Revision < write.Revision:
			lost = append(lost, faultAt(times(write.Return), "%s is of revision %d; %q was acknowledged at %s with revision %d", key, final.Revision, write.Value, seconds(write.Return), write.Revision))
		case final.Revision == write.Revision && final.Value != write.Value:
			lost = append(lost, faultAt(times(write.Return), "%s holds %q; %q was acknowledged at %s with that very revision", key, final.Value, write.Value, seconds(write.Return)))
		case final.Revision > write.Revision && (!written || outcome == history.Acknowledged):
			lost = append(lost, faultAt(times(write.Return), "%s holds %q of revision %d, which nobody wrote after %q at %s", key, final.Value, final.Revision, write.Value, seconds(write.Return)))
		}
	}
	return lost
}

// replicas: all members hold the same data.
func (j *judge) replicas() {
	const text = "all members hold the same data"
	var faults []fault
	compared := 0
	for i, hash := range j.Hashes {
		if hash.Error != "" {
			j.unproven(text, "", fmt.Sprintf("%s gave no digest: %s", hash.Member, hash.Error))
			return
		}
		for _, other := range j.Hashes[:i] {
			if other.Revision != hash.Revision || other.Compact != hash.Compact {
				continue
			}
			compared++
			if other.Hash != hash.Hash {
				faults = append(faults, faultAt(nil, "%s and %s differ at revision %d", other.Member, hash.Member, hash.Revision))
			}
		}
	}
	if compared == 0 {
		j.unproven(text, "", "no two digests are of the same data")
		return
	}
	j.claimOfEnd(text, "", faults, fmt.Sprintf("%d members", len(j.Hashes)))
}

// acknowledgements returns when writes were acknowledged, in order.
func (j *judge) acknowledgements() []time.Duration {
	var times []time.Duration
	for _, o := range j.Operations {
		if o.Kind == history.Put && o.Outcome == history.Acknowledged {
			times = append(times, o.Return)
		}
	}
	slices.Sort(times)
	return times
}

func (j *judge) writeGaps() {
	text := "writes go on"
	longest, from, last := time.Duration(0), j.Load.From, j.Load.From
	for _, at := range append(j.acknowledgements(), j.Load.To) {
		if at-last > longest {
			longest, from = at-last, last
		}
		last = max(last, at)
	}
	evidence := fmt.Sprintf("longest time without an acknowledged write: %.2f s, from %s on", longest.Seconds(), seconds(from))
	var faults []fault
	if limit := j.Start.MaxWriteGap; limit > 0 && longest > limit {
		faults = append(faults, faultAt(times(from), "%s, allowed are %s", evidence, limit))
	}
	j.claim(text, "", faults, evidence)
}

// strength: a load that was hardly there proves little.
func (j *judge) strength() {
	const text = "the load was as strong as asked"
	span := j.Load.To - j.Load.From
	perSecond := make([]int, int(span/time.Second))
	for _, at := range j.acknowledgements() {
		if second := int((at - j.Load.From) / time.Second); second >= 0 && second < len(perSecond) {
			perSecond[second]++
		}
	}
	members, clients := map[string]bool{}, map[int]bool{}
	for _, o := range j.Operations {
		members[o.Member] = true
		clients[o.Client] = true
	}
	median := 0
	if len(perSecond) > 0 {
		sort.Ints(perSecond)
		median = perSecond[len(perSecond)/2]
	}
	evidence := fmt.Sprintf("%d acknowledged writes per second (median) from %d clients through %d members, %d asked", median, len(clients), len(members), j.Start.LoadWrites)
	if float64(median) < shareOfLoad*float64(j.Start.LoadWrites) || len(clients) < j.Start.LoadClients {
		j.strained(text, evidence)
		return
	}
	j.claim(text, "", nil, evidence)
}
