package operator

import (
	"errors"
	"fmt"

	operatorv1 "github.com/openshift/api/operator/v1"
	configclient "github.com/openshift/client-go/config/clientset/versioned"
	machineclient "github.com/openshift/client-go/machine/clientset/versioned"
	applyoperatorv1 "github.com/openshift/client-go/operator/applyconfigurations/operator/v1"
	operatorclientset "github.com/openshift/client-go/operator/clientset/versioned"
	"github.com/openshift/library-go/pkg/controller/controllercmd"
	"github.com/openshift/library-go/pkg/operator/genericoperatorclient"
	"github.com/openshift/library-go/pkg/operator/v1helpers"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/kubernetes"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
)

// The files are mounted into the operator's pod, and read again for each connection.
var etcdFiles = etcdclient.TLSFiles{
	Certificate: "/var/run/secrets/etcd-client/tls.crt",
	Key:         "/var/run/secrets/etcd-client/tls.key",
	Authorities: "/var/run/configmaps/etcd-ca/ca-bundle.crt",
}

type clients struct {
	kube     kubernetes.Interface
	config   configclient.Interface
	operator operatorclientset.Interface
	machine  machineclient.Interface
	// etcd is the resource etcds.operator.openshift.io/cluster, not the cluster of that name.
	etcd          v1helpers.OperatorClientWithFinalizers
	etcdInformers dynamicinformer.DynamicSharedInformerFactory
}

func newClients(cc *controllercmd.ControllerContext) (clients, error) {
	var c clients
	var errs [5]error
	c.kube, errs[0] = kubernetes.NewForConfig(cc.ProtoKubeConfig)
	c.config, errs[1] = configclient.NewForConfig(cc.KubeConfig)
	c.operator, errs[2] = operatorclientset.NewForConfig(cc.KubeConfig)
	c.machine, errs[3] = machineclient.NewForConfig(cc.KubeConfig)
	c.etcd, c.etcdInformers, errs[4] = genericoperatorclient.NewClusterScopedOperatorClient(
		cc.Clock, cc.KubeConfig, operatorv1.GroupVersion.WithResource("etcds"), operatorv1.GroupVersion.WithKind("Etcd"),
		ownedSpec, ownedStatus)
	if err := errors.Join(errs[:]...); err != nil {
		return clients{}, fmt.Errorf("make clients: %w", err)
	}
	return c, nil
}

// ownedSpec returns the part of the spec that a field manager owns.
func ownedSpec(obj *unstructured.Unstructured, fieldManager string) (*applyoperatorv1.OperatorSpecApplyConfiguration, error) {
	etcd, err := etcdFrom(obj)
	if err != nil {
		return nil, err
	}
	owned, err := applyoperatorv1.ExtractEtcd(etcd, fieldManager)
	if err != nil {
		return nil, fmt.Errorf("find what %s owns of the etcd resource: %w", fieldManager, err)
	}
	if owned.Spec == nil {
		return nil, nil
	}
	return &owned.Spec.OperatorSpecApplyConfiguration, nil
}

// ownedStatus returns the part of the status that a field manager owns.
func ownedStatus(obj *unstructured.Unstructured, fieldManager string) (*applyoperatorv1.OperatorStatusApplyConfiguration, error) {
	etcd, err := etcdFrom(obj)
	if err != nil {
		return nil, err
	}
	owned, err := applyoperatorv1.ExtractEtcdStatus(etcd, fieldManager)
	if err != nil {
		return nil, fmt.Errorf("find what %s owns of the etcd resource: %w", fieldManager, err)
	}
	if owned.Status == nil {
		return nil, nil
	}
	return &owned.Status.OperatorStatusApplyConfiguration, nil
}

func etcdFrom(obj *unstructured.Unstructured) (*operatorv1.Etcd, error) {
	etcd := &operatorv1.Etcd{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(obj.Object, etcd); err != nil {
		return nil, fmt.Errorf("read the etcd resource: %w", err)
	}
	return etcd, nil
}
