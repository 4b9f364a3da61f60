package operator

import (
	"errors"

	"github.com/openshift/cluster-etcd-operator/pkg/health"
)

// Settings are what the command line, its configuration file and the environment say.
type Settings struct {
	// Identity is what this process writes into the lease as its holder; LeaseName and LeaseNamespace say which lease. An
	// empty namespace is the operator's own.
	Identity, LeaseName, LeaseNamespace string
	// Record is the file to which each pass is appended; empty for none.
	Record string
	// Health is told of the loop once it runs.
	Health *health.Check
	Environment
}

// Environment is what the Deployment tells through environment variables, named after them.
type Environment struct {
	// OperatorImage (OPERATOR_IMAGE) is the image of the guard pods as well.
	OperatorImage string
	// OperatorVersion (OPERATOR_IMAGE_VERSION) and OperandVersion (OPERAND_IMAGE_VERSION) are versions of the release, as
	// ClusterOperator etcd shows them.
	OperatorVersion, OperandVersion string
}

// EnvironmentFrom reads the variables with get, such as os.Getenv.
func EnvironmentFrom(get func(string) string) Environment {
	return Environment{
		OperatorImage:   get("OPERATOR_IMAGE"),
		OperatorVersion: get("OPERATOR_IMAGE_VERSION"),
		OperandVersion:  get("OPERAND_IMAGE_VERSION"),
	}
}

// check names what is missing: with an empty image guards could not start, and with an empty version every version would
// look like another one's (rule R7.5).
func (e Environment) check() error {
	var errs []error
	for _, required := range []struct{ name, value string }{
		{"OPERATOR_IMAGE", e.OperatorImage},
		{"OPERATOR_IMAGE_VERSION", e.OperatorVersion},
		{"OPERAND_IMAGE_VERSION", e.OperandVersion},
	} {
		if required.value == "" {
			errs = append(errs, errors.New("environment variable "+required.name+" is not set"))
		}
	}
	return errors.Join(errs...)
}
