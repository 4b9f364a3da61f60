package mustgather_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/mustgather"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// edit is a change of a file: before, which must be there, becomes after.
type edit struct{ file, before, after string }

func edited(t *testing.T, edits ...edit) *mustgather.Gathered {
	t.Helper()
	return gather(t, func(files map[string]string) {
		for _, e := range edits {
			replaced(t, files, e.file, e.before, e.after)
		}
	})
}

// Cluster c1 has the members a, b and c.
var (
	memberA  = `{"ID":10,"clientURLs":["https://192.0.2.10:2379"],"name":"node-a","peerURLs":["https://192.0.2.10:2380"]},`
	learnerA = edit{members, `"ID":10,`, `"ID":10,"isLearner":true,`}
	// says is what each of them says of itself behind its leader.
	says = `"leader":10,`
)

func TestAMemberListThatAnotherFileContradictsIsUnknown(t *testing.T) {
	for name, test := range map[string]struct {
		edits []edit
		words string
		file  string
	}{
		"a member that answers is not listed":    {[]edit{{members, memberA, ""}}, "member a of this cluster answered", status},
		"a member names a leader that is not":    {[]edit{{status, says, `"leader":153,`}}, "whose leader is 99", status},
		"a member that answers has not started":  {[]edit{{members, `"clientURLs":["https://192.0.2.10:2379"],"name":"node-a",`, ""}}, "which has not started", status},
		"a learner says that it votes":           {[]edit{learnerA}, "which says that it votes", status},
		"a learner serves what none serves":      {[]edit{learnerA, {status, says, says + `"isLearner":true,`}}, "no learner serves", health},
		"a learner serves it, and has an alarm":  {[]edit{learnerA, {status, says, says + `"isLearner":true,`}, {health, `"health":true`, `"health":false,"error":"Active Alarm(s): NOSPACE "`}}, "no learner serves", health},
		"a learner serves it, and reads no more": {[]edit{learnerA, {status, says, says + `"isLearner":true,`}, {health, `"health":true`, `"health":false,"error":"Unable to fetch the alarm list"`}}, "no learner serves", health},
	} {
		t.Run(name, func(t *testing.T) {
			g := edited(t, test.edits...)
			if g.Etcd.MemberList != snapshot.Unknown || len(g.Etcd.Members) > 0 {
				t.Errorf("the list is %v: %v", g.Etcd.MemberList, g.Etcd.Members)
			}
			if !warned(g, mustgather.FilesContradict, test.file, members, test.words) {
				t.Errorf("warnings: %v", g.Warnings)
			}
			if g.Unread["member_list.json"] == "" {
				t.Error("nothing says that the list is not known")
			}
		})
	}
}

func TestAMemberThatKnowsNoLeaderContradictsNoList(t *testing.T) {
	if g := edited(t, edit{status, says, `"leader":0,`}); !g.Etcd.MemberList.Holds() || len(g.Warnings) > 0 {
		t.Errorf("the list is %v, warnings: %v", g.Etcd.MemberList, g.Warnings)
	}
}

func TestTwoMembersWithOnePeerURLAreNoMemberList(t *testing.T) {
	for _, url := range []string{"https://192.0.2.10:2380", "https://[::ffff:192.0.2.10]:2380"} {
		g := edited(t, edit{members, "https://192.0.2.11:2380", url})
		if g.Etcd.MemberList != snapshot.Unknown || !warned(g, mustgather.FileUnreadable, members, url, "members a and b") {
			t.Errorf("%s: the list is %v, warnings: %v", url, g.Etcd.MemberList, g.Warnings)
		}
	}
}

func TestAVoterThatIsALearnerElsewhereIsUnknown(t *testing.T) {
	row := `[{"endpoint":"https://192.0.2.10:2379","health":false,"error":"etcdserver: rpc not supported for learner"},`
	for name, change := range map[string]edit{
		"it says so itself":                      {status, says, says + `"isLearner":true,`},
		"it refuses a read, and serves it later": {health, "[", row},
		"it serves a read, and refuses it later": {health, "]", "," + row[1:len(row)-1] + "]"},
	} {
		t.Run(name, func(t *testing.T) {
			g := edited(t, change)
			if p := g.Etcd.Probes[0]; p.Served != snapshot.Unknown || p.CannotServe != snapshot.Unknown || p.Status != nil {
				t.Errorf("probe %+v", p)
			}
			if p := g.Etcd.Probes[1]; !p.Served.Holds() {
				t.Errorf("another member: %+v", p)
			}
			if !warned(g, mustgather.FilesContradict, change.file, members, "a learner answered") {
				t.Errorf("warnings: %v", g.Warnings)
			}
		})
	}
}

func TestAnAlarmOfATypeThatNobodyKnows(t *testing.T) {
	const unknown, no, yes = snapshot.Unknown, snapshot.False, snapshot.True
	for name, test := range map[string]struct {
		alarms string
		want   [3]snapshot.Fact
	}{
		"of one member":          {`{"memberID":10,"alarm":7}`, [3]snapshot.Fact{unknown, no, no}},
		"of no type":             {`{"memberID":10}`, [3]snapshot.Fact{unknown, no, no}},
		"of nobody":              {`{"alarm":7}`, [3]snapshot.Fact{unknown, unknown, unknown}},
		"by a name":              {`{"memberID":10,"alarm":"QUIET"}`, [3]snapshot.Fact{unknown, unknown, unknown}},
		"of one that is corrupt": {`{"memberID":10,"alarm":2},{"memberID":10,"alarm":7}`, [3]snapshot.Fact{yes, no, no}},
		"before it is corrupt":   {`{"memberID":10,"alarm":7},{"memberID":10,"alarm":2}`, [3]snapshot.Fact{yes, no, no}},
	} {
		t.Run(name, func(t *testing.T) {
			g := gather(t, func(files map[string]string) {
				files[alarms] = fmt.Sprintf(`{"header":{"cluster_id":%d},"alarms":[%s]}`, clusterID, test.alarms)
			})
			for i, p := range g.Etcd.Probes {
				if p.Corrupt != test.want[i] {
					t.Errorf("member %s: corrupt %v, want %v", p.Member, p.Corrupt, test.want[i])
				}
			}
			if !warned(g, mustgather.FileUnreadable, alarms) {
				t.Errorf("warnings: %v", g.Warnings)
			}
		})
	}
}

func TestAMarkOfByteOrderIsReadOrNamed(t *testing.T) {
	if g := edited(t, edit{members, "{", "\ufeff{"}); !g.Etcd.MemberList.Holds() || len(g.Warnings) > 0 {
		t.Errorf("UTF-8: the list is %v, warnings: %v", g.Etcd.MemberList, g.Warnings)
	}
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		g := gather(t, func(files map[string]string) {
			files[members], files[nodeA] = mark+files[members], mark+files[nodeA]
		})
		if g.Etcd.MemberList.Holds() || !warned(g, mustgather.FileUnreadable, members, "it is not UTF-8") || !warned(g, mustgather.FileUnreadable, nodeA, "it is not UTF-8") {
			t.Errorf("UTF-16: the list is %v, warnings: %v", g.Etcd.MemberList, g.Warnings)
		}
	}
}

func TestAByteBehindAPackedArchiveIsNoMissingEnd(t *testing.T) {
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	archive := tar.NewWriter(zip)
	name := "image/" + alarms
	if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: 2, Typeflag: tar.TypeReg}); err != nil {
		t.Fatal(err)
	}
	if _, err := archive.Write([]byte("{}")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(archive.Close(), zip.Close()); err != nil {
		t.Fatal(err)
	}
	for behind, want := range map[string]string{"": "", "x": "behind its end", "\x1f": "behind its end"} {
		file := filepath.Join(t.TempDir(), "all.tar.gz")
		if err := os.WriteFile(file, append(packed.Bytes(), behind...), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := mustgather.Read(file)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", behind, err)
		}
	}
}

// TestAMemberWithoutARowOfHealthIsUnknownAndNamed: etcdctl takes its endpoints from a pod that may be older than a member.
func TestAMemberWithoutARowOfHealthIsUnknownAndNamed(t *testing.T) {
	for name, endpoint := range map[string]string{"no row": "", "a row of somewhere else": `{"endpoint":"https://localhost:2379","health":true},`} {
		t.Run(name, func(t *testing.T) {
			g := gather(t, func(files map[string]string) {
				files[health] = `[` + endpoint + `{"endpoint":"https://192.0.2.11:2379","health":true},{"endpoint":"https://192.0.2.12:2379","health":true}]`
			})
			if p := g.Etcd.Probes[0]; p.Served != snapshot.Unknown || p.Error != "no row in endpoint_health.json" {
				t.Errorf("probe %+v", p)
			}
			if p := g.Etcd.Probes[1]; !p.Served.Holds() || p.Error != "" {
				t.Errorf("another member: %+v", p)
			}
			if !warned(g, mustgather.FileMissing, health, "has no row of node-a") {
				t.Errorf("warnings: %v", g.Warnings)
			}
			if len(g.NotAsked) != 1 || !strings.Contains(g.NotAsked[10], "node-a") {
				t.Errorf("not asked: %v", g.NotAsked)
			}
		})
	}
}

func TestAMemberThatHasNotStartedNeedsNoRowOfHealth(t *testing.T) {
	g := gather(t, func(files map[string]string) {
		replaced(t, files, members, `"clientURLs":["https://192.0.2.10:2379"],"name":"node-a",`, "")
		delete(files, "etcd_info/endpoint_status.json")
		files[health] = `[{"endpoint":"https://192.0.2.11:2379","health":true},{"endpoint":"https://192.0.2.12:2379","health":true}]`
	})
	if len(g.NotAsked) > 0 || g.Etcd.Probes[0].Error != "" {
		t.Errorf("not asked: %v, probe %+v", g.NotAsked, g.Etcd.Probes[0])
	}
}

func TestAnEmptyMemberListSaysWhatEtcdctlEndedIn(t *testing.T) {
	const expired = "x509: certificate has expired"
	g := gather(t, func(files map[string]string) {
		files[members] = ""
		files[health] = `[{"endpoint":"https://192.0.2.10:2379","health":true},{"endpoint":"https://192.0.2.11:2379","health":false,"error":"` + expired + `"},` +
			`{"endpoint":"https://192.0.2.12:2379","health":false,"error":"another"}]`
	})
	if !warned(g, mustgather.FileUnreadable, members, "empty, since etcdctl failed") {
		t.Errorf("warnings: %v", g.Warnings)
	}
	if why := g.Unread["member_list.json"]; !strings.Contains(why, health+" says of https://192.0.2.11:2379: "+expired) || strings.Contains(why, "another") {
		t.Errorf("unread: %q", why)
	}
}
