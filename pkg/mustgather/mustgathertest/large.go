package mustgathertest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Sizes of what a real cluster's files have, roughly: a Node lists its images, a Machine its provider's settings, and both
// who manages which field.
const (
	imagesOfNode   = 50
	fieldsOfObject = 120
)

// WriteLarge adds to the must-gather below root what a large cluster has besides its control plane: Nodes and Machines of
// workers, and pods in namespaces that nobody asks for, until all that was added has at least the given size in bytes.
func WriteLarge(root string, workers int, bytes int64) error {
	base := filepath.Join(root, Image)
	var written int64
	for i := range workers {
		ip := fmt.Sprintf("10.%d.%d.%d", 1+i/60000, i/250%250, 1+i%250)
		name := fmt.Sprintf("ip-10-%d-%d-%d.ec2.internal", 1+i/60000, i/250%250, 1+i%250)
		node := filepath.Join(base, "cluster-scoped-resources", "core", "nodes", name+".yaml")
		machine := filepath.Join(base, "namespaces", "openshift-machine-api", "machine.openshift.io", "machines", "worker-"+fmt.Sprint(i)+".yaml")
		for file, text := range map[string]string{node: workerNode(name, ip, i), machine: workerMachine(name, ip, i)} {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				return err
			}
			written += int64(len(text))
		}
	}
	const filesInNamespace = 6
	for n := 0; written < bytes; n++ {
		folder := filepath.Join(base, "namespaces", fmt.Sprintf("app-%d", n), "core")
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		for i := range filesInNamespace {
			size, err := writePods(filepath.Join(folder, fmt.Sprintf("pods-%d.yaml", i)))
			if err != nil {
				return err
			}
			written += size
		}
	}
	return nil
}

func managedFields(indent string) string {
	var b strings.Builder
	b.WriteString(indent + "managedFields:\n" + indent + "- apiVersion: v1\n" + indent + "  fieldsType: FieldsV1\n" + indent + "  fieldsV1:\n")
	for i := range fieldsOfObject {
		fmt.Fprintf(&b, "%s    f:field%d:\n%s      .: {}\n%s      k:{\"type\":\"Ready\"}: {}\n", indent, i, indent, indent)
	}
	b.WriteString(indent + "  manager: kubelet\n" + indent + "  operation: Update\n")
	return b.String()
}

func workerNode(name, ip string, i int) string {
	var b strings.Builder
	b.WriteString("---\napiVersion: v1\nkind: Node\nmetadata:\n  annotations:\n    machine.openshift.io/machine: openshift-machine-api/worker-0\n  labels:\n    kubernetes.io/hostname: " + name + "\n    node-role.kubernetes.io/worker: \"\"\n")
	b.WriteString(managedFields("  "))
	fmt.Fprintf(&b, "  name: %s\n  resourceVersion: \"%d\"\n  uid: 4f1c2f2e-0000-4000-8000-%012d\nspec:\n  providerID: aws:///us-east-2a/i-%017d\nstatus:\n  addresses:\n  - address: %s\n    type: InternalIP\n  - address: %s\n    type: Hostname\n  conditions:\n", name, i, i, i, ip, name)
	for _, condition := range []string{"MemoryPressure", "DiskPressure", "PIDPressure", "Ready"} {
		fmt.Fprintf(&b, "  - lastHeartbeatTime: \"2026-01-01T00:00:00Z\"\n    lastTransitionTime: \"2026-01-01T00:00:00Z\"\n    message: kubelet has told its state\n    reason: Kubelet%s\n    status: \"True\"\n    type: %s\n", condition, condition)
	}
	b.WriteString("  images:\n")
	for n := range imagesOfNode {
		fmt.Fprintf(&b, "  - names:\n    - registry.example/release/payload@sha256:%064d\n    - registry.example/release/payload:<none>\n    sizeBytes: %d\n", n, 1000000+n)
	}
	b.WriteString("  nodeInfo:\n    kubeletVersion: v1.36.3\n")
	return b.String()
}

func workerMachine(name, ip string, i int) string {
	var b strings.Builder
	b.WriteString("---\napiVersion: machine.openshift.io/v1beta1\nkind: Machine\nmetadata:\n  labels:\n    machine.openshift.io/cluster-api-machine-role: worker\n    machine.openshift.io/zone: us-east-2a\n")
	b.WriteString(managedFields("  "))
	fmt.Fprintf(&b, "  name: worker-%d\n  namespace: openshift-machine-api\n  uid: 5f1c2f2e-0000-4000-8000-%012d\nspec:\n  lifecycleHooks: {}\n  providerSpec:\n    value:\n      ami:\n        id: ami-0\n      tags:\n", i, i)
	for n := range 40 {
		fmt.Fprintf(&b, "      - name: tag-%d\n        value: some-value\n", n)
	}
	fmt.Fprintf(&b, "status:\n  addresses:\n  - address: %s\n    type: InternalIP\n  - address: %s\n    type: InternalDNS\n  nodeRef:\n    kind: Node\n    name: %s\n  phase: Running\n", ip, name, name)
	return b.String()
}

// writePods writes a list of pods as a busy namespace has it, about a MiB.
func writePods(name string) (int64, error) {
	const pods = 130
	file, err := os.Create(name)
	if err != nil {
		return 0, err
	}
	counter := &counting{to: file}
	out := bufio.NewWriter(counter)
	fmt.Fprint(out, "---\napiVersion: v1\nitems:\n")
	for i := range pods {
		fmt.Fprintf(out, "- apiVersion: v1\n  kind: Pod\n  metadata:\n%s    name: pod-%d\n    namespace: app\n  spec:\n    nodeName: node\n  status:\n    phase: Running\n", managedFields("    "), i)
	}
	fmt.Fprint(out, "kind: PodList\n")
	if err := out.Flush(); err != nil {
		return 0, err
	}
	return counter.bytes, file.Close()
}

type counting struct {
	to    io.Writer
	bytes int64
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.bytes += int64(n)
	return n, err
}
