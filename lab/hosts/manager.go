package hosts

import (
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/openshift/cluster-etcd-operator/lab/certs"
	"github.com/openshift/cluster-etcd-operator/lab/process"
)

// Role says what a host is for.
type Role string

// The roles. An arbiter is a control plane that runs little but etcd.
const (
	Master  Role = "master"
	Arbiter Role = "arbiter"
	Worker  Role = "worker"
)

// HostsEtcd reports whether hosts of this role may get an etcd member.
func (r Role) HostsEtcd() bool { return r == Master || r == Arbiter }

// Spec describes a host.
type Spec struct {
	Name string
	Role Role
	Zone string
}

// Settings are what all hosts share.
type Settings struct {
	Reaper *process.Reaper
	// Folder holds one folder per host.
	Folder string
	// Programs is the folder with the lab's programs.
	Programs string
	// Networks are the bridge's addresses and masks, of one family each. Members use
	// the first.
	Networks []netip.Prefix
	// APIServer is the URL that kubelets connect to.
	APIServer string
	// KubeAuthority signs what the API server and kubelets show each other.
	KubeAuthority *certs.Authority
	// EtcdAuthority signs what etcd's members and clients show each other.
	EtcdAuthority *certs.Authority
	// UserNamespace says that the lab runs without real root.
	UserNamespace bool
}

// Manager owns the hosts.
type Manager struct {
	settings Settings

	mu    sync.Mutex
	hosts map[string]*Host
	used  map[netip.Addr]bool
}

// NewManager returns a Manager without hosts.
func NewManager(settings Settings) *Manager {
	m := &Manager{settings: settings, hosts: map[string]*Host{}, used: map[netip.Addr]bool{}}
	for _, network := range settings.Networks {
		m.used[network.Addr()] = true
	}
	return m
}

// ErrUnknownHost is returned for a name that no host has.
var ErrUnknownHost = errors.New("no such host")

// ErrExists is returned for a name that a host already has.
var ErrExists = errors.New("host exists already")

// Create makes a host, powered off. Its address is never that of an earlier
// host of this lab: a recycled address would be taken for the old member's.
func (m *Manager) Create(spec Spec) (*Host, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.hosts[spec.Name] != nil {
		return nil, fmt.Errorf("create %s: %w", spec.Name, ErrExists)
	}
	host := &Host{
		Spec:     spec,
		settings: m.settings,
		folder:   filepath.Join(m.settings.Folder, spec.Name),
		state:    Off,
		slow:     map[string]*slowness{},
	}
	for _, network := range m.settings.Networks {
		address, err := m.nextAddress(network)
		if err != nil {
			return nil, err
		}
		host.Addresses = append(host.Addresses, address)
	}
	host.Address = host.Addresses[0]
	if err := host.furnish(time.Now()); err != nil {
		return nil, fmt.Errorf("create %s: %w", spec.Name, err)
	}
	for _, address := range host.Addresses {
		m.used[address] = true
	}
	m.hosts[spec.Name] = host
	return host, nil
}

func (m *Manager) nextAddress(network netip.Prefix) (netip.Addr, error) {
	address := network.Masked().Addr()
	for range 10 {
		address = address.Next()
	}
	for network.Contains(address.Next()) {
		if !m.used[address] {
			return address, nil
		}
		address = address.Next()
	}
	return netip.Addr{}, fmt.Errorf("no free address is left in %s", network.Masked())
}

// Delete powers the host off and removes all it had.
func (m *Manager) Delete(name string) error {
	host, err := m.Host(name)
	if err != nil {
		return err
	}
	if err := host.Terminate(); err != nil {
		return err
	}
	if err := host.removeDisk(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.hosts, name)
	return nil
}

// Host finds a host by name.
func (m *Manager) Host(name string) (*Host, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if host := m.hosts[name]; host != nil {
		return host, nil
	}
	return nil, fmt.Errorf("%w: %s", ErrUnknownHost, name)
}

// List returns all hosts, sorted by name.
func (m *Manager) List() []*Host {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []*Host
	for _, name := range slices.Sorted(maps.Keys(m.hosts)) {
		list = append(list, m.hosts[name])
	}
	return list
}
