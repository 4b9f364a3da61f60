package member

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatAHostDoesWithItsEtcd(t *testing.T) {
	const own = "10.199.0.13"
	others := []Member{
		{Name: "master-0", PeerURLs: []string{"https://10.199.0.10:2380"}},
		{Name: "master-1", PeerURLs: []string{"https://10.199.0.11:2380"}},
	}
	with := func(m Member) []Member { return append(append([]Member{}, others...), m) }
	joined := "master-0=https://10.199.0.10:2380,master-1=https://10.199.0.11:2380,master-3=https://10.199.0.13:2380"

	for name, test := range map[string]struct {
		members  []Member
		haveData bool
		want     plan
	}{
		"it waits while it is not in the member list": {members: others, want: plan{}},
		"it sets data aside when its member was removed": {
			members: others, haveData: true, want: plan{archive: true},
		},
		"it joins with the member list as its initial cluster once it is listed": {
			members: with(Member{PeerURLs: []string{"https://10.199.0.13:2380"}, IsLearner: true}),
			want:    plan{start: true, initialCluster: joined},
		},
		"it sets data aside that a new entry cannot have written": {
			members:  with(Member{PeerURLs: []string{"https://10.199.0.13:2380"}}),
			haveData: true,
			want:     plan{archive: true},
		},
		"it starts again with its data while it is listed": {
			members:  with(Member{Name: "master-3", PeerURLs: []string{"https://10.199.0.13:2380"}}),
			haveData: true,
			want:     plan{start: true, initialCluster: joined},
		},
		"it leaves out another member that has no name yet": {
			members: append(with(Member{PeerURLs: []string{"https://10.199.0.13:2380"}}),
				Member{PeerURLs: []string{"https://10.199.0.99:2380"}}),
			want: plan{start: true, initialCluster: joined},
		},
		"an address that only begins like its own is not its own": {
			members: with(Member{Name: "x", PeerURLs: []string{"https://10.199.0.130:2380"}}),
			want:    plan{},
		},
		"it finds itself by any of a member's peer URLs": {
			members: with(Member{Name: "master-3", PeerURLs: []string{"https://[fd00::13]:2380", "https://10.199.0.13:2380"}}),
			want: plan{start: true, initialCluster: "master-0=https://10.199.0.10:2380,master-1=https://10.199.0.11:2380," +
				"master-3=https://[fd00::13]:2380,master-3=https://10.199.0.13:2380"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := judge(test.members, own, "master-3", test.haveData)
			if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(plan{})); diff != "" {
				t.Errorf("wrong plan (-want +got):\n%s", diff)
			}
		})
	}
}
