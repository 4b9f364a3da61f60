package plane

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/openshift/cluster-etcd-operator/lab/apiserver"
	"github.com/openshift/cluster-etcd-operator/lab/certs"
	"github.com/openshift/cluster-etcd-operator/lab/gateway"
	"github.com/openshift/cluster-etcd-operator/lab/hosts"
	"github.com/openshift/cluster-etcd-operator/lab/member"
	"github.com/openshift/cluster-etcd-operator/lab/members"
	"github.com/openshift/cluster-etcd-operator/lab/network"
	"github.com/openshift/cluster-etcd-operator/lab/operand"
	"github.com/openshift/cluster-etcd-operator/lab/payload"
	"github.com/openshift/cluster-etcd-operator/lab/process"
)

// Family is a family of addresses.
type Family string

// The families.
const (
	IPv4 Family = "ipv4"
	IPv6 Family = "ipv6"
)

// families have the bridge's address and the network of all hosts, and the
// network of services.
var families = map[Family]struct {
	network netip.Prefix
	service string
}{
	IPv4: {netip.MustParsePrefix("10.199.0.1/24"), apiserver.ServiceNetwork},
	IPv6: {netip.MustParsePrefix("fd00:199::1/64"), apiserver.ServiceNetwork6},
}

// gatewayAddress is where the API server finds etcd; members' certificates are
// good for it.
const gatewayAddress = "127.0.0.1:2379"

// Addresses of an etcd that the API server has to itself.
const (
	privateAddress     = "127.0.0.1:2389"
	privatePeerAddress = "127.0.0.1:2390"
)

// Deadlines of the phases of Up. They are generous: a busy machine is no fault.
const (
	etcdDeadline   = 5 * time.Minute
	apiDeadline    = 5 * time.Minute
	objectDeadline = 5 * time.Minute
	nodeDeadline   = 5 * time.Minute
)

// Options say what to bring up.
type Options struct {
	Reaper        *process.Reaper
	ControlPlanes int
	// Arbiters is how many of the ControlPlanes are arbiters.
	Arbiters int
	Workers  int
	// UserProvisioned says that nobody works on Machines; those of the first hosts
	// stay in phase Provisioning.
	UserProvisioned bool
	// Work is an existing folder for everything that is written.
	Work string
	// Programs is the folder of package parts.
	Programs string
	// Families are those of all addresses, the one that members use first; none is
	// IPv4 alone.
	Families []Family
	// Etcd is the folder with another version of etcd and its tools, empty for that
	// of the parts; EtcdMinor is the second number of that version.
	Etcd      string
	EtcdMinor int
	// UserNamespace says that the lab runs without real root.
	UserNamespace bool
	// Operator is the operator's program, an absolute path; empty for none.
	Operator string
	// PrivateEtcd keeps the API server's data out of the managed cluster.
	PrivateEtcd bool
	// Fsync makes etcd wait for the machine's disk.
	Fsync bool
	// MachineSet runs the operator of ControlPlaneMachineSets, too.
	MachineSet bool
}

// Plane is a control plane that is up or on its way.
type Plane struct {
	options       Options
	files         apiserver.Files
	kubeAuthority *certs.Authority
	etcdAuthority *certs.Authority
	hosts         *hosts.Manager
	observer      *members.Observer
	gateway       *gateway.Gateway
	client        kubernetes.Interface
	dynamic       dynamic.Interface
	installer     *payload.Installer
	audit         apiserver.Audit
	failed        chan error

	mu    sync.Mutex
	phase Phase
	// keeper is nil until etcd is there.
	keeper *operand.Keeper
	// operatorWay leads the operator to the API server.
	operatorWay *way
	// bootHeld are hosts that the cloud makes and does not power on.
	bootHeld map[string]bool
	// operatorHeld is there while the operator is not to be started again.
	operatorHeld chan struct{}
	began        time.Time
	ready        time.Time
}

// Phase says what Up is doing, in words.
type Phase string

// Ready is the last phase.
const Ready Phase = "ready"

// New returns a Plane that nothing was done for yet.
func New(options Options) *Plane {
	if len(options.Families) == 0 {
		options.Families = []Family{IPv4}
	}
	first := families[options.Families[0]].network.Addr()
	return &Plane{
		options: options, phase: "starting", failed: make(chan error, 1), began: time.Now(), bootHeld: map[string]bool{},
		operatorWay: newWay(operatorAPI, net.JoinHostPort(first.String(), strconv.Itoa(apiserver.Port))),
	}
}

// Failed delivers the first error that the lab cannot go on after.
func (p *Plane) Failed() <-chan error { return p.failed }

func (p *Plane) fail(err error) {
	select {
	case p.failed <- err:
	default:
	}
}

func (p *Plane) enter(phase Phase) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.phase = phase
	if phase == Ready {
		p.ready = time.Now()
	}
	fmt.Printf("%s %6.1fs %s\n", time.Now().UTC().Format(time.RFC3339), time.Since(p.began).Seconds(), phase)
}

// networks are the bridge's addresses and the networks of all hosts, services those
// of services, both in the order of families.
func (p *Plane) networks() []netip.Prefix {
	var networks []netip.Prefix
	for _, family := range p.options.Families {
		networks = append(networks, families[family].network)
	}
	return networks
}

func (p *Plane) services() []string {
	var services []string
	for _, family := range p.options.Families {
		services = append(services, families[family].service)
	}
	return services
}

func (p *Plane) apiURL() string { return "https://" + p.operatorWay.to }

func (p *Plane) makeFolders() error {
	if err := os.MkdirAll(filepath.Join(p.options.Work, "log"), 0o755); err != nil {
		return fmt.Errorf("make log folder: %w", err)
	}
	if err := os.MkdirAll(p.temporary(), 0o700); err != nil {
		return fmt.Errorf("make the temporary folder: %w", err)
	}
	return nil
}

// Up returns when all control-plane hosts are Ready with an etcd that answers,
// and the API server serves all objects.
func (p *Plane) Up(ctx context.Context) error {
	p.enter("making certificates")
	if err := p.makeFolders(); err != nil {
		return err
	}
	if err := p.makeCertificates(time.Now()); err != nil {
		return err
	}
	if err := p.mountRun(); err != nil {
		return err
	}
	if err := p.coverEtcd(); err != nil {
		return err
	}
	if err := p.linkPrograms(); err != nil {
		return err
	}
	if err := network.SetUpBridge(p.networks()); err != nil {
		return err
	}
	tls, err := p.etcdTLS()
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.observer = members.NewObserver(tls)
	p.gateway = gateway.New(filepath.Join(p.options.Work, "etcd-members.json"), tls)
	p.hosts = hosts.NewManager(hosts.Settings{
		Reaper:        p.options.Reaper,
		Folder:        filepath.Join(p.options.Work, "hosts"),
		Programs:      p.options.Programs,
		Networks:      p.networks(),
		APIServer:     p.apiURL(),
		KubeAuthority: p.kubeAuthority,
		EtcdAuthority: p.etcdAuthority,
		UserNamespace: p.options.UserNamespace,
	})
	p.mu.Unlock()

	p.enter("powering on hosts")
	if err := p.startHosts(ctx); err != nil {
		return err
	}
	p.enter("waiting for etcd")
	if err := p.waitEtcd(ctx); err != nil {
		return err
	}
	p.enter("starting the API server")
	if err := p.startAPIServer(ctx); err != nil {
		return err
	}
	p.enter("creating objects")
	if err := p.createObjects(ctx); err != nil {
		return err
	}
	p.enter("waiting for nodes")
	if err := p.waitNodes(ctx); err != nil {
		return err
	}
	p.enter("waiting for machines")
	if err := p.startMachines(ctx); err != nil {
		return err
	}
	if p.options.MachineSet {
		if err := p.startMachineSets(); err != nil {
			return err
		}
	}
	if p.options.Operator != "" {
		if err := p.keepOperator(ctx); err != nil {
			return err
		}
	}
	p.enter(Ready)
	return nil
}

func (p *Plane) startHosts(ctx context.Context) error {
	var created []*hosts.Host
	for i := range p.options.ControlPlanes {
		spec := hosts.Spec{Name: fmt.Sprintf("master-%d", i), Role: hosts.Master, Zone: fmt.Sprintf("zone-%d", i%3)}
		if first := p.options.ControlPlanes - p.options.Arbiters; i >= first {
			spec.Name, spec.Role = fmt.Sprintf("arbiter-%d", i-first), hosts.Arbiter
		}
		host, err := p.hosts.Create(spec)
		if err != nil {
			return err
		}
		created = append(created, host)
	}
	if err := p.prepareBootstrap(created); err != nil {
		return err
	}
	for i := range p.options.Workers {
		host, err := p.hosts.Create(hosts.Spec{Name: fmt.Sprintf("worker-%d", i), Role: hosts.Worker, Zone: fmt.Sprintf("zone-%d", i%3)})
		if err != nil {
			return err
		}
		created = append(created, host)
	}
	group, _ := errgroup.WithContext(ctx)
	for _, host := range created {
		group.Go(host.Start)
	}
	return group.Wait()
}

// prepareBootstrap gives the first hosts their pods, and what they must know to
// form a cluster together.
func (p *Plane) prepareBootstrap(masters []*hosts.Host) error {
	cluster, addresses := "", []string{}
	for _, host := range masters {
		if cluster != "" {
			cluster += ","
		}
		cluster += host.Name + "=" + member.PeerURL(host.Address.String())
		addresses = append(addresses, host.Address.String())
	}
	for _, host := range masters {
		if err := host.WriteFile(filepath.Join(member.ResourcesDir, member.BootstrapFile), []byte(cluster), 0o644); err != nil {
			return err
		}
		if err := p.writePod(host); err != nil {
			return err
		}
	}
	return p.gateway.Set(context.Background(), addresses)
}

func (p *Plane) podOptions() operand.PodOptions {
	return operand.PodOptions{NoFsync: !p.options.Fsync, EtcdMinor: p.options.EtcdMinor}
}

func (p *Plane) writePod(host *hosts.Host) error {
	manifest, err := operand.Manifest(host, p.podOptions())
	if err != nil {
		return err
	}
	return host.WriteFile(operand.ManifestPath, manifest, 0o600)
}

// manager is nil until the hosts are made; commands may come before.
func (p *Plane) manager() *hosts.Manager {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hosts
}

// addresses of all hosts that may have a member.
func (p *Plane) addresses() []string {
	var addresses []string
	for _, host := range p.manager().List() {
		if host.Role.HostsEtcd() {
			addresses = append(addresses, host.Address.String())
		}
	}
	return addresses
}

func (p *Plane) waitEtcd(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, etcdDeadline, errors.New("etcd did not form a cluster in time"))
	defer cancel()
	return p.wait(ctx, func(ctx context.Context) (bool, string) {
		list, err := p.observer.Observe(ctx, p.addresses())
		if err != nil {
			return false, err.Error()
		}
		voters, healthy := members.Voters(list)
		return voters == p.options.ControlPlanes && healthy == voters, fmt.Sprintf("%d of %d members are healthy", healthy, p.options.ControlPlanes)
	})
}

// wait asks until the answer is yes; the last text goes into the error. It ends
// at once when a part of the lab has failed.
func (p *Plane) wait(ctx context.Context, ask func(context.Context) (bool, string)) error {
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	for {
		done, state := ask(ctx)
		if done {
			return nil
		}
		select {
		case err := <-p.failed:
			return err
		case <-ctx.Done():
			return fmt.Errorf("%w: %s", context.Cause(ctx), state)
		case <-ticker.C:
		}
	}
}

// provideEtcd returns the URL of what the API server keeps its data in: the
// gateway to the managed cluster, or an etcd of its own.
func (p *Plane) provideEtcd(ctx context.Context) (string, error) {
	if p.options.PrivateEtcd {
		return "https://" + privateAddress, p.startPrivateEtcd()
	}
	listener, err := net.Listen("tcp", gatewayAddress)
	if err != nil {
		return "", fmt.Errorf("listen for the API server: %w", err)
	}
	go func() {
		if err := p.gateway.Serve(ctx, listener); err != nil {
			p.fail(fmt.Errorf("etcd gateway: %w", err))
		}
	}()
	return "https://" + gatewayAddress, nil
}

func (p *Plane) startPrivateEtcd() error {
	pair, err := p.etcdAuthority.Issue(certs.Subject{
		CommonName: "private-etcd",
		DNSNames:   []string{"localhost"},
		Addresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
	}, time.Now())
	if err != nil {
		return err
	}
	folder := filepath.Join(p.options.Work, "private-etcd")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("make folder of the private etcd: %w", err)
	}
	if err := pair.Write(filepath.Join(folder, "serving")); err != nil {
		return err
	}
	return p.start(&child{
		name:    "private-etcd",
		program: "etcd",
		arguments: []string{
			"--name=private", "--data-dir=" + filepath.Join(folder, "data"), "--unsafe-no-fsync",
			"--listen-client-urls=https://" + privateAddress, "--advertise-client-urls=https://" + privateAddress,
			"--listen-peer-urls=http://" + privatePeerAddress, "--initial-advertise-peer-urls=http://" + privatePeerAddress,
			"--initial-cluster=private=http://" + privatePeerAddress,
			"--cert-file=" + filepath.Join(folder, "serving.crt"), "--key-file=" + filepath.Join(folder, "serving.key"),
			"--trusted-ca-file=" + p.files.EtcdAuthority(), "--client-cert-auth",
		},
	}, p.fail)
}

func (p *Plane) startAPIServer(ctx context.Context) error {
	etcd, err := p.provideEtcd(ctx)
	if err != nil {
		return err
	}
	folder := filepath.Join(p.options.Work, "apiserver")
	p.audit = apiserver.NewAudit(folder)
	if err := p.audit.WritePolicy(); err != nil {
		return err
	}
	if err := p.start(&child{
		name:        "kube-apiserver",
		program:     "kubernetes",
		arguments:   apiserver.Arguments(p.files, p.networks()[0].Addr(), p.services(), etcd, folder),
		environment: []string{"GOGC=50"},
	}, p.fail); err != nil {
		return err
	}
	config, err := p.adminConfig()
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("make client: %w", err)
	}
	dynamicClient, err := dynamic.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("make client: %w", err)
	}
	p.mu.Lock()
	p.client, p.dynamic = client, dynamicClient
	p.mu.Unlock()
	if p.installer, err = payload.NewInstaller(config, p.options.Programs); err != nil {
		return err
	}
	if err := p.waitAPI(ctx); err != nil {
		return err
	}
	if err := p.installer.InstallNamespaces(ctx); err != nil {
		return err
	}
	return p.start(&child{
		name:        "kube-controller-manager",
		program:     "kubernetes",
		arguments:   apiserver.ControllerManagerArguments(p.files, p.controllerManagerKubeconfig(), folder),
		environment: []string{"GOGC=50"},
	}, p.fail)
}

func (p *Plane) waitAPI(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, apiDeadline, errors.New("the API server did not become ready in time"))
	defer cancel()
	return p.wait(ctx, func(ctx context.Context) (bool, string) {
		answer, err := p.client.Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		if err != nil {
			return false, err.Error()
		}
		return string(answer) == "ok", string(answer)
	})
}

// adminConfig returns a client configuration without a limit of requests: the
// lab's own are few, and waiting for permission only slows it.
func (p *Plane) adminConfig() (*rest.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags("", p.kubeconfig())
	if err != nil {
		return nil, fmt.Errorf("load kubeconfig: %w", err)
	}
	config.QPS = -1
	return config, nil
}

func (p *Plane) createObjects(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, objectDeadline, errors.New("objects were not created in time"))
	defer cancel()
	if err := p.installer.Install(ctx, p.cluster()); err != nil {
		return err
	}
	return p.publishEtcdAccess(ctx)
}

func (p *Plane) cluster() payload.Cluster {
	var machineNetworks []string
	for _, network := range p.networks() {
		machineNetworks = append(machineNetworks, network.Masked().String())
	}
	topology := "HighlyAvailable"
	switch {
	case p.options.ControlPlanes == 1:
		topology = "SingleReplica"
	case p.options.Arbiters > 0:
		topology = "HighlyAvailableArbiter"
	}
	return payload.Cluster{
		ID:              "11111111-2222-4333-8444-555555555555",
		Name:            "lab",
		Version:         payload.Version,
		Topology:        topology,
		APIServer:       p.apiURL(),
		MachineNetworks: machineNetworks,
		ServiceNetworks: p.services(),
		ControlPlanes:   p.options.ControlPlanes - p.options.Arbiters,
		Arbiters:        p.options.Arbiters,
		Workers:         p.options.Workers,
		Installed:       p.began.UTC().Format(time.RFC3339),
	}
}
