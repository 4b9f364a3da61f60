package member

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/openshift/cluster-etcd-operator/lab/facts"
)

// Paths in the etcd pod.
const (
	// DataDir holds etcd's data.
	DataDir = "/var/lib/etcd"
	// CertsDir holds ca.crt, and crt and key of member (peer and serving).
	CertsDir = "/etc/kubernetes/static-pod-certs"
	// ResourcesDir holds what is written while pods run, unlike the pod itself.
	ResourcesDir = "/etc/kubernetes/static-pod-resources"
	// EndpointsFile, in ResourcesDir, is a JSON object like the data of the
	// ConfigMap etcd-endpoints: its values are addresses of members.
	EndpointsFile = "etcd-endpoints.json"
	// BootstrapFile, in ResourcesDir, exists while the first members start
	// together. Its text is etcd's initial cluster.
	BootstrapFile = "bootstrap-cluster"
)

// Ports of a host.
const (
	ClientPort  = "2379"
	PeerPort    = "2380"
	MetricsPort = "9978"
	ReadyzPort  = "9980"
)

// pollInterval is the time between two looks at the member list.
const pollInterval = time.Second

// Options describe the member.
type Options struct {
	Name    string
	Address string
	// ExtraArguments are appended to etcd's.
	ExtraArguments []string
}

// PeerURL is where the other members reach the member with that address.
func PeerURL(address string) string {
	return "https://" + net.JoinHostPort(address, PeerPort)
}

// ClientURL is where clients reach the member with that address.
func ClientURL(address string) string {
	return "https://" + net.JoinHostPort(address, ClientPort)
}

// Launch becomes etcd as soon as it may start. It returns only with an error.
func Launch(ctx context.Context, options Options) error {
	client, err := newClient()
	if err != nil {
		return err
	}
	for waited := false; ; waited = true {
		plan, err := look(ctx, client, options)
		switch {
		case err != nil:
			fmt.Printf("cannot start yet: %v\n", err)
		case plan.archive:
			if err := archive(); err != nil {
				return err
			}
			continue
		case plan.start:
			return start(options, plan.initialCluster)
		case !waited:
			fmt.Printf("waiting: %s is not in the member list\n", PeerURL(options.Address))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pollInterval):
		}
	}
}

// plan is what can be done now: start, set old data aside and look again, or,
// if neither, wait.
type plan struct {
	start   bool
	archive bool
	// initialCluster is empty where etcd's own data say who is in the cluster.
	initialCluster string
}

func look(ctx context.Context, client *client, options Options) (plan, error) {
	haveData := true
	if _, err := os.Stat(filepath.Join(DataDir, "member")); errors.Is(err, os.ErrNotExist) {
		haveData = false
	} else if err != nil {
		return plan{}, fmt.Errorf("look for data: %w", err)
	}
	bootstrap, err := os.ReadFile(filepath.Join(ResourcesDir, BootstrapFile))
	if err == nil {
		// The first members find each other; once they have data this changes
		// nothing.
		return plan{start: true, initialCluster: string(bootstrap)}, nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return plan{}, fmt.Errorf("look for a bootstrap: %w", err)
	}
	members, err := client.members(ctx, options.Address)
	if err != nil {
		if haveData {
			// After a power failure of all hosts nobody answers until somebody starts.
			return plan{start: true}, nil
		}
		return plan{}, err
	}
	return judge(members, options.Address, options.Name, haveData), nil
}

// judge compares what is on disk with the member list.
func judge(members []Member, address, name string, haveData bool) plan {
	var cluster []string
	var own *Member
	for i, m := range members {
		for _, peer := range m.PeerURLs {
			memberName := m.Name
			if facts.HostOf(peer) == address {
				own, memberName = &members[i], name
			}
			if memberName != "" {
				cluster = append(cluster, memberName+"="+peer)
			}
		}
	}
	switch {
	case own == nil:
		// Data of a member that was removed is of no use to the next one.
		return plan{archive: haveData}
	case own.Name == "" && haveData:
		// Listed anew, never started: the data belong to an earlier member.
		return plan{archive: true}
	default:
		return plan{start: true, initialCluster: strings.Join(cluster, ",")}
	}
}

func archive() error {
	aside := fmt.Sprintf("%s/removed-%d", DataDir, time.Now().UnixNano())
	if err := os.Rename(filepath.Join(DataDir, "member"), aside); err != nil {
		return fmt.Errorf("set the data of an earlier member aside: %w", err)
	}
	fmt.Printf("data of an earlier member are now in %s\n", aside)
	return nil
}

func start(options Options, initialCluster string) error {
	certificate, key := filepath.Join(CertsDir, "member.crt"), filepath.Join(CertsDir, "member.key")
	ca := filepath.Join(CertsDir, "ca.crt")
	state := "existing"
	if _, err := os.Stat(filepath.Join(ResourcesDir, BootstrapFile)); err == nil {
		state = "new"
	}
	// A family has its own word for all addresses.
	everywhere := "0.0.0.0"
	if strings.Contains(options.Address, ":") {
		everywhere = "::"
	}
	arguments := []string{
		"etcd",
		"--name=" + options.Name,
		"--data-dir=" + DataDir,
		"--listen-client-urls=" + ClientURL(everywhere),
		"--advertise-client-urls=" + ClientURL(options.Address),
		"--listen-peer-urls=" + PeerURL(options.Address),
		"--initial-advertise-peer-urls=" + PeerURL(options.Address),
		"--listen-metrics-urls=http://" + net.JoinHostPort(everywhere, MetricsPort),
		"--cert-file=" + certificate, "--key-file=" + key, "--trusted-ca-file=" + ca, "--client-cert-auth",
		"--peer-cert-file=" + certificate, "--peer-key-file=" + key, "--peer-trusted-ca-file=" + ca, "--peer-client-cert-auth",
		"--initial-cluster-state=" + state,
		"--logger=zap", "--log-level=info",
	}
	if initialCluster != "" {
		arguments = append(arguments, "--initial-cluster="+initialCluster)
	}
	arguments = append(arguments, options.ExtraArguments...)
	program := "/opt/lab/etcd"
	fmt.Printf("starting etcd: %s\n", strings.Join(arguments, " "))
	// The environment configures etcd too; what is meant for other containers of
	// the pod must not reach it twice.
	environment := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return strings.HasPrefix(entry, "ETCD_NAME=") || strings.HasPrefix(entry, "ETCD_DATA_DIR=") || strings.HasPrefix(entry, "ETCD_INITIAL_CLUSTER")
	})
	return fmt.Errorf("execute %s: %w", program, unix.Exec(program, arguments, environment))
}

func readEndpoints() ([]string, error) {
	data, err := os.ReadFile(filepath.Join(ResourcesDir, EndpointsFile))
	if err != nil {
		return nil, fmt.Errorf("read endpoints: %w", err)
	}
	var endpoints map[string]string
	if err := json.Unmarshal(data, &endpoints); err != nil {
		return nil, fmt.Errorf("parse endpoints: %w", err)
	}
	return slices.Sorted(maps.Values(endpoints)), nil
}
