package view

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/openshift/cluster-etcd-operator/lab/hosts"
	"github.com/openshift/cluster-etcd-operator/lab/members"
	"github.com/openshift/cluster-etcd-operator/lab/plane"
)

func someStatus() plane.Status {
	return plane.Status{
		Phase:          plane.Ready,
		ElapsedSeconds: 20,
		ReadySeconds:   12.3,
		Hosts: []plane.HostStatus{
			{Name: "master-0", Role: hosts.Master, Address: "10.199.0.10", State: hosts.Running, Node: "Ready"},
			{Name: "master-1", Role: hosts.Master, Address: "10.199.0.11", State: hosts.Running, Partitioned: true, Node: "NotReady", Cordoned: true},
		},
		Members: []members.Member{
			{ID: "1", Name: "master-0", Address: "10.199.0.10", Started: true, Leader: true, Healthy: true},
			{ID: "2", Name: "master-1", Address: "10.199.0.11", Started: true, Problem: "no answer\nat all"},
			{ID: "3", Address: "10.199.0.12", Learner: true},
		},
		Machines: []plane.MachineStatus{{Name: "master-1", Role: "master", Phase: "Deleting", Deleting: true, Hooks: []string{"EtcdQuorumOperator"}}},
	}
}

func TestTableShowsHostsMembersWithoutHostAndMachines(t *testing.T) {
	table := Table(someStatus())
	for _, want := range [][]string{
		{"master-0", "running", "Ready", "leader", "healthy"},
		{"master-1", "partitioned", "NotReady, cordoned", "voter", "no answer"},
		{"(10.199.0.12)", "no host", "unstarted"},
		{"master-1", "Deleting", "EtcdQuorumOperator"},
	} {
		if !hasLineWith(table, want) {
			t.Errorf("no line with %q in\n%s", want, table)
		}
	}
	if strings.Contains(table, "at all") {
		t.Errorf("a problem of two lines breaks the table:\n%s", table)
	}
}

func hasLineWith(text string, words []string) bool {
	for line := range strings.Lines(text) {
		all := true
		for _, word := range words {
			all = all && strings.Contains(line, word)
		}
		if all {
			return true
		}
	}
	return false
}

func TestWithoutATerminalOnlyChangesArePrinted(t *testing.T) {
	var out bytes.Buffer
	v := New(&out, false)
	status := someStatus()
	v.Show(status)
	status.ElapsedSeconds++
	v.Show(status)
	if lines := strings.Count(out.String(), "\n"); lines != 1 {
		t.Errorf("%d lines for one state:\n%s", lines, out.String())
	}
	status.Hosts[1].Partitioned = false
	v.Show(status)
	if lines := strings.Count(out.String(), "\n"); lines != 2 {
		t.Errorf("%d lines for two states:\n%s", lines, out.String())
	}
}

func TestOnATerminalTheTableReplacesTheLastOne(t *testing.T) {
	var out bytes.Buffer
	v := New(&out, true)
	v.Show(someStatus())
	height := strings.Count(out.String(), "\n")
	out.Reset()
	v.Show(someStatus())
	if want := "\x1b[" + strconv.Itoa(height) + "A\x1b[J"; !strings.HasPrefix(out.String(), want) {
		t.Errorf("the second table begins with %q, want %q", out.String()[:8], want)
	}
}
