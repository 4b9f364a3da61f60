package mustgather

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"reflect"
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
		return reading
	}
	reading.MemberList, reading.ClusterID = snapshot.True, list.Header.ClusterID
	probes := map[snapshot.MemberID]*observe.Probe{}
	byEndpoint := map[string]snapshot.MemberID{}
	for _, m := range list.Members {
		id := snapshot.MemberID(m.ID)
		reading.Members = append(reading.Members, observe.Member{
			ID: id, Name: m.Name, PeerURLs: m.PeerURLs, ClientURLs: m.ClientURLs, Learner: m.Learner,
		})
		probes[id] = &observe.Probe{Member: id}
		for _, u := range m.ClientURLs {
			byEndpoint[host(u)] = id
		}
	}
	g.readStatus(list.Header.ClusterID, probes)
	g.readHealth(reading.Members, byEndpoint, probes)
	g.readAlarms(list.Header.ClusterID, probes)
	for _, m := range reading.Members {
		reading.Probes = append(reading.Probes, *probes[m.ID])
	}
	return reading
}

func (l *memberList) check() error {
	if l.Header.ClusterID == 0 || len(l.Members) == 0 {
		return errors.New("it is not a member list of etcdctl with API version 3")
	}
	for _, m := range l.Members {
		if m.ID == 0 {
			return errors.New("a member has no id")
		}
	}
	return nil
}

func (g *gathering) readStatus(clusterID uint64, probes map[snapshot.MemberID]*observe.Probe) {
	var rows []endpointStatus
	if !g.readInfo(endpointStatusFile, &rows, nil) {
		return
	}
	for _, row := range rows {
		s := row.Status
		probe := probes[snapshot.MemberID(s.Header.MemberID)]
		if probe == nil || s.Header.ClusterID != clusterID {
			continue
		}
		probe.Status = &observe.Status{
			Leader: snapshot.MemberID(s.Leader), Version: s.Version, DatabaseBytes: s.DBSize, AppliedIndex: s.AppliedIndex,
		}
	}
}

// readHealth undoes what etcdctl's endpoint health makes of learners and alarms. An endpoint whose row is missing was not
// asked: etcdctl takes its endpoints from the environment of one pod, which may be older than a member.
func (g *gathering) readHealth(members []observe.Member, byEndpoint map[string]snapshot.MemberID, probes map[snapshot.MemberID]*observe.Probe) {
	var rows []endpointHealth
	if !g.readInfo(endpointHealthFile, &rows, nil) {
		return
	}
	learner := map[snapshot.MemberID]bool{}
	for _, m := range members {
		learner[m.ID] = m.Learner
	}
	for _, row := range rows {
		id, known := byEndpoint[host(row.Endpoint)]
		if !known || row.Health == nil {
			continue
		}
		probe := probes[id]
		switch {
		case *row.Health,
			learner[id] && strings.Contains(row.Error, learnerRefuses),
			strings.HasPrefix(row.Error, activeAlarms),
			row.Error == alarmsUnread:
			probe.Served, probe.CannotServe = snapshot.True, snapshot.False
		default:
			probe.Served, probe.Error = snapshot.False, row.Error
			// Its status proves that it was this member that answered.
			if strings.HasPrefix(row.Error, etcdServer) && probe.Status != nil {
				probe.CannotServe = snapshot.True
			}
		}
	}
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
	for _, probe := range probes {
		probe.Corrupt, probe.NoSpace = snapshot.False, snapshot.False
	}
	for _, a := range list.Alarms {
		for id, probe := range probes {
			switch {
			// Nobody knows whose data are right then; see etcdclient.
			case a.Alarm == alarmCorrupt && (a.MemberID == 0 || snapshot.MemberID(a.MemberID) == id):
				probe.Corrupt = snapshot.True
			case a.Alarm == alarmNoSpace && snapshot.MemberID(a.MemberID) == id:
				probe.NoSpace = snapshot.True
			}
		}
	}
}

// readInfo decodes a file of etcd_info. It warns and returns false when the file is missing or is something else.
func (g *gathering) readInfo(file string, into any, check func() error) bool {
	text, found := g.info[file]
	if !found {
		return false
	}
	err := decodeInfo(text, into)
	if err == nil && check != nil {
		err = check()
	}
	if err != nil {
		g.warnOfFile(file, err)
		return false
	}
	return true
}

// decodeInfo skips lines of etcdctl's log that a collecting script mixed into the file.
func decodeInfo(text []byte, into any) error {
	in := json.NewDecoder(bytes.NewReader(text))
	for {
		var value json.RawMessage
		if err := in.Decode(&value); err != nil {
			if errors.Is(err, io.EOF) && len(bytes.TrimSpace(text)) == 0 {
				return errors.New("it is empty")
			}
			return fmt.Errorf("%w: %w", errNotEtcdctl, truncated(err))
		}
		var line struct {
			Level string `json:"level"`
			Msg   string `json:"msg"`
		}
		if json.Unmarshal(value, &line) == nil && line.Level != "" && line.Msg != "" {
			continue
		}
		return explainMismatch(json.Unmarshal(value, into))
	}
}

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
