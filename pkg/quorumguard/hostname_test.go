package quorumguard_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

var (
	dnsLabel     = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	dnsSubdomain = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)
)

// names returns node names that are hard to put into 63 characters, each of them a valid name of a Node.
func names() []snapshot.NodeName {
	label := func(length int) string { return strings.Repeat("n", length) }
	dashes := strings.Repeat("a-", 120)
	all := []string{
		"node-a", "a", "1", "node.example.com", "node-example-com", "node-example.com",
		label(51), label(52), label(53), label(63),
		label(52) + ".x", label(51) + ".x", label(50) + "-x", label(49) + "--x",
		// One of each two is cut right behind a dash or a dot.
		dashes + "b", "b" + dashes + "b", strings.Repeat("a.", 120) + "b", "b" + strings.Repeat("a.", 120) + "b",
		strings.Repeat("a.", 126) + "b", "b" + strings.Repeat("a.", 125) + "bb",
		// They differ in their last character, beyond every cut.
		label(63) + "." + label(63) + "." + label(63) + "." + label(60) + "a",
		label(63) + "." + label(63) + "." + label(63) + "." + label(60) + "b",
		label(63) + "." + label(63) + "." + label(50),
	}
	var valid []snapshot.NodeName
	for _, name := range all {
		valid = append(valid, snapshot.NodeName(name))
	}
	return valid
}

// Rule R7.6.
func TestHostNamesAreValidAndUnique(t *testing.T) {
	host, pod := map[string]snapshot.NodeName{}, map[string]snapshot.NodeName{}
	longest := 0
	for _, name := range names() {
		longest = max(longest, len(name))
		if len(name) > 253 || !dnsSubdomain.MatchString(string(name)) {
			t.Fatalf("%q is no name of a Node", name)
		}
		h := quorumguard.HostName(name)
		if len(h) > 63 || !dnsLabel.MatchString(h) {
			t.Errorf("host name of %q is no DNS label: %q (%d characters)", name, h, len(h))
		}
		if other, taken := host[h]; taken {
			t.Errorf("%q and %q have host name %q", other, name, h)
		}
		host[h] = name
		if again := quorumguard.HostName(name); again != h {
			t.Errorf("host name of %q is %q, then %q", name, h, again)
		}

		p := quorumguard.PodName(name)
		if len(p) > 253 || !dnsSubdomain.MatchString(p) {
			t.Errorf("pod name of %q is no object name: %q (%d characters)", name, p, len(p))
		}
		if other, taken := pod[p]; taken {
			t.Errorf("%q and %q have pod name %q", other, name, p)
		}
		pod[p] = name
	}
	if longest != 253 {
		t.Errorf("the longest name has %d characters, want 253", longest)
	}
}

func TestNamesThatFitAreLeftAlone(t *testing.T) {
	for _, tc := range []struct {
		name      string
		node      snapshot.NodeName
		host, pod string
	}{
		{"a short name stays", "node-a", "etcd-guard-node-a", "etcd-guard-node-a"},
		{
			"a host name of exactly 63 characters stays", snapshot.NodeName(strings.Repeat("n", 52)),
			"etcd-guard-" + strings.Repeat("n", 52), "etcd-guard-" + strings.Repeat("n", 52),
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := quorumguard.HostName(tc.node); got != tc.host {
				t.Errorf("host name %q, want %q", got, tc.host)
			}
			if got := quorumguard.PodName(tc.node); got != tc.pod {
				t.Errorf("pod name %q, want %q", got, tc.pod)
			}
		})
	}
}

// The pod's name is what drains, scripts and people know; it is etcd-guard-<node> wherever an object name can be so long.
func TestPodNamesKeepTheWholeNodeName(t *testing.T) {
	longest := snapshot.NodeName(strings.Repeat("n", 242))
	for _, node := range []snapshot.NodeName{"node.example.com", longest} {
		if got, want := quorumguard.PodName(node), "etcd-guard-"+string(node); got != want {
			t.Errorf("pod name %q, want %q", got, want)
		}
	}
	if got := quorumguard.PodName(longest + "n"); len(got) > 253 || !strings.HasPrefix(got, "etcd-guard-nnn") {
		t.Errorf("pod name of 243 characters: %q (%d)", got, len(got))
	}
}

// A release that named its guards in another way would find every one of them outdated and make it anew.
func TestNamesStayTheSameAcrossReleases(t *testing.T) {
	n := func(length int) string { return strings.Repeat("n", length) }
	for got, want := range map[string]string{
		// The digits are the first ten of the SHA-256 sum of etcd-guard-<node>.
		quorumguard.HostName("node.example.com"):       "etcd-guard-node-example-com-55e2281c26",
		quorumguard.HostName(snapshot.NodeName(n(53))): "etcd-guard-" + n(41) + "-1ddba197d5",
		quorumguard.PodName(snapshot.NodeName(n(243))): "etcd-guard-" + n(231) + "-e5ef50f6fa",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestHostNamesOfDottedNamesDifferFromDashedOnes(t *testing.T) {
	dotted, dashed := quorumguard.HostName("node.example.com"), quorumguard.HostName("node-example-com")
	if dashed != "etcd-guard-node-example-com" {
		t.Errorf("dashed: %q", dashed)
	}
	if !strings.HasPrefix(dotted, "etcd-guard-node-example-com-") {
		t.Errorf("dotted: %q does not show the node's name", dotted)
	}
}
