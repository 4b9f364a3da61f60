package mustgather

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

// What etcdctl writes with -w json. Ids are JSON numbers of 64 bits, so they are decoded into integers of that size and
// never pass through a float.
type (
	header struct {
		ClusterID uint64 `json:"cluster_id"`
		MemberID  uint64 `json:"member_id"`
	}
	memberList struct {
		Header  header `json:"header"`
		Members []struct {
			ID         uint64   `json:"ID"`
			Name       string   `json:"name"`
			PeerURLs   []string `json:"peerURLs"`
			ClientURLs []string `json:"clientURLs"`
			Learner    bool     `json:"isLearner"`
		} `json:"members"`
	}
	endpointHealth struct {
		Endpoint string `json:"endpoint"`
		Health   *bool  `json:"health"`
		Error    string `json:"error"`
	}
	endpointStatus struct {
		Endpoint string `json:"Endpoint"`
		Status   struct {
			Header       header `json:"header"`
			Version      string `json:"version"`
			DBSize       int64  `json:"dbSize"`
			Leader       uint64 `json:"leader"`
			AppliedIndex uint64 `json:"raftAppliedIndex"`
			// Learner is left out when it is false.
			Learner bool `json:"isLearner"`
		} `json:"Status"`
	}
	alarmList struct {
		Header header `json:"header"`
		Alarms []struct {
			MemberID uint64 `json:"memberID"`
			Alarm    int    `json:"alarm"`
		} `json:"alarms"`
	}
)

// Kinds of alarms in etcd's API.
const (
	alarmNoSpace = 1
	alarmCorrupt = 2
)

// What etcdctl's endpoint health says of endpoints that served its read all the same.
const (
	// It reads linearizably, which no learner serves.
	learnerRefuses = "rpc not supported for learner"
	// With an alarm anywhere, each endpoint is reported as not healthy.
	activeAlarms = "Active Alarm(s)"
	// It asks for the alarms only after its read was served.
	alarmsUnread = "Unable to fetch the alarm list"
	// etcdServer starts each error that an endpoint itself answered.
	etcdServer = "etcdserver: "
)

// etcd turns the files of etcd_info into one reading.
func (g *gathering) etcd() observe.Etcd {
	var (
		reading observe.Etcd
		list    memberList
	)
	if !g.readInfo(memberListFile, &list, func() error { return list.check() }) {
		g.probeError = g.firstProbeError()
		return reading
	}
	reading.MemberList, reading.ClusterID = snapshot.True, list.Header.ClusterID
	told := &telling{
		clusterID: list.Header.ClusterID, members: map[snapshot.MemberID]observe.Member{}, endpoints: map[string]snapshot.MemberID{},
		probes: map[snapshot.MemberID]*observe.Probe{}, learners: map[snapshot.MemberID]bool{},
	}
	for _, m := range list.Members {
		id := snapshot.MemberID(m.ID)
		member := observe.Member{ID: id, Name: m.Name, PeerURLs: m.PeerURLs, ClientURLs: m.ClientURLs, Learner: m.Learner}
		reading.Members = append(reading.Members, member)
		told.members[id], told.probes[id] = member, &observe.Probe{Member: id}
		for _, u := range m.ClientURLs {
			if other, taken := told.endpoints[host(u)]; taken && other != id {
				// Whoever answers there may be either.
				id = 0
			}
			told.endpoints[host(u)] = id
		}
	}
	g.readStatus(told)
	g.readHealth(told)
	if told.listContradicted {
		// Who votes is in doubt, and with it every count of voters.
		g.infoRead[memberListFile] = false
		return observe.Etcd{}
	}
	g.readAlarms(told.clusterID, told.probes)
	for _, m := range reading.Members {
		reading.Probes = append(reading.Probes, *told.probes[m.ID])
	}
	return reading
}

// firstProbeError is a clause about the first error in endpoint_health.json: without a member list, it is what tells best
// why etcdctl failed.
func (g *gathering) firstProbeError() string {
	var rows []endpointHealth
	if g.readInfo(endpointHealthFile, &rows, nil) {
		for _, row := range rows {
			if row.Error != "" {
				return fmt.Sprintf("; %s says of %s: %s", endpointHealthFile, row.Endpoint, row.Error)
			}
		}
	}
	return ""
}

// telling is what the other files of etcd_info say about the members of the list.
type telling struct {
	clusterID uint64
	members   map[snapshot.MemberID]observe.Member
	// endpoints are the members by the addresses of their client URLs; 0 where it may be anybody.
	endpoints map[string]snapshot.MemberID
	probes    map[snapshot.MemberID]*observe.Probe
	// learners are the voters of the list that are learners as another file has it: nothing that they say counts.
	learners map[snapshot.MemberID]bool
	// listContradicted: another file tells of a voter or member that the list does not have.
	listContradicted bool
}

// contradictList says that the member list does not have what another file tells of.
func (g *gathering) contradictList(t *telling, file, what string) {
	t.listContradicted = true
	g.warn(FilesContradict, fmt.Sprintf("%s: %s: the member list counts as unknown", file, what))
}

// isLearner says that a voter of the list is a learner as another file has it.
func (g *gathering) isLearner(t *telling, file, endpoint string, id snapshot.MemberID) {
	t.learners[id] = true
	*t.probes[id] = observe.Probe{Member: id}
	g.warn(FilesContradict, fmt.Sprintf("%s: at %s a learner answered, and %s has voter %s there: its health counts as unknown",
		file, endpoint, memberListFile, id))
}

func (l *memberList) check() error {
	if l.Header.ClusterID == 0 || len(l.Members) == 0 {
		return errors.New("it is not a member list of etcdctl with API version 3")
	}
	seen := map[uint64]bool{}
	peers := map[string]uint64{}
	for _, m := range l.Members {
		if m.ID == 0 {
			return errors.New("a member has no id")
		}
		if seen[m.ID] {
			return fmt.Errorf("two members have id %x", m.ID)
		}
		seen[m.ID] = true
		for _, u := range m.PeerURLs {
			if other, taken := peers[host(u)]; taken && other != m.ID {
				return fmt.Errorf("members %x and %x have the same peer URL %q, which etcd refuses", other, m.ID, u)
			}
			peers[host(u)] = m.ID
		}
	}
	return nil
}

// readStatus takes what members say of themselves. An endpoint at which another cluster, or another member, answers is no
// longer anybody's: what is told of it would be told of somebody else.
func (g *gathering) readStatus(t *telling) {
	var rows []endpointStatus
	if !g.readInfo(endpointStatusFile, &rows, nil) {
		return
	}
	contradicted := map[snapshot.MemberID]bool{}
	for _, row := range rows {
		s, at := row.Status, host(row.Endpoint)
		id, here := snapshot.MemberID(s.Header.MemberID), s.Header.ClusterID == t.clusterID
		if owner := t.endpoints[at]; owner != 0 && (!here || id != owner) {
			t.endpoints[at] = 0
			g.warn(FilesContradict, fmt.Sprintf("%s: at %s member %s of cluster %x answered, not member %s of cluster %x of %s: its health counts as unknown",
				endpointStatusFile, row.Endpoint, id, s.Header.ClusterID, owner, t.clusterID, memberListFile))
		}
		if !here {
			if _, known := t.endpoints[at]; !known {
				g.warnOfRow(endpointStatusFile, row.Endpoint)
			}
			continue
		}
		if !g.fitsList(t, &row) {
			continue
		}
		probe := t.probes[id]
		status := observe.Status{
			Leader: snapshot.MemberID(s.Leader), Version: s.Version, DatabaseBytes: s.DBSize, AppliedIndex: s.AppliedIndex,
		}
		contradicted[id] = contradicted[id] || probe.Status != nil && *probe.Status != status
		probe.Status = &status
	}
	g.forget(endpointStatusFile, contradicted, func(id snapshot.MemberID) { t.probes[id].Status = nil })
}

// fitsList tells whether the member list has what a row of the same cluster tells of: the member, started and in its role,
// and the leader that it names.
func (g *gathering) fitsList(t *telling, row *endpointStatus) bool {
	id, leader := snapshot.MemberID(row.Status.Header.MemberID), snapshot.MemberID(row.Status.Leader)
	m, listed := t.members[id]
	_, leaderListed := t.members[leader]
	answered := fmt.Sprintf("at %s member %s of this cluster answered, ", row.Endpoint, id)
	switch {
	case !listed:
		g.contradictList(t, endpointStatusFile, answered+"which "+memberListFile+" does not have")
	case leader != 0 && !leaderListed:
		g.contradictList(t, endpointStatusFile, answered+fmt.Sprintf("whose leader is %s, which %s does not have", leader, memberListFile))
	case len(m.ClientURLs) == 0:
		g.contradictList(t, endpointStatusFile, answered+"which has not started as "+memberListFile+" has it")
	case m.Learner && !row.Status.Learner:
		g.contradictList(t, endpointStatusFile, answered+"which says that it votes, and "+memberListFile+" has it as a learner")
	case t.learners[id]:
		return false
	case !m.Learner && row.Status.Learner:
		g.isLearner(t, endpointStatusFile, row.Endpoint, id)
		return false
	}
	return listed
}

// forget drops what rows of a file say differently about the same member.
func (g *gathering) forget(file string, contradicted map[snapshot.MemberID]bool, drop func(snapshot.MemberID)) {
	for _, id := range slices.Sorted(maps.Keys(contradicted)) {
		if contradicted[id] {
			drop(id)
			g.warn(FilesContradict, fmt.Sprintf("%s has rows about member %s that contradict each other: none of them counts", file, id))
		}
	}
}

// readHealth undoes what etcdctl's endpoint health makes of learners and alarms. An endpoint whose row is missing was not
// asked: etcdctl takes its endpoints from the environment of one pod, which may be older than a member.
func (g *gathering) readHealth(t *telling) {
	var rows []endpointHealth
	if !g.readInfo(endpointHealthFile, &rows, nil) {
		return
	}
	contradicted, asked := map[snapshot.MemberID]bool{}, map[string]bool{}
	for _, row := range rows {
		id, known := t.endpoints[host(row.Endpoint)]
		asked[host(row.Endpoint)] = true
		switch {
		case !known:
			g.warnOfRow(endpointHealthFile, row.Endpoint)
			continue
		case row.Health == nil:
			g.warn(FileUnreadable, fmt.Sprintf("read %s: the row of %s does not tell its health", endpointHealthFile, row.Endpoint))
			continue
		case id == 0:
			continue
		}
		g.alarmed = g.alarmed || strings.HasPrefix(row.Error, activeAlarms)
		probe, learner := t.probes[id], t.members[id].Learner
		before, refused := *probe, strings.Contains(row.Error, learnerRefuses)
		// etcdctl says so only after a linearizable read.
		read := *row.Health || strings.HasPrefix(row.Error, activeAlarms) || row.Error == alarmsUnread
		switch {
		case t.learners[id]:
			continue
		case refused && !learner:
			g.isLearner(t, endpointHealthFile, row.Endpoint, id)
			continue
		case read && learner:
			g.contradictList(t, endpointHealthFile, fmt.Sprintf("%s served a read that no learner serves, and %s has learner %s there",
				row.Endpoint, memberListFile, id))
		case read || refused:
			probe.Served, probe.CannotServe = snapshot.True, snapshot.False
		default:
			probe.Served, probe.Error = snapshot.False, row.Error
			// Its status proves that it was this member that answered.
			if strings.HasPrefix(row.Error, etcdServer) && probe.Status != nil {
				probe.CannotServe = snapshot.True
			}
		}
		contradicted[id] = contradicted[id] || before.Served != snapshot.Unknown && before != *probe
	}
	g.forget(endpointHealthFile, contradicted, func(id snapshot.MemberID) {
		t.probes[id].Served, t.probes[id].CannotServe, t.probes[id].Error = snapshot.Unknown, snapshot.Unknown, ""
	})
	for _, id := range slices.Sorted(maps.Keys(t.members)) {
		m := t.members[id]
		// Before it has started, a member has no endpoint to ask.
		if len(m.ClientURLs) == 0 || slices.ContainsFunc(m.ClientURLs, func(u string) bool { return asked[host(u)] }) {
			continue
		}
		t.probes[id].Error = "no row in " + path.Base(endpointHealthFile)
		name := cmp.Or(m.Name, id.String())
		g.notAsked[id] = fmt.Sprintf("%s has no row of %s", endpointHealthFile, name)
		g.warn(FileMissing, fmt.Sprintf("the health of %s unknown: %s", name, g.notAsked[id]))
	}
}

// warnOfRow names a row that tells of nobody in the member list.
func (g *gathering) warnOfRow(file, endpoint string) {
	g.warn(FilesContradict, fmt.Sprintf("%s has a row of %q, which is no client URL in %s: it counts for no member", file, endpoint, memberListFile))
}

func (g *gathering) readAlarms(clusterID uint64, probes map[snapshot.MemberID]*observe.Probe) {
	var list alarmList
	check := func() error {
		if list.Header.ClusterID != clusterID {
			return errors.New("it is not the alarm list of this etcd cluster")
		}
		return nil
	}
	if !g.readInfo(alarmListFile, &list, check) {
		return
	}
	if len(list.Alarms) == 0 && g.alarmed {
		g.warn(FilesContradict, fmt.Sprintf("%s tells of alarms, and %s has none: whether a member has one is unknown", endpointHealthFile, alarmListFile))
		return
	}
	for _, probe := range probes {
		probe.Corrupt, probe.NoSpace = snapshot.False, snapshot.False
	}
	for _, a := range list.Alarms {
		if id := snapshot.MemberID(a.MemberID); id != 0 && probes[id] == nil {
			g.warn(FilesContradict, fmt.Sprintf("%s tells of an alarm of member %s, which is not in %s", alarmListFile, id, memberListFile))
		}
		known := a.Alarm == alarmCorrupt || a.Alarm == alarmNoSpace
		if !known {
			g.warn(FileUnreadable, fmt.Sprintf("read %s: member %s has an alarm of type %d, which is not known: neither is its health",
				alarmListFile, snapshot.MemberID(a.MemberID), a.Alarm))
		}
		for id, probe := range probes {
			of := snapshot.MemberID(a.MemberID) == id
			switch {
			// Nobody knows whose data are right then; see etcdclient.
			case a.Alarm == alarmCorrupt && (of || a.MemberID == 0):
				probe.Corrupt = snapshot.True
			case a.Alarm == alarmNoSpace && of:
				probe.NoSpace = snapshot.True
			case !known && (of || a.MemberID == 0) && !probe.Corrupt.Holds():
				probe.Corrupt = snapshot.Unknown
			}
		}
	}
}

// readInfo decodes a file of etcd_info. It warns and returns false when the file is there and is something else, or is
// there several times with different content; without a file it only returns false.
func (g *gathering) readInfo(file string, into any, check func() error) bool {
	var first json.RawMessage
	for i, text := range g.info[file] {
		value, err := infoValue(text)
		if err == nil {
			err = checkInfo(value, reflect.TypeOf(into).Elem())
		}
		if err == nil && i == 0 {
			first = value
			if err = explainMismatch(json.Unmarshal(value, into)); err == nil && check != nil {
				err = check()
			}
		}
		if err != nil {
			g.warn(FileUnreadable, fmt.Sprintf("read %s: %v", g.places[file][i], err))
			return false
		}
		if i > 0 && !sameInfo(first, value) {
			g.contradict(path.Base(file), g.places[file])
			return false
		}
	}
	g.infoRead[file] = len(g.info[file]) > 0
	return g.infoRead[file]
}

// checkInfo refuses what the decoder would take in silence: keys that are there twice, or in another case, and null where
// etcdctl writes none.
func checkInfo(text json.RawMessage, of reflect.Type) error {
	value, err := readJSON(text)
	if err == nil {
		err = checkKeys(value, of, true)
	}
	if err != nil {
		return fmt.Errorf("%w, or what another API version of it does: %w", errNotEtcdctl, err)
	}
	return nil
}

// shellLines are what etcdctl and oc say on standard error when an endpoint is not healthy.
var shellLines = []string{"Error: unhealthy cluster", "command terminated with exit code 1"}

// infoValue returns the one value that a file holds. It skips lines of etcdctl's log and of the shell that a collecting
// script mixed into the file.
func infoValue(text []byte) (json.RawMessage, error) {
	if inUTF16(text) {
		return nil, errUTF16
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, errNoOutput
	}
	in := json.NewDecoder(bytes.NewReader(withoutShellLines(text)))
	var only json.RawMessage
	for {
		var value json.RawMessage
		err := in.Decode(&value)
		switch {
		case errors.Is(err, io.EOF) && only != nil:
			return only, nil
		case err != nil && only != nil:
			return nil, fmt.Errorf("%w: %w", errNotEtcdctl, errBehindEnd)
		case err != nil:
			return nil, fmt.Errorf("%w: %w", errNotEtcdctl, truncated(err))
		case isLogLine(value):
		case only != nil:
			return nil, fmt.Errorf("%w: %w", errNotEtcdctl, errBehindEnd)
		default:
			only = value
		}
	}
}

// withoutShellLines cuts off lines at the end.
func withoutShellLines(text []byte) []byte {
	for {
		text = bytes.TrimSpace(text)
		cut := text
		for _, line := range shellLines {
			if rest, found := bytes.CutSuffix(text, []byte("\n"+line)); found {
				cut = rest
			}
		}
		if len(cut) == len(text) {
			return text
		}
		text = cut
	}
}

func isLogLine(value json.RawMessage) bool {
	var line struct {
		Level string `json:"level"`
		Msg   string `json:"msg"`
	}
	return json.Unmarshal(value, &line) == nil && line.Level != "" && line.Msg != ""
}

var errNoOutput = errors.New("it is empty, since etcdctl failed")

var errNotEtcdctl = errors.New("it is not what etcdctl writes with -w json")

// explainMismatch says in which field a value has another type than etcdctl gives it.
func explainMismatch(err error) error {
	var mismatch *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &mismatch):
		return err
	case mismatch.Value == "string" && mismatch.Type.Kind() == reflect.Uint64:
		return fmt.Errorf("%s is text, not a number: it was written with --hex, which leaves out who is a learner, or by another API version of etcdctl", mismatch.Field)
	case mismatch.Field == "":
		return fmt.Errorf("%w: there is a %s", errNotEtcdctl, mismatch.Value)
	default:
		return fmt.Errorf("%w: %s is a %s", errNotEtcdctl, mismatch.Field, mismatch.Value)
	}
}

// host is what tells endpoints apart: the address, since a client URL may be written in several ways.
func host(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" {
		return endpoint
	}
	if addr, err := snapshot.ParseAddress("", "", u.Hostname()); err == nil {
		return addr.String() + " " + u.Port()
	}
	return u.Host
}
