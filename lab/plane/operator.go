package plane

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/openshift/cluster-etcd-operator/lab/certs"
	"github.com/openshift/cluster-etcd-operator/lab/operand"
	"github.com/openshift/cluster-etcd-operator/lab/payload"
)

const (
	operatorNamespace = "openshift-etcd-operator"
	operatorAccount   = "etcd-operator"
	// operatorTokenLife is longer than labs live.
	operatorTokenLife = 48 * time.Hour
)

// Where an operator's pod finds what it needs to reach etcd.
const (
	runDir             = "/run"
	etcdClientDir      = runDir + "/secrets/etcd-client"
	etcdCADir          = runDir + "/configmaps/etcd-ca"
	operatorConfigFile = runDir + "/configmaps/config/config.yaml"
	// In a cluster the pod has its token instead.
	operatorKubeconfigFile = runDir + "/secrets/operator.kubeconfig"
)

// operatorConfig shortens the lease: after a kill the next one waits for it to
// expire, which takes more than two minutes by default.
const operatorConfig = `apiVersion: operator.openshift.io/v1alpha1
kind: GenericOperatorConfig
leaderElection:
  leaseDuration: 15s
  renewDeadline: 10s
  retryPeriod: 3s
`

// Delays before an operator that ended is started again, as a kubelet would.
const (
	firstRestartDelay = time.Second
	lastRestartDelay  = 30 * time.Second
	// A run of that length counts as a good one.
	goodRun = time.Minute
)

// mountRun gives the lab a /run of its own, with what an operator's pod has
// mounted there. The machine's sockets are out of sight.
func (p *Plane) mountRun() error {
	for _, dir := range []string{runDir, "/var/run"} {
		if strings.HasPrefix(p.options.Work+"/", dir+"/") || strings.HasPrefix(p.options.Programs+"/", dir+"/") {
			return fmt.Errorf("neither the work folder nor the programs can be below %s, which the lab covers", dir)
		}
	}
	if err := unix.Mount("run", runDir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=755,size=4m"); err != nil {
		return fmt.Errorf("mount %s: %w", runDir, err)
	}
	for target, source := range map[string]string{
		filepath.Join(etcdClientDir, "tls.crt"):   p.files.EtcdClient() + ".crt",
		filepath.Join(etcdClientDir, "tls.key"):   p.files.EtcdClient() + ".key",
		filepath.Join(etcdCADir, "ca-bundle.crt"): p.files.EtcdAuthority(),
	} {
		data, err := os.ReadFile(source)
		if err != nil {
			return fmt.Errorf("provide %s: %w", target, err)
		}
		if err := writeBelow(target, data); err != nil {
			return err
		}
	}
	return writeBelow(operatorConfigFile, []byte(operatorConfig))
}

func writeBelow(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("provide %s: %w", path, err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return fmt.Errorf("provide %s: %w", path, err)
	}
	return nil
}

// publishEtcdAccess creates the secrets and ConfigMaps with which others reach
// etcd.
func (p *Plane) publishEtcdAccess(ctx context.Context) error {
	certificate, err := os.ReadFile(p.files.EtcdClient() + ".crt")
	if err != nil {
		return fmt.Errorf("publish etcd's client certificate: %w", err)
	}
	key, err := os.ReadFile(p.files.EtcdClient() + ".key")
	if err != nil {
		return fmt.Errorf("publish etcd's client certificate: %w", err)
	}
	for _, namespace := range []string{operand.Namespace, operatorNamespace, "openshift-config"} {
		secret := map[string]any{
			"apiVersion": "v1", "kind": "Secret", "type": "kubernetes.io/tls",
			"metadata":   map[string]any{"name": "etcd-client", "namespace": namespace},
			"stringData": map[string]any{"tls.crt": string(certificate), "tls.key": string(key)},
		}
		bundle := map[string]any{
			"apiVersion": "v1", "kind": "ConfigMap",
			"metadata": map[string]any{"name": "etcd-ca-bundle", "namespace": namespace},
			"data":     map[string]any{"ca-bundle.crt": string(p.etcdAuthority.PEM)},
		}
		for _, object := range []map[string]any{secret, bundle} {
			if err := p.installer.Create(ctx, &unstructured.Unstructured{Object: object}); err != nil {
				return err
			}
		}
	}
	return nil
}

// giveOperatorToken writes a kubeconfig with which the operator is its service
// account, and has the rights of its manifests and no others.
func (p *Plane) giveOperatorToken(ctx context.Context) error {
	seconds := int64(operatorTokenLife.Seconds())
	token, err := p.client.CoreV1().ServiceAccounts(operatorNamespace).CreateToken(ctx, operatorAccount,
		&authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: &seconds}}, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("get a token for the operator: %w", err)
	}
	config, err := certs.TokenKubeconfig("https://"+operatorAPI, p.kubeAuthority.PEM, token.Status.Token)
	if err != nil {
		return err
	}
	return writeBelow(operatorKubeconfigFile, config)
}

// keepOperator runs the operator and starts it again whenever it ends: it is
// meant to end when it loses its lease, and scenarios kill it.
func (p *Plane) keepOperator(ctx context.Context) error {
	if err := p.giveOperatorToken(ctx); err != nil {
		return err
	}
	if err := p.operatorWay.heal(); err != nil {
		return err
	}
	go p.watchAudit(ctx)
	operator := &child{
		name:    "operator",
		program: p.options.Operator,
		arguments: []string{
			"operator",
			"--config=" + operatorConfigFile,
			"--kubeconfig=" + operatorKubeconfigFile,
			"--namespace=" + operatorNamespace,
			"--record=" + filepath.Join(p.options.Work, "passes.jsonl"),
		},
		environment: []string{
			"IMAGE=lab", "OPERATOR_IMAGE=lab", "POD_NAME=etcd-operator",
			"OPERATOR_IMAGE_VERSION=" + payload.Version,
			"OPERAND_IMAGE_VERSION=" + payload.Version,
			"RELEASE_VERSION=" + payload.Version,
		},
	}
	ended := make(chan error, 1)
	began := time.Now()
	if err := p.start(operator, func(err error) { ended <- err }); err != nil {
		return err
	}
	go func() {
		delay := firstRestartDelay
		for {
			select {
			case <-ctx.Done():
				return
			case err := <-ended:
				var crash *CrashError
				if errors.As(err, &crash) {
					fmt.Printf("%s operator ended with exit status %d\n", time.Now().UTC().Format(time.RFC3339), crash.ExitCode)
				}
			}
			if time.Since(began) > goodRun {
				delay = firstRestartDelay
			}
			again := time.After(delay)
			delay = min(2*delay, lastRestartDelay)
			if held := p.operatorStopped(); held != nil {
				select {
				case <-ctx.Done():
					return
				case <-held:
					again, delay = time.After(0), firstRestartDelay
				}
			}
			select {
			case <-ctx.Done():
				return
			case <-again:
			}
			began = time.Now()
			if err := p.start(operator, func(err error) { ended <- err }); err != nil {
				p.fail(err)
				return
			}
		}
	}()
	return nil
}

// operatorStopped returns nil, or what is closed when the operator is wanted
// again.
func (p *Plane) operatorStopped() chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.operatorHeld
}

var errNoOperator = errors.New("the lab was started without an operator")

// wantOperator stops and starts the keeping of the operator, and cuts and heals
// its way to the API server.
func (p *Plane) wantOperator(action string) error {
	if p.options.Operator == "" {
		return errNoOperator
	}
	switch action {
	case "partition":
		p.operatorWay.cut()
		return nil
	case "heal":
		return p.operatorWay.heal()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case action == "stop" && p.operatorHeld == nil:
		p.operatorHeld = make(chan struct{})
	case action == "start" && p.operatorHeld != nil:
		close(p.operatorHeld)
		p.operatorHeld = nil
	case action != "stop" && action != "start":
		return fmt.Errorf("unknown action %q on the operator", action)
	}
	return nil
}
