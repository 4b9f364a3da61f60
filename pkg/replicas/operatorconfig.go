package replicas

import "github.com/openshift/cluster-etcd-operator/pkg/snapshot"

const (
	etcdResource     = "etcds.operator.openshift.io/cluster"
	unsafeNonHAField = "useUnsupportedUnsafeNonHANonProductionUnstableEtcd"
)

var observedConfig = origin{
	object:   etcdResource,
	document: "spec.observedConfig",
	field:    "spec.observedConfig.%s",
	repair:   followInstallConfig,
	renumber: followInstallConfig,
}

// followInstallConfig: nobody but the config observer is to write the observed value.
const followInstallConfig = "write a whole number from 1 to 9 at controlPlane.replicas in key install-config of ConfigMap " +
	"cluster-config-v1 in kube-system; the operator copies it here"

var overrides = origin{
	object:   etcdResource,
	document: "spec.unsupportedConfigOverrides",
	field:    "spec.unsupportedConfigOverrides.%s",
	repair:   "write a mapping, or remove the field",
	renumber: writeNumber + ", or remove the field",
}

// ParseObservedConfig returns controlPlane.replicas of spec.observedConfig of the etcd resource, in JSON or YAML, between
// 1 and Max (rule R1.1). A value that was not written yet is an error like any other, an *snapshot.InputError.
func ParseObservedConfig(raw []byte) (int, error) {
	root, err := observedConfig.parse(raw)
	if err != nil {
		return 0, err
	}
	return observedConfig.requiredReplicas(root, "controlPlane")
}

// Overrides is what spec.unsupportedConfigOverrides of the etcd resource says.
type Overrides struct {
	Replicas Override
	// UnsafeNonHA is the flag useUnsupportedUnsafeNonHANonProductionUnstableEtcd. It opens gates, so it is false
	// unless it was read as true.
	UnsafeNonHA bool
}

// ParseOverrides reads spec.unsupportedConfigOverrides of the etcd resource, in JSON or YAML: controlPlane.replicas as a
// number and useUnsupportedUnsafeNonHANonProductionUnstableEtcd as true or false, in quotes or not. What is absent or
// null is not overridden. The error is an *snapshot.InputError about the first field that cannot be read; what could be
// read is returned with it.
func ParseOverrides(raw []byte) (Overrides, error) {
	root, err := overrides.parse(raw)
	if err != nil {
		return Overrides{}, err
	}
	replicas, err := overriddenReplicas(root)
	unsafeNonHA, unsafeErr := overriddenSafety(root)
	if err == nil {
		err = unsafeErr
	}
	return Overrides{Replicas: replicas, UnsafeNonHA: unsafeNonHA}, err
}

func overriddenReplicas(root map[any]any) (Override, error) {
	const pool = "controlPlane"
	if root[pool] == nil {
		return Override{Set: snapshot.False}, nil
	}
	value, _, err := overrides.replicas(root, pool)
	if err != nil {
		return Override{}, err
	}
	if value == nil {
		return Override{Set: snapshot.False}, nil
	}
	n, err := overrides.count(pool+".replicas", value)
	if err != nil {
		return Override{}, err
	}
	return Override{Set: snapshot.True, Replicas: n}, nil
}

func overriddenSafety(root map[any]any) (bool, error) {
	value := root[unsafeNonHAField]
	switch value {
	case nil, false, "false":
		return false, nil
	case true, "true":
		return true, nil
	default:
		return false, overrides.inField(unsafeNonHAField, text(value), "is neither true nor false", "write true or false, or remove the field")
	}
}
