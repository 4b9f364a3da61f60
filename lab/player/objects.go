package player

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"

	"github.com/openshift/cluster-etcd-operator/lab/control"
	"github.com/openshift/cluster-etcd-operator/lab/facts"
	"github.com/openshift/cluster-etcd-operator/lab/history"
	"github.com/openshift/cluster-etcd-operator/lab/observer"
	"github.com/openshift/cluster-etcd-operator/lab/scenario"
)

const (
	machineNamespace = "openshift-machine-api"
	zoneLabel        = "machine.openshift.io/zone"
	roleLabel        = "machine.openshift.io/cluster-api-machine-role"
	fieldManager     = "lab-scenario"
	// apiPatience is how long a request is repeated: while a member goes away the
	// API server cannot answer some, as in life.
	apiPatience = 30 * time.Second
	apiPause    = 300 * time.Millisecond
)

// decided reports whether the API server has understood the request and said no;
// all else is worth another try.
func decided(err error) bool {
	return apierrors.IsNotFound(err) || apierrors.IsForbidden(err) || apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) ||
		apierrors.IsUnauthorized(err) || apierrors.IsMethodNotSupported(err) || apierrors.IsAlreadyExists(err)
}

// api makes a request until there is an answer to it.
func (p *Player) api(ctx context.Context, request func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, apiPatience, fmt.Errorf("the API server did not do it within %s", apiPatience))
	defer cancel()
	for attempt := 0; ; attempt++ {
		err := request(ctx)
		if attempt > 0 && apierrors.IsAlreadyExists(err) {
			// By an attempt whose answer was lost.
			return nil
		}
		if err == nil || decided(err) {
			return err
		}
		if ctx.Err() == nil {
			p.pass(ctx, apiPause)
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%w: %w", context.Cause(ctx), err)
		}
	}
}

func (p *Player) machines() dynamic.ResourceInterface {
	return p.dynamic.Resource(observer.Machines).Namespace(machineNamespace)
}

// place is what a host is for, and where it stands.
type place struct{ role, zone string }

func (p *Player) learnPlaces(ctx context.Context) error {
	p.places = map[string]place{}
	return p.api(ctx, func(ctx context.Context) error {
		list, err := p.machines().List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, machine := range list.Items {
			p.places[machine.GetName()] = place{machine.GetLabels()[roleLabel], machine.GetLabels()[zoneLabel]}
		}
		return nil
	})
}

func (p *Player) create(ctx context.Context, action *scenario.Create) error {
	if action.Host != "" {
		at, err := p.placeLike(action.Like)
		if err != nil {
			return err
		}
		return control.CreateHost(action.Host, at.role, at.zone)
	}
	object := &unstructured.Unstructured{Object: action.Object}
	if action.Machine != "" {
		at, err := p.placeLike(action.Like)
		if err != nil {
			return err
		}
		object = newMachine(action.Machine, at)
	}
	client, err := p.resource(object.GetAPIVersion(), object.GetKind(), object.GetNamespace())
	if err != nil {
		return err
	}
	return p.api(ctx, func(ctx context.Context) error {
		_, err := client.Create(ctx, object, metav1.CreateOptions{FieldManager: fieldManager})
		return err
	})
}

// placeLike is that of a Machine that was there to begin with, or the usual one.
func (p *Player) placeLike(machine string) (place, error) {
	if machine == "" {
		return place{"master", "zone-0"}, nil
	}
	known, found := p.places[machine]
	if !found {
		return place{}, fmt.Errorf("no Machine %s was there to begin with", machine)
	}
	return known, nil
}

// newMachine writes out what webhooks would default, since there are none.
func newMachine(name string, at place) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "machine.openshift.io/v1beta1",
		"kind":       "Machine",
		"metadata": map[string]any{
			"name": name, "namespace": machineNamespace,
			"labels": map[string]any{
				"machine.openshift.io/cluster-api-cluster": "lab",
				roleLabel: at.role,
				"machine.openshift.io/cluster-api-machine-type": at.role,
				zoneLabel: at.zone,
			},
		},
		"spec": map[string]any{
			"providerSpec": map[string]any{"value": map[string]any{"apiVersion": "lab/v1", "kind": "HostSpec"}},
		},
	}}
}

func (p *Player) resource(apiVersion, kind, namespace string) (dynamic.ResourceInterface, error) {
	version, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return nil, fmt.Errorf("apiVersion %q: %w", apiVersion, err)
	}
	resource, _ := meta.UnsafeGuessKindToResource(version.WithKind(kind))
	if namespace == "" {
		return p.dynamic.Resource(resource), nil
	}
	return p.dynamic.Resource(resource).Namespace(namespace), nil
}

func (p *Player) delete(ctx context.Context, action *scenario.Delete) error {
	client, name := p.machines(), action.Machine
	if name == "" {
		var err error
		if client, err = p.resource(action.Object.APIVersion, action.Object.Kind, action.Object.Namespace); err != nil {
			return err
		}
		name = action.Object.Name
	}
	return p.api(ctx, func(ctx context.Context) error { return client.Delete(ctx, name, metav1.DeleteOptions{}) })
}

func (p *Player) forceDelete(ctx context.Context, name string) error {
	p.writer.Interval(history.Interval{From: p.writer.Now(), What: history.MachineForced, Subject: name})
	return p.api(ctx, func(ctx context.Context) error {
		if err := p.machines().Delete(ctx, name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
		_, err := p.machines().Patch(ctx, name, types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{FieldManager: fieldManager})
		if apierrors.IsNotFound(err) {
			return nil
		}
		return err
	})
}

// strip removes the operator's hook from a Machine; one that has none is left
// alone.
func (p *Player) strip(ctx context.Context, name, manager string) error {
	if manager == "" {
		manager = fieldManager
	}
	p.writer.Interval(history.Interval{From: p.writer.Now(), What: history.HookStripped, Subject: name})
	return p.api(ctx, func(ctx context.Context) error {
		machine, err := p.machines().Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		hooks, _, err := unstructured.NestedSlice(machine.Object, "spec", "lifecycleHooks", "preDrain")
		if err != nil {
			return fmt.Errorf("read the hooks of %s: %w", name, err)
		}
		for i, hook := range hooks {
			fields, _ := hook.(map[string]any)
			if fields["name"] != facts.Hook {
				continue
			}
			path := fmt.Sprintf("/spec/lifecycleHooks/preDrain/%d", i)
			patch, err := json.Marshal([]map[string]any{
				{"op": "test", "path": path + "/name", "value": facts.Hook},
				{"op": "remove", "path": path},
			})
			if err != nil {
				return err
			}
			_, err = p.machines().Patch(ctx, name, types.JSONPatchType, patch, metav1.PatchOptions{FieldManager: manager})
			if apierrors.IsInvalid(err) {
				// Somebody changed the list meanwhile.
				return fmt.Errorf("the hooks of %s have changed: %s", name, err)
			}
			return err
		}
		return nil
	})
}

func (p *Player) fight(ctx context.Context, action *scenario.Fight) {
	var cancel context.CancelFunc = func() {}
	if action.For > 0 {
		ctx, cancel = context.WithTimeout(ctx, time.Duration(action.For))
	}
	p.background.Go(func() {
		defer cancel()
		for ctx.Err() == nil {
			if err := p.strip(ctx, action.Machine, action.As); err != nil && ctx.Err() == nil {
				p.say("fight over the hook of %s: %v", action.Machine, err)
			}
			p.pass(ctx, action.Every.Or(fightInterval))
		}
	})
}

func (p *Player) edit(ctx context.Context, action *scenario.Edit) error {
	err := p.tryEdit(ctx, action)
	if action.Expect != scenario.Refused {
		return err
	}
	if err == nil {
		return fmt.Errorf("it was not refused")
	}
	if !decided(err) {
		return err
	}
	p.say("refused: %v", err)
	return nil
}

func (p *Player) tryEdit(ctx context.Context, action *scenario.Edit) error {
	if action.InstallConfig != nil {
		return p.editInstallConfig(ctx, action.InstallConfig)
	}
	client, err := p.resource(action.Object.APIVersion, action.Object.Kind, action.Object.Namespace)
	if err != nil {
		return err
	}
	kind, change := types.MergePatchType, any(action.Merge)
	if action.JSON != nil {
		kind, change = types.JSONPatchType, action.JSON
	}
	patch, err := json.Marshal(change)
	if err != nil {
		return fmt.Errorf("encode the patch: %w", err)
	}
	var subresources []string
	if action.Subresource != "" {
		subresources = append(subresources, action.Subresource)
	}
	manager := action.As
	if manager == "" {
		manager = fieldManager
	}
	return p.api(ctx, func(ctx context.Context) error {
		_, err := client.Patch(ctx, action.Object.Name, kind, patch, metav1.PatchOptions{FieldManager: manager}, subresources...)
		return err
	})
}

func (p *Player) editInstallConfig(ctx context.Context, change map[string]any) error {
	const key = "install-config"
	client := p.client.CoreV1().ConfigMaps("kube-system")
	return p.api(ctx, func(ctx context.Context) error {
		config, err := client.Get(ctx, "cluster-config-v1", metav1.GetOptions{})
		if err != nil {
			return err
		}
		document := map[string]any{}
		if err := yaml.Unmarshal([]byte(config.Data[key]), &document); err != nil {
			return fmt.Errorf("parse install-config: %w", err)
		}
		text, err := yaml.Marshal(merge(document, change))
		if err != nil {
			return fmt.Errorf("encode install-config: %w", err)
		}
		config.Data[key] = string(text)
		_, err = client.Update(ctx, config, metav1.UpdateOptions{FieldManager: fieldManager})
		return err
	})
}

// merge is a JSON merge patch: null removes.
func merge(document, change map[string]any) map[string]any {
	for key, value := range change {
		if value == nil {
			delete(document, key)
			continue
		}
		deeper, isMap := value.(map[string]any)
		below, wasMap := document[key].(map[string]any)
		switch {
		case isMap && wasMap:
			document[key] = merge(below, deeper)
		case isMap:
			document[key] = merge(map[string]any{}, deeper)
		default:
			document[key] = value
		}
	}
	return document
}

// mirror reports whether the kubelet made the pod from a file.
func mirror(pod corev1.Pod) bool {
	_, is := pod.Annotations[corev1.MirrorPodAnnotationKey]
	return is
}
