package kube

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-etcd-operator/test/integration/process"
)

const (
	// startDeadline bounds the start of each program; on a busy machine an API server takes most of a minute.
	startDeadline = 3 * time.Minute
	pollInterval  = 100 * time.Millisecond

	token = "admin"
)

// controllers are those whose work tests look at, and the one without which no pod is admitted.
const controllers = "disruption-controller,serviceaccount-controller"

// Cluster is an API server.
type Cluster struct {
	// Config is an administrator's, without a limit of requests. Tests derive others from it.
	Config *rest.Config

	folder    string
	programs  string
	processes []*process.Process
}

// Start starts a cluster with the CRDs and namespaces of OpenShift. The caller calls Stop, also after an error is returned
// with a Cluster. An error names the log's end, or what is not built.
func Start(ctx context.Context) (*Cluster, error) {
	programs, err := findPrograms()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "kube")
	if err != nil {
		return nil, err
	}
	c := &Cluster{folder: folder, programs: programs}
	for _, step := range []func(context.Context) error{c.startAPIServer, c.applyCRDs, c.createNamespaces, c.startControllerManager} {
		if err := step(ctx); err != nil {
			return c, err
		}
	}
	return c, nil
}

// Stop kills all and removes what they left.
func (c *Cluster) Stop() {
	for _, p := range c.processes {
		p.Kill()
	}
	_ = os.RemoveAll(c.folder)
}

// findPrograms looks for bin/lab upwards from the folder of the test.
func findPrograms() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("find the repository: no go.mod in any folder above the test")
		}
		dir = parent
	}
	return programsOf(dir)
}

// programsOf returns the folder of the programs of a repository, or an error that says how to make what is missing.
func programsOf(repository string) (string, error) {
	programs := filepath.Join(repository, "bin", "lab")
	for _, part := range []string{"etcd", "kubernetes", "crds"} {
		if _, err := os.Stat(filepath.Join(programs, part)); err != nil {
			return "", fmt.Errorf("bin/lab/%s is missing: run `make -C lab build` first", part)
		}
	}
	return programs, nil
}

func (c *Cluster) path(name string) string { return filepath.Join(c.folder, name) }

func (c *Cluster) start(program string, arguments ...string) (*process.Process, error) {
	name := filepath.Base(arguments[0])
	p, err := process.Start(name, c.path(name+".log"), filepath.Join(c.programs, program), arguments...)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	c.processes = append(c.processes, p)
	return p, nil
}

// freePorts returns ports that nobody listens on. All are taken before any is let go, so that they differ.
func freePorts(n int) ([]string, error) {
	ports := make([]string, n)
	for i := range ports {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer listener.Close()
		ports[i] = strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

func (c *Cluster) startAPIServer(ctx context.Context) error {
	ports, err := freePorts(3)
	if err != nil {
		return err
	}
	client, peer, secure := "http://127.0.0.1:"+ports[0], "http://127.0.0.1:"+ports[1], ports[2]
	if _, err := c.start("etcd", "--data-dir="+c.path("etcd"), "--unsafe-no-fsync",
		"--listen-client-urls="+client, "--advertise-client-urls="+client,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer, "--initial-cluster=default="+peer); err != nil {
		return err
	}
	if err := c.writeFiles(); err != nil {
		return err
	}
	server, err := c.start("kubernetes", "kube-apiserver", "--etcd-servers="+client,
		"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", "--secure-port="+secure, "--cert-dir="+c.path("certificates"),
		"--token-auth-file="+c.path("tokens"), "--authorization-mode=RBAC", "--service-cluster-ip-range=172.30.0.0/16",
		"--service-account-issuer=https://kubernetes.default.svc", "--service-account-key-file="+c.path("service-account.pub"),
		"--service-account-signing-key-file="+c.path("service-account.key"))
	if err != nil {
		return err
	}
	// The server signs a certificate for itself when it is given none; nobody else on this host can have its port.
	c.Config = &rest.Config{Host: "https://127.0.0.1:" + secure, BearerToken: token, TLSClientConfig: rest.TLSClientConfig{Insecure: true}, QPS: -1}
	kube, err := kubernetes.NewForConfig(c.Config)
	if err != nil {
		return err
	}
	return c.await(ctx, server, func(ctx context.Context) (bool, error) {
		answer, err := kube.Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		return err == nil && string(answer) == "ok", nil
	})
}

// writeFiles writes what the API server reads: tokens, and the key that signs those of service accounts.
func (c *Cluster) writeFiles() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		"tokens":              []byte(token + ",admin,admin,system:masters\n"),
		"service-account.key": pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: private}),
		"service-account.pub": pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}),
	} {
		if err := os.WriteFile(c.path(name), content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// await polls until ready says so; it fails at once when the program that is waited for has ended.
func (c *Cluster) await(ctx context.Context, p *process.Process, ready wait.ConditionWithContextFunc) error {
	err := wait.PollUntilContextTimeout(ctx, pollInterval, startDeadline, true, func(ctx context.Context) (bool, error) {
		for _, other := range c.processes {
			if !other.Runs() {
				p = other
				return false, errors.New("it has ended")
			}
		}
		return ready(ctx)
	})
	if err != nil {
		return fmt.Errorf("start %s: %w; the end of its log:\n%s", p.Name, err, p.Tail())
	}
	return nil
}

var crdResource = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

func (c *Cluster) applyCRDs(ctx context.Context) error {
	client, err := dynamic.NewForConfig(c.Config)
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(c.programs, "crds", "*.yaml"))
	if err != nil {
		return err
	}
	var names []string
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		crd := &unstructured.Unstructured{}
		if err := yaml.Unmarshal(content, &crd.Object); err != nil {
			return fmt.Errorf("read %s: %w", filepath.Base(file), err)
		}
		if _, err := client.Resource(crdResource).Create(ctx, crd, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("create %s: %w", filepath.Base(file), err)
		}
		names = append(names, crd.GetName())
	}
	return c.await(ctx, c.processes[len(c.processes)-1], func(ctx context.Context) (bool, error) {
		for _, name := range names {
			crd, err := client.Resource(crdResource).Get(ctx, name, metav1.GetOptions{})
			if err != nil || !isEstablished(crd) {
				return false, nil
			}
		}
		return true, nil
	})
}

func isEstablished(crd *unstructured.Unstructured) bool {
	conditions, _, _ := unstructured.NestedSlice(crd.Object, "status", "conditions")
	for _, condition := range conditions {
		if c, ok := condition.(map[string]any); ok && c["type"] == "Established" && c["status"] == "True" {
			return true
		}
	}
	return false
}

func (c *Cluster) createNamespaces(ctx context.Context) error {
	client, err := kubernetes.NewForConfig(c.Config)
	if err != nil {
		return err
	}
	for _, name := range []string{"openshift-etcd", "openshift-etcd-operator", "openshift-machine-api"} {
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
		if _, err := client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("create namespace %s: %w", name, err)
		}
	}
	return nil
}

// startControllerManager returns when pods can be created: they need a service account.
func (c *Cluster) startControllerManager(ctx context.Context) error {
	kubeconfig := clientcmdapi.NewConfig()
	kubeconfig.Clusters["cluster"] = &clientcmdapi.Cluster{Server: c.Config.Host, InsecureSkipTLSVerify: true}
	kubeconfig.AuthInfos["admin"] = &clientcmdapi.AuthInfo{Token: token}
	kubeconfig.Contexts["admin"] = &clientcmdapi.Context{Cluster: "cluster", AuthInfo: "admin"}
	kubeconfig.CurrentContext = "admin"
	if err := clientcmd.WriteToFile(*kubeconfig, c.path("kubeconfig")); err != nil {
		return err
	}
	manager, err := c.start("kubernetes", "kube-controller-manager", "--kubeconfig="+c.path("kubeconfig"), "--leader-elect=false",
		"--controllers="+controllers, "--secure-port=0")
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(c.Config)
	if err != nil {
		return err
	}
	return c.await(ctx, manager, func(ctx context.Context) (bool, error) {
		_, err := client.CoreV1().ServiceAccounts("openshift-etcd").Get(ctx, "default", metav1.GetOptions{})
		return err == nil, nil
	})
}
