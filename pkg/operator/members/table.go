package members

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"

	"github.com/openshift/cluster-etcd-operator/pkg/report"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const (
	namespace = "openshift-etcd"
	configMap = "etcd-members"
	mebibyte  = 1 << 20
	// slack is by how many MiB a database may differ from what is published, at least; slackParts of what is published is
	// the other limit.
	slack      = 16
	slackParts = 10
)

// row is what ConfigMap etcd-members says about one member, as JSON.
type row struct {
	Name string `json:"name"`
	// Role is leader, voter, learner or unstarted.
	Role string `json:"role"`
	// Health is healthy, unhealthy or unknown; a member that has not started has none to be known.
	Health string `json:"health"`
	// Version is etcd's, as the member told it last; empty when it never did.
	Version string `json:"version,omitempty"`
	// DatabaseMiB is the size of the member's database, roughly and as it told last; 0 when it never did.
	DatabaseMiB int64 `json:"databaseMiB,omitempty"`
	// Alarms are etcd's words for those that the member has.
	Alarms []string `json:"alarms,omitempty"`
}

// errUnmanaged: a live read says that nothing is to be written.
var errUnmanaged = errors.New("the operator is not managed")

// publish writes the table when it says anything else than the pass. While the member list is not known it stays as it is:
// EtcdMembersAvailable says so.
func (c *controller) publish(ctx context.Context, s *snapshot.Snapshot) error {
	if !s.MemberList.Holds() {
		return nil
	}
	configMaps := c.ConfigMaps.ConfigMaps(namespace)
	live, err := configMaps.Get(ctx, configMap, metav1.GetOptions{})
	missing := apierrors.IsNotFound(err)
	if err != nil && !missing {
		return fmt.Errorf("read ConfigMap %s: %w", configMap, err)
	}
	var published map[string]string
	if !missing {
		published = live.Data
	}
	wanted, err := table(s, published)
	if err != nil {
		return err
	}
	if !missing && maps.Equal(published, wanted) {
		return nil
	}
	managed, err := report.ManagedNow(ctx, c.OperatorClient)
	if err != nil {
		return err
	}
	if !managed {
		return errUnmanaged
	}
	if missing {
		created := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: configMap}, Data: wanted}
		_, err = configMaps.Create(ctx, created, metav1.CreateOptions{FieldManager: Name})
	} else {
		live.Data = wanted
		_, err = configMaps.Update(ctx, live, metav1.UpdateOptions{FieldManager: Name})
	}
	if err != nil {
		return fmt.Errorf("write ConfigMap %s: %w", configMap, err)
	}
	klog.FromContext(ctx).V(2).Info("table of members written")
	return nil
}

// table returns the data of the ConfigMap: key is the member's id in hexadecimal. A database size stays as it was published
// until it differs by more than a tenth and more than 16 MiB, so that a cluster at rest writes nothing.
func table(s *snapshot.Snapshot, published map[string]string) (map[string]string, error) {
	data := make(map[string]string, len(s.Members))
	for _, m := range snapshot.NewView(s).SortedMembers {
		r := rowOf(s, m)
		var before row
		// What is not readable was not written by this controller, and is replaced.
		if json.Unmarshal([]byte(published[m.ID.String()]), &before) == nil {
			r.DatabaseMiB = settle(r.DatabaseMiB, before.DatabaseMiB)
			r.Version = cmp.Or(r.Version, before.Version)
		}
		text, err := json.Marshal(r)
		if err != nil {
			return nil, fmt.Errorf("write down member %s: %w", m.ID, err)
		}
		data[m.ID.String()] = string(text)
	}
	return data, nil
}

func rowOf(s *snapshot.Snapshot, m *snapshot.Member) row {
	r := row{Name: m.Label(), Role: "voter", Health: string(stateOf(m)), Version: m.Version}
	switch {
	case !m.Started:
		r.Role, r.Health = "unstarted", string(stateUnknown)
	case m.Learner:
		r.Role = "learner"
	case m.ID == s.Leader:
		r.Role = "leader"
	}
	r.DatabaseMiB = (m.DatabaseBytes + mebibyte - 1) / mebibyte
	if m.Corrupt.Holds() {
		r.Alarms = append(r.Alarms, "CORRUPT")
	}
	if m.NoSpace.Holds() {
		r.Alarms = append(r.Alarms, "NOSPACE")
	}
	return r
}

// settle returns the size to publish: the one published, unless it is too far off, or the member told nothing.
func settle(now, published int64) int64 {
	if now == 0 || published == 0 {
		return max(now, published)
	}
	if difference := max(now-published, published-now); difference <= max(slack, published/slackParts) {
		return published
	}
	return now
}
