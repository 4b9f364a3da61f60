package explain

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"time"

	configclient "github.com/openshift/client-go/config/clientset/versioned"
	machineclient "github.com/openshift/client-go/machine/clientset/versioned"
	operatorclient "github.com/openshift/client-go/operator/clientset/versioned"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/utils/clock"
	"k8s.io/utils/ptr"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/explain"
	"github.com/openshift/cluster-etcd-operator/pkg/lease"
	"github.com/openshift/cluster-etcd-operator/pkg/mustgather"
	"github.com/openshift/cluster-etcd-operator/pkg/observe"
	"github.com/openshift/cluster-etcd-operator/pkg/observe/live"
	"github.com/openshift/cluster-etcd-operator/pkg/operator/quorumguard"
	"github.com/openshift/cluster-etcd-operator/pkg/portforward"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const (
	operatorNamespace = "openshift-etcd-operator"
	etcdNamespace     = "openshift-etcd"
	deploymentName    = "etcd-operator"
	secretName        = "etcd-client"
	bundleName        = "etcd-ca-bundle"
	bundleKey         = "ca-bundle.crt"
	clientPort        = 2379

	// startLimit is how long what cannot be listed or watched is waited for, readLimit how long a single read may take.
	startLimit = 10 * time.Second
	readLimit  = 5 * time.Second
	// A person waits for the answer, so the API may be asked faster than by a controller.
	queriesPerSecond, burst = 50, 100

	etcdUnreachable = "EtcdUnreachable"
)

// mounted is where the operator's pod has its certificates.
var mounted = etcdclient.TLSFiles{
	Certificate: "/var/run/secrets/etcd-client/tls.crt",
	Key:         "/var/run/secrets/etcd-client/tls.key",
	Authorities: "/var/run/configmaps/etcd-ca/ca-bundle.crt",
}

// cluster is a running cluster.
type cluster struct {
	kube     kubernetes.Interface
	etcd     *etcdclient.Client
	observer *live.Observer
	assumed  []string
	// noAccess says why etcd is not asked at all; nil when it is.
	noAccess error
	// filled tells whether all caches were filled in time.
	filled  bool
	changes chan struct{}
}

// connect reads what is needed to observe a cluster. kubeconfig is a file; empty for that of the environment, else that of
// the pod. Errors: there is no cluster to connect to.
func connect(ctx context.Context, kubeconfig string) (*cluster, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = kubeconfig
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{}).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("find a cluster to explain (--kubeconfig names one, --from-dir explains a must-gather): %w", err)
	}
	config.QPS, config.Burst = queriesPerSecond, burst
	var errs [4]error
	c := &cluster{changes: make(chan struct{}, 1)}
	observed := live.Config{Clock: clock.RealClock{}, Memory: observe.ElapsedMemory()}
	c.kube, errs[0] = kubernetes.NewForConfig(config)
	observed.OpenShiftConfig, errs[1] = configclient.NewForConfig(config)
	observed.OpenShiftOperator, errs[2] = operatorclient.NewForConfig(config)
	observed.OpenShiftMachine, errs[3] = machineclient.NewForConfig(config)
	if err := errors.Join(errs[:]...); err != nil {
		return nil, fmt.Errorf("make clients: %w", err)
	}
	// Whatever else fails is told by the document, but without an API server there is nothing to tell.
	if err := c.kube.Discovery().RESTClient().Get().AbsPath("/version").Timeout(readLimit).Do(ctx).Error(); err != nil && !apierrors.IsForbidden(err) {
		return nil, fmt.Errorf("reach the API server %s: %w", config.Host, err)
	}
	if kubeconfig == "" && isThere(mounted) {
		c.etcd = etcdclient.New(etcdclient.Config{TLS: mounted})
	} else {
		c.etcd = etcdclient.New(etcdclient.Config{Dial: c.dialer(ctx, config)})
	}
	observed.Kubernetes, observed.Etcd = c.kube, c.etcd
	c.learnRelease(ctx, &observed)
	c.observer = live.New(observed)
	c.observer.OnChange(func() {
		select {
		case c.changes <- struct{}{}:
		default:
		}
	})
	return c, nil
}

func (c *cluster) close() { c.etcd.Close() }

// start returns when the caches are filled, or have not been for too long.
func (c *cluster) start(ctx context.Context) {
	c.observer.Start(ctx)
	limited, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	c.filled = c.observer.WaitForCaches(limited)
}

func isThere(files etcdclient.TLSFiles) bool {
	return !slices.ContainsFunc([]string{files.Certificate, files.Key, files.Authorities}, func(name string) bool {
		_, err := os.Stat(name)
		return err != nil
	})
}

// dialer reaches members through the API server with the certificate that the operator publishes. Without the right to
// read that it reaches none.
func (c *cluster) dialer(ctx context.Context, config *rest.Config) etcdclient.Dialer {
	none := func(err error) etcdclient.Dialer {
		c.noAccess = err
		return func([]string, func() (*tls.Config, error)) (etcdclient.Conn, error) { return nil, err }
	}
	credentials, err := c.readCredentials(ctx)
	if err != nil {
		return none(err)
	}
	forward, err := portforward.New(config)
	if err != nil {
		return none(err)
	}
	dial := etcdclient.DialThrough(func(ctx context.Context, address string) (net.Conn, error) {
		pod, err := c.podAt(ctx, address)
		if err != nil {
			return nil, err
		}
		return forward.Dial(ctx, etcdNamespace, pod, clientPort)
	})
	return func(urls []string, _ func() (*tls.Config, error)) (etcdclient.Conn, error) {
		return dial(urls, func() (*tls.Config, error) { return credentials.Clone(), nil })
	}
}

func (c *cluster) readCredentials(ctx context.Context) (*tls.Config, error) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	secret, err := c.kube.CoreV1().Secrets(operatorNamespace).Get(ctx, secretName, metav1.GetOptions{})
	if err != nil {
		return nil, fmt.Errorf("read Secret %s in %s: %w", secretName, operatorNamespace, err)
	}
	bundle, err := c.kube.CoreV1().ConfigMaps(operatorNamespace).Get(ctx, bundleName, metav1.GetOptions{})
	if err != nil {
		return nil, fmt.Errorf("read ConfigMap %s in %s: %w", bundleName, operatorNamespace, err)
	}
	pair, err := tls.X509KeyPair(secret.Data[corev1.TLSCertKey], secret.Data[corev1.TLSPrivateKeyKey])
	if err != nil {
		return nil, fmt.Errorf("use Secret %s in %s: %w", secretName, operatorNamespace, err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM([]byte(bundle.Data[bundleKey])) {
		return nil, fmt.Errorf("use ConfigMap %s in %s: there is no certificate in %s", bundleName, operatorNamespace, bundleKey)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, RootCAs: roots, MinVersion: tls.VersionTLS12}, nil
}

// podAt returns the etcd pod of the host with an address.
func (c *cluster) podAt(ctx context.Context, address string) (string, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return "", err
	}
	wanted, err := snapshot.ParseAddress("", "", host)
	if err != nil {
		return "", err
	}
	pods, err := c.kube.CoreV1().Pods(etcdNamespace).List(ctx, metav1.ListOptions{LabelSelector: "app=etcd"})
	if err != nil {
		return "", fmt.Errorf("list pods of etcd: %w", err)
	}
	for i := range pods.Items {
		status := &pods.Items[i].Status
		addresses := []string{status.HostIP}
		for _, ip := range status.HostIPs {
			addresses = append(addresses, ip.IP)
		}
		for _, ip := range status.PodIPs {
			addresses = append(addresses, ip.IP)
		}
		if slices.ContainsFunc(addresses, func(text string) bool {
			found, err := snapshot.ParseAddress("", "", text)
			return err == nil && found == wanted
		}) {
			return pods.Items[i].Name, nil
		}
	}
	return "", fmt.Errorf("no etcd pod has address %s", host)
}

// learnRelease finds the version and the image of the operator: in the environment inside of its pod, else in its
// Deployment. Failing that, the version that the cluster is to have stands in for the version.
func (c *cluster) learnRelease(ctx context.Context, observed *live.Config) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	version, image := os.Getenv("OPERATOR_IMAGE_VERSION"), os.Getenv("OPERATOR_IMAGE")
	if version == "" || image == "" {
		version, image = "", ""
		if deployment, err := c.kube.AppsV1().Deployments(operatorNamespace).Get(ctx, deploymentName, metav1.GetOptions{}); err == nil {
			for _, container := range deployment.Spec.Template.Spec.Containers {
				for _, variable := range container.Env {
					switch variable.Name {
					case "OPERATOR_IMAGE_VERSION":
						version = variable.Value
					case "OPERATOR_IMAGE":
						image = variable.Value
					}
				}
			}
		}
	}
	c.assumed = []string{durationsAssumed}
	if version == "" {
		if wanted, err := observed.OpenShiftConfig.ConfigV1().ClusterVersions().Get(ctx, "version", metav1.GetOptions{}); err == nil {
			version = wanted.Status.Desired.Version
			c.assumed = append(c.assumed, versionAssumed)
		}
	}
	observed.OperatorVersion = version
	if image == "" {
		c.assumed = append(c.assumed, guardsAssumed)
		return
	}
	observed.GuardOutdated = quorumguard.NewGuards(image).Outdated
	c.assumed = append(c.assumed, hooksAssumed)
}

// explain looks once.
func (c *cluster) explain(ctx context.Context) explain.Explanation {
	seen := c.observer.Observe(ctx)
	in := explain.Input{Snapshot: seen.Snapshot, Source: explain.SourceLive, Assumed: c.assumed, Unread: unreadable(seen.Faults)}
	addObjects(&in, seen.Objects, seen.Etcd)
	faults := seen.Faults
	if c.noAccess != nil {
		in.Unread[explain.Members] = "etcd was not asked, since whoever asks here has no way to it: " + c.noAccess.Error()
		in.Warnings = append(in.Warnings, explain.Warning{Reason: etcdUnreachable, Message: "etcd is not asked, and what objects and conditions tell is explained: " + c.noAccess.Error()})
		faults = slices.DeleteFunc(slices.Clone(faults), func(err error) bool {
			return errors.Is(err, c.noAccess) || errors.Is(err, etcdclient.ErrNoEndpoint)
		})
	} else if !seen.Etcd.MemberList.Holds() {
		in.Warnings = append(in.Warnings, explain.Warning{Reason: etcdUnreachable, Message: "no member of etcd gives the member list, and what objects and conditions tell is explained"})
	}
	budgets, err := c.foreignBudgets(ctx, &seen.Snapshot)
	if err != nil {
		faults = append(faults, err)
	}
	in.BlockingBudgets = budgets
	if err := c.addGuardBudgets(ctx, &in, seen.Objects.Pods.Items); err != nil {
		faults = append(faults, err)
	}
	if !c.filled && silent(&seen.Objects, faults) {
		in.Blind = blind
	}
	if in.NotRunning, err = c.notRunning(ctx, time.Now()); err != nil && in.Blind == "" {
		faults = append(faults, err)
	}
	addFaults(&in, faults)
	return explain.New(in)
}

// partsOf are the parts that a right is about, by resource; configMapsOf those of ConfigMaps, by namespace.
var (
	partsOf = map[string]explain.Part{
		"nodes": explain.Nodes, "machines": explain.Machines, "controlplanemachinesets": explain.MachineSet, "clusterversions": explain.ClusterVersion,
		"infrastructures": explain.Infrastructure, "networks": explain.Network, "clusteroperators": explain.ClusterOperator, "etcds": explain.Etcd,
		"kubeapiservers": explain.KubeAPIServer, "pods": explain.Pods, "poddisruptionbudgets": explain.GuardBudget,
	}
	configMapsOf = map[string]explain.Part{"kube-system": explain.Bootstrap, etcdNamespace: explain.Endpoints, "openshift-kube-apiserver": explain.APIServerConfigs}
)

// unreadable says of the parts that whoever asks may not read why they are not known: the operator, which may, decides by
// them.
func unreadable(faults []error) map[explain.Part]string {
	unread := map[explain.Part]string{}
	for _, err := range faults {
		found := denied.FindStringSubmatch(err.Error())
		if !apierrors.IsForbidden(err) || found == nil {
			continue
		}
		part := partsOf[found[2]]
		if found[2] == "configmaps" {
			part = configMapsOf[found[4]]
		}
		if part != "" {
			unread[part] = "whoever asks here has no right to " + found[1] + " " + found[2]
		}
	}
	return unread
}

const blind = "the API server answers, but lists nothing: so it is while etcd has no quorum; look at etcd on the hosts of the control plane themselves (crictl ps, crictl logs), " +
	"or explain a must-gather of before with --from-dir"

// silent: nothing was listed that each cluster has, and no right is missing that would explain it.
func silent(objects *observe.Objects, faults []error) bool {
	return objects.Nodes.Complete == snapshot.Unknown && objects.Pods.Complete == snapshot.Unknown &&
		objects.Infrastructure.Exists == snapshot.Unknown && objects.Etcd.Exists == snapshot.Unknown &&
		!slices.ContainsFunc(faults, apierrors.IsForbidden)
}

// stale is how long a Lease may have run out before the operator counts as not running: clocks differ.
const stale = 5 * time.Minute

// notRunning says why nobody acts: the operator's Lease has run out by now, or there is none; empty while it is held. Errors:
// the Lease could not be read.
func (c *cluster) notRunning(ctx context.Context, now time.Time) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	const what = "Lease " + lease.DefaultName + " in " + operatorNamespace
	const see = "; the rest says what it would do. See the pods of " + operatorNamespace
	held, err := c.kube.CoordinationV1().Leases(operatorNamespace).Get(ctx, lease.DefaultName, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return "no operator of this kind runs here: there is no " + what + see, nil
	}
	if err != nil {
		return "", fmt.Errorf("read %s: %w", what, err)
	}
	renewed, lasts := held.Spec.RenewTime, time.Duration(ptr.Deref(held.Spec.LeaseDurationSeconds, 0))*time.Second
	if renewed == nil || now.Before(renewed.Add(lasts+stale)) {
		return "", nil
	}
	return "the operator does not run: " + what + " was last renewed at " + renewed.UTC().Format(time.RFC3339) + ", if the clock here is right" + see, nil
}

// addGuardBudgets asks for the budgets besides the guards' own that select a guard.
func (c *cluster) addGuardBudgets(ctx context.Context, in *explain.Input, pods []corev1.Pod) error {
	if !slices.ContainsFunc(pods, func(p corev1.Pod) bool { return observe.IsGuard(&p) }) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	list, err := c.kube.PolicyV1().PodDisruptionBudgets(etcdNamespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		err = fmt.Errorf("list PodDisruptionBudgets of others in %s (nobody can evict a guard that one of them selects): %w", etcdNamespace, err)
		in.Unread[explain.GuardBudget] = err.Error()
		return err
	}
	in.GuardBudgets = mustgather.Selecting(list.Items, pods)
	return nil
}

// foreignBudgets are asked for while a Machine is deleting, which they may hold.
func (c *cluster) foreignBudgets(ctx context.Context, s *snapshot.Snapshot) ([]string, error) {
	if !slices.ContainsFunc(s.Machines, func(m snapshot.Machine) bool { return m.Deleting }) {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	list, err := c.kube.PolicyV1().PodDisruptionBudgets(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("list PodDisruptionBudgets of others (they may hold up the drain of a deleting Machine): %w", err)
	}
	return mustgather.Blocking(slices.DeleteFunc(list.Items, func(b policyv1.PodDisruptionBudget) bool { return b.Namespace == etcdNamespace })), nil
}
