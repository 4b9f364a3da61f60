package live

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"time"

	machinev1beta1 "github.com/openshift/api/machine/v1beta1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const (
	// readTimeout bounds all reads by name of one kind in one observation, and each page of a list.
	readTimeout = 5 * time.Second
	// pageSize bounds what is held of a list of all Nodes or Machines, of which nearly nothing is kept.
	pageSize = 250
)

// readConfigs reads the configurations that API servers run, each once (rule R6.2).
func (l *look) readConfigs(ctx context.Context) {
	if !l.Objects.KubeAPIServer.Exists.Holds() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	running := map[string]*corev1.ConfigMap{}
	all := snapshot.True
	for _, status := range l.Objects.KubeAPIServer.Value.Status.NodeStatuses {
		name := "config-" + strconv.Itoa(int(status.CurrentRevision))
		if _, done := running[name]; done || status.CurrentRevision == 0 {
			continue
		}
		config := l.configs[name]
		if config == nil {
			read, err := l.Kubernetes.CoreV1().ConfigMaps(apiServerNamespace).Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				l.report(fmt.Errorf("read ConfigMap %s in %s: %w", name, apiServerNamespace, err))
				all = snapshot.Unknown
				continue
			}
			read.ManagedFields = nil
			config = read
		}
		running[name] = config
	}
	l.configs = running
	l.Objects.APIServerConfigs.Complete = all
	for _, config := range running {
		l.Objects.APIServerConfigs.Items = append(l.Objects.APIServerConfigs.Items, *config)
	}
}

// readMissingNodes reads by name what something refers to and no cache holds: it may be a Node without a label of the
// control plane, or none (rule R10.1).
func (l *look) readMissingNodes(ctx context.Context) {
	if !l.Objects.Nodes.Complete.Holds() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	for _, name := range observe.NamedNodes(l.Objects, l.Etcd) {
		if slices.ContainsFunc(l.Objects.Nodes.Items, func(n corev1.Node) bool { return n.Name == string(name) }) {
			continue
		}
		node, err := l.Kubernetes.CoreV1().Nodes().Get(ctx, string(name), metav1.GetOptions{})
		switch {
		case err == nil:
			l.Objects.OtherNodes.Items = append(l.Objects.OtherNodes.Items, *node)
		case apierrors.IsNotFound(err):
			l.Objects.GoneNodes = append(l.Objects.GoneNodes, name)
		default:
			l.report(fmt.Errorf("read Node %s: %w", name, err))
		}
	}
}

// readOthers asks for all Nodes, and all Machines where a Machine API works, if a member has an address that nobody of the
// control plane has (rules R6.4, R6.5). Of their answers it keeps who has such an address.
func (l *look) readOthers(ctx context.Context) {
	facts, _ := observe.Snapshot(l.pass(), observe.ElapsedMemory())
	unclaimed := map[netip.Addr]bool{}
	for _, m := range facts.Members {
		if m.AddressClaimed == snapshot.Unknown {
			for _, addr := range m.PeerAddresses {
				unclaimed[addr] = true
			}
		}
	}
	machinesMatter := !facts.MachineAPI.Fails()
	if len(unclaimed) == 0 || !l.Objects.Nodes.Complete.Holds() || machinesMatter && !(facts.MachineAPI.Holds() && facts.MachineList.Holds()) {
		return
	}
	nodes, complete, err := readAll(ctx, l.Kubernetes.CoreV1().Nodes(), func(list *corev1.NodeList) []corev1.Node {
		return having(unclaimed, list.Items, func(n *corev1.Node) []corev1.NodeAddress { return n.Status.Addresses })
	})
	l.Objects.OtherNodes.Complete = complete
	for _, node := range nodes {
		if !slices.ContainsFunc(l.Objects.OtherNodes.Items, func(n corev1.Node) bool { return n.Name == node.Name }) {
			l.Objects.OtherNodes.Items = append(l.Objects.OtherNodes.Items, node)
		}
	}
	if err != nil {
		l.report(fmt.Errorf("list all Nodes: %w", err))
	}
	if !machinesMatter {
		return
	}
	machines, complete, err := readAll(ctx, l.OpenShiftMachine.MachineV1beta1().Machines(machineNamespace), func(list *machinev1beta1.MachineList) []machinev1beta1.Machine {
		return having(unclaimed, list.Items, func(m *machinev1beta1.Machine) []corev1.NodeAddress { return m.Status.Addresses })
	})
	l.Objects.OtherMachines = observe.List[machinev1beta1.Machine]{Complete: complete, Items: machines}
	if err != nil {
		l.report(fmt.Errorf("list all Machines in %s: %w", machineNamespace, err))
	}
}

// listMeta is what every typed list has.
type listMeta interface {
	runtime.Object
	GetContinue() string
}

// readAll reads a list to its end, page by page, and keeps what keep returns of each page.
func readAll[T any, L listMeta](ctx context.Context, from lister[L], keep func(L) []T) ([]T, snapshot.Fact, error) {
	var kept []T
	options := metav1.ListOptions{Limit: pageSize}
	for {
		page, err := readPage(ctx, from, options)
		if err != nil {
			return kept, snapshot.Unknown, err
		}
		kept = append(kept, keep(page)...)
		options.Continue = page.GetContinue()
		if options.Continue == "" {
			return kept, snapshot.True, nil
		}
	}
}

func readPage[L listMeta](ctx context.Context, from lister[L], options metav1.ListOptions) (L, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	return from.List(ctx, options)
}

// having returns the objects that have one of addresses, or one that cannot be read.
func having[T any](addresses map[netip.Addr]bool, items []T, of func(*T) []corev1.NodeAddress) []T {
	var matching []T
	for i := range items {
		if slices.ContainsFunc(of(&items[i]), func(a corev1.NodeAddress) bool {
			if a.Type != corev1.NodeInternalIP {
				return false
			}
			addr, err := snapshot.ParseAddress("", "", a.Address)
			return err != nil || addresses[addr]
		}) {
			matching = append(matching, items[i])
		}
	}
	return matching
}
