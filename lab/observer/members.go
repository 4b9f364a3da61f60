package observer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
	"github.com/openshift/cluster-etcd-operator/lab/member"
)

// answer is what one member said.
type answer struct {
	address string
	// members is its own member list, nil if it did not answer.
	members []*etcdserverpb.Member
	id      uint64
	leader  uint64
	learner bool
	applied uint64
	// problem is empty if it is healthy.
	problem string
}

// askMembers asks everybody at once; who does not answer costs the others
// nothing but the time that ctx gives.
func (o *Observer) askMembers(ctx context.Context) []answer {
	answers := make([]answer, len(o.addresses))
	var asked sync.WaitGroup
	for i, address := range o.addresses {
		asked.Go(func() { answers[i] = o.askMember(ctx, address) })
	}
	asked.Wait()
	return answers
}

func (o *Observer) askMember(ctx context.Context, address string) answer {
	a := answer{address: address}
	client, err := o.settings.Etcd.Client(address)
	if err != nil {
		a.problem = err.Error()
		return a
	}
	// What it knows itself, without the others: that can be asked without quorum.
	status, err := client.Status(ctx, member.ClientURL(address))
	if err != nil {
		a.problem = err.Error()
		return a
	}
	a.id, a.leader, a.learner, a.applied = status.Header.MemberId, status.Leader, status.IsLearner, status.RaftAppliedIndex
	var options []clientv3.OpOption
	if a.learner {
		// It answers nothing but reads of its own data, and no member list.
		options = append(options, clientv3.WithSerializable())
	} else {
		list, err := client.MemberList(ctx, clientv3.WithSerializable())
		if err != nil {
			a.problem = err.Error()
			return a
		}
		a.members = list.Members
	}
	if _, err := client.Get(ctx, "health", options...); err != nil {
		a.problem = err.Error()
	}
	return a
}

// compose makes the member part of f from the answers. The list of the member
// that has applied most is the newest.
func compose(f *facts.Facts, answers []answer) {
	newest := -1
	for i, a := range answers {
		if a.members == nil {
			continue
		}
		f.Lists = append(f.Lists, listOf(a))
		if newest < 0 || a.applied > answers[newest].applied {
			newest = i
		}
	}
	if newest < 0 {
		f.MembersProblem = "no member answered"
		return
	}
	for _, entry := range answers[newest].members {
		f.Members = append(f.Members, memberOf(entry, answers))
	}
	slices.SortFunc(f.Members, func(a, b facts.Member) int { return strings.Compare(a.Name+a.Address, b.Name+b.Address) })
}

func listOf(a answer) facts.List {
	list := facts.List{From: a.address, Applied: a.applied}
	for _, entry := range a.members {
		if id := fmt.Sprintf("%x", entry.ID); entry.IsLearner {
			list.Learners = append(list.Learners, id)
		} else {
			list.Voters = append(list.Voters, id)
		}
	}
	slices.Sort(list.Voters)
	slices.Sort(list.Learners)
	return list
}

func memberOf(entry *etcdserverpb.Member, answers []answer) facts.Member {
	m := facts.Member{
		ID: fmt.Sprintf("%x", entry.ID), Name: entry.Name, Started: entry.Name != "",
		Learner: entry.IsLearner, Voter: !entry.IsLearner, Problem: "not asked",
	}
	if len(entry.PeerURLs) > 0 {
		m.Address = facts.HostOf(entry.PeerURLs[0])
	}
	for _, a := range answers {
		if a.address != m.Address {
			continue
		}
		m.Problem, m.Applied = a.problem, a.applied
		// An address may answer for another member than the list's.
		m.Healthy = a.problem == "" && a.id == entry.ID
		m.Leader = m.Healthy && a.leader == entry.ID
	}
	return m
}
