package operator

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	configv1 "github.com/openshift/api/config/v1"
	operatorv1 "github.com/openshift/api/operator/v1"
	"github.com/openshift/library-go/pkg/apiserver/jsonpatch"
	"github.com/openshift/library-go/pkg/operator/v1helpers"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-etcd-operator/pkg/decision"
	"github.com/openshift/cluster-etcd-operator/pkg/pass"
	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
	w "github.com/openshift/cluster-etcd-operator/pkg/snapshot/snapshottest"
)

func TestDegradedShowsAfterTenMinutesAndOtherTypesAfterTwo(t *testing.T) {
	for condition, want := range map[string]time.Duration{
		"ClusterMemberControllerDegraded": 10 * time.Minute,
		"EtcdMembersDegraded":             10 * time.Minute,
		"EtcdMembersAvailable":            2 * time.Minute,
		"GuardControllerProgressing":      2 * time.Minute,
	} {
		if got := inertia().Inertia(operatorv1.OperatorCondition{Type: condition}); got != want {
			t.Errorf("%s: %s, want %s", condition, got, want)
		}
	}
}

func TestMustGatherCollectsTheMachinesOfTheControlPlane(t *testing.T) {
	machine := func(name string) configv1.ObjectReference {
		return configv1.ObjectReference{Group: "machine.openshift.io", Resource: "machines", Namespace: "openshift-machine-api", Name: name}
	}
	seen := pass.Pass{Decisions: decision.About(w.New(w.NewMachine(w.D)))}
	known, got := relatedMachines(&seen)
	want := []configv1.ObjectReference{machine("machine-a"), machine("machine-b"), machine("machine-c"), machine("machine-d")}
	if diff := cmp.Diff(want, got); !known || diff != "" {
		t.Errorf("known %t (-want +got):\n%s", known, diff)
	}
	blind := pass.Pass{Decisions: decision.About(w.New(w.Facts(func(s *snapshot.Snapshot) { s.MachineList = snapshot.Unknown })))}
	for name, p := range map[string]*pass.Pass{"before the first pass": nil, "while machines are not known": &blind} {
		if known, _ := relatedMachines(p); known {
			t.Errorf("%s the references would be overwritten", name)
		}
	}
}

func TestEveryMissingVariableIsNamed(t *testing.T) {
	err := EnvironmentFrom(func(string) string { return "" }).check()
	for _, name := range []string{"OPERATOR_IMAGE ", "OPERATOR_IMAGE_VERSION", "OPERAND_IMAGE_VERSION"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not named: %v", name, err)
		}
	}
	complete := EnvironmentFrom(func(name string) string { return "value of " + name })
	want := Environment{"value of OPERATOR_IMAGE", "value of OPERATOR_IMAGE_VERSION", "value of OPERAND_IMAGE_VERSION"}
	if complete != want || complete.check() != nil {
		t.Errorf("got %+v, %v", complete, complete.check())
	}
}

func TestARecordGoesOnWhereItEnded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "record")
	for _, line := range []string{"one\n", "two\n"} {
		record, err := openRecord(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := record.writer().Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
		record.Close()
	}
	if got, err := os.ReadFile(path); string(got) != "one\ntwo\n" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestWithoutAPathNothingIsRecorded(t *testing.T) {
	record, err := openRecord("")
	if err != nil || record.writer() != nil {
		t.Errorf("writer %v, error %v", record.writer(), err)
	}
	record.Close()
	if _, err := openRecord(filepath.Join(t.TempDir(), "none", "record")); err == nil {
		t.Error("a path that cannot be opened is no error")
	}
}

const etcd = `
apiVersion: operator.openshift.io/v1
kind: Etcd
metadata:
  name: cluster
  managedFields:
  - manager: MyController
    operation: Apply
    apiVersion: operator.openshift.io/v1
    fieldsType: FieldsV1
    subresource: status
    fieldsV1: {"f:status": {"f:conditions": {'k:{"type":"MineDegraded"}': {".": {}, "f:type": {}, "f:status": {}}}}}
  - manager: MyController
    operation: Apply
    apiVersion: operator.openshift.io/v1
    fieldsType: FieldsV1
    fieldsV1: {"f:spec": {"f:logLevel": {}}}
spec: {managementState: Managed, logLevel: Debug}
status:
  conditions:
  - {type: MineDegraded, status: "True", lastTransitionTime: "2026-01-01T00:00:00Z"}
  - {type: OthersDegraded, status: "True", lastTransitionTime: "2026-01-01T00:00:00Z"}
`

func TestAControllerOwnsWhatItAppliedAndNoMore(t *testing.T) {
	obj := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(etcd), &obj.Object); err != nil {
		t.Fatal(err)
	}
	status, err := ownedStatus(obj, "MyController")
	if err != nil {
		t.Fatal(err)
	}
	if len(status.Conditions) != 1 || *status.Conditions[0].Type != "MineDegraded" {
		t.Errorf("conditions %+v", status.Conditions)
	}
	spec, err := ownedSpec(obj, "MyController")
	if err != nil {
		t.Fatal(err)
	}
	if spec.ManagementState != nil || spec.LogLevel == nil || *spec.LogLevel != operatorv1.Debug {
		t.Errorf("spec %+v", spec)
	}
	// Who applied nothing owns nothing, which is not an error.
	if spec, err := ownedSpec(obj, "Nobody"); spec != nil || err != nil {
		t.Errorf("spec %+v, %v", spec, err)
	}
	if status, err := ownedStatus(obj, "Nobody"); status != nil || err != nil {
		t.Errorf("status %+v, %v", status, err)
	}
}

// patches counts them.
type patches struct {
	v1helpers.OperatorClient
	count int
}

func (p *patches) PatchOperatorStatus(context.Context, *jsonpatch.PatchSet) error {
	p.count++
	return nil
}

func TestStaleConditionsStayWhileNothingIsToBeWritten(t *testing.T) {
	for state, want := range map[operatorv1.ManagementState]int{operatorv1.Managed: 1, operatorv1.Unmanaged: 0, operatorv1.Removed: 0} {
		counting := &patches{OperatorClient: v1helpers.NewFakeOperatorClient(
			&operatorv1.OperatorSpec{ManagementState: state}, &operatorv1.OperatorStatus{}, nil)}
		if err := (managedPatches{counting}).PatchOperatorStatus(context.Background(), jsonpatch.New()); err != nil {
			t.Fatal(err)
		}
		if counting.count != want {
			t.Errorf("%s: %d patches, want %d", state, counting.count, want)
		}
	}
}
