package replicas

import "fmt"

// installConfigKey is the key of ConfigMap cluster-config-v1 that holds the document.
const installConfigKey = "install-config"

var installConfig = origin{
	object:   "ConfigMap cluster-config-v1 in kube-system",
	document: "key " + installConfigKey,
	field:    "%s in key " + installConfigKey,
	repair:   "restore the YAML document that the installation wrote, with a number from 1 to 9 at controlPlane.replicas",
	renumber: writeNumber,
}

// FromConfigMap returns the number of control-plane replicas that ConfigMap cluster-config-v1 in kube-system asks for
// (rule R1.1), between 1 and Max. exists tells whether the ConfigMap is there, data is its data. The error is an
// *snapshot.InputError; the caller then keeps the value that it had (see Keep).
func FromConfigMap(exists bool, data map[string]string) (int, error) {
	if !exists {
		return 0, installConfig.inDocument("is missing, as is the whole ConfigMap")
	}
	document, found := data[installConfigKey]
	if !found {
		return 0, installConfig.inDocument("is missing")
	}
	return ParseInstallConfig(document)
}

// ParseInstallConfig returns the number of control-plane replicas that an install-config document, in YAML or JSON, asks
// for: controlPlane.replicas, plus arbiter.replicas when the document has an arbiter (rule R1.1). It is between 1 and
// Max. The error is an *snapshot.InputError.
func ParseInstallConfig(document string) (int, error) {
	root, err := installConfig.parse([]byte(document))
	if err != nil {
		return 0, err
	}
	if root == nil {
		return 0, installConfig.inDocument("is empty")
	}
	controlPlane, err := installConfig.requiredReplicas(root, "controlPlane")
	if err != nil {
		return 0, err
	}
	// An arbiter without a number is no reason to count it as none: the sum would be too small, and a voter too many
	// could be removed (invariant I4).
	if _, present := root["arbiter"]; !present {
		return controlPlane, nil
	}
	arbiter, err := installConfig.requiredReplicas(root, "arbiter")
	if err != nil {
		return 0, err
	}
	if sum := controlPlane + arbiter; !sane(sum) {
		return 0, installConfig.inField("controlPlane.replicas + arbiter.replicas", fmt.Sprintf("%d + %d", controlPlane, arbiter),
			moreThanMax, "write two whole numbers whose sum is at most 9")
	}
	return controlPlane + arbiter, nil
}
