package manifests

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"
)

// decoded returns every object of one kind, strictly decoded.
func decoded[T any](t *testing.T, kind string) []T {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "manifests", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var all []T
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, document := range separator.Split(string(content), -1) {
			var m manifest
			if err := yaml.Unmarshal([]byte(document), &m); err != nil {
				t.Fatal(err)
			}
			if m.Kind != kind {
				continue
			}
			var object T
			if err := yaml.UnmarshalStrict([]byte(document), &object); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			all = append(all, object)
		}
	}
	if len(all) == 0 {
		t.Fatalf("there is no %s", kind)
	}
	return all
}

func TestTheOperatorHasListedRightsOnly(t *testing.T) {
	check := func(name string, rules []rbacv1.PolicyRule) {
		for _, rule := range rules {
			if len(rule.NonResourceURLs) > 0 {
				t.Errorf("%s: %v", name, rule)
			}
			for _, word := range slices.Concat(rule.APIGroups, rule.Resources, rule.Verbs) {
				if strings.Contains(word, "*") || slices.Contains([]string{"escalate", "bind", "impersonate", "deletecollection"}, word) {
					t.Errorf("%s: %q is more than any operator needs: %v", name, word, rule)
				}
			}
			if slices.Contains(rule.Resources, "secrets") || slices.Contains(rule.Resources, "pods/exec") {
				t.Errorf("%s: nothing here reads secrets or enters pods: %v", name, rule)
			}
			if slices.Contains(rule.Resources, "machines") && slices.ContainsFunc(rule.Verbs, func(verb string) bool { return verb == "create" || verb == "delete" }) {
				t.Errorf("%s: creating and deleting Machines is not the operator's business: %v", name, rule)
			}
		}
	}
	for _, role := range decoded[rbacv1.ClusterRole](t, "ClusterRole") {
		check(role.Name, role.Rules)
		for _, rule := range role.Rules {
			if slices.Contains(rule.Resources, "configmaps") || slices.Contains(rule.Resources, "pods") {
				t.Errorf("%s: that belongs to namespaces: %v", role.Name, rule)
			}
		}
	}
	for _, role := range decoded[rbacv1.Role](t, "Role") {
		check(role.Namespace+"/"+role.Name, role.Rules)
	}
}

func TestBindingsGiveTheOperatorItsOwnRoles(t *testing.T) {
	for _, b := range decoded[rbacv1.ClusterRoleBinding](t, "ClusterRoleBinding") {
		if b.RoleRef.Name != "openshift-cluster-etcd-operator" {
			t.Errorf("%s binds %s", b.Name, b.RoleRef.Name)
		}
	}
	roles := decoded[rbacv1.Role](t, "Role")
	for _, b := range decoded[rbacv1.RoleBinding](t, "RoleBinding") {
		// The API server brings this one.
		if b.RoleRef.Name == "extension-apiserver-authentication-reader" && b.Namespace == "kube-system" {
			continue
		}
		if !slices.ContainsFunc(roles, func(r rbacv1.Role) bool {
			return b.RoleRef.Kind == "Role" && r.Name == b.RoleRef.Name && r.Namespace == b.Namespace
		}) {
			t.Errorf("%s/%s binds %s %s, which is not there", b.Namespace, b.Name, b.RoleRef.Kind, b.RoleRef.Name)
		}
	}
}

func TestTheOperatorRunsWithoutPrivileges(t *testing.T) {
	deployments := decoded[appsv1.Deployment](t, "Deployment")
	pod := deployments[0].Spec.Template.Spec
	if pod.SecurityContext == nil || pod.SecurityContext.RunAsNonRoot == nil || !*pod.SecurityContext.RunAsNonRoot ||
		pod.SecurityContext.SeccompProfile == nil || pod.SecurityContext.SeccompProfile.Type != "RuntimeDefault" {
		t.Errorf("pod: %+v", pod.SecurityContext)
	}
	if pod.HostNetwork || pod.HostPID || pod.HostIPC || pod.PriorityClassName != "system-cluster-critical" || pod.ServiceAccountName != "etcd-operator" {
		t.Errorf("network, processes, priority or account of the pod: %+v", pod)
	}
	for _, volume := range pod.Volumes {
		if volume.HostPath != nil {
			t.Errorf("volume %s is a folder of the host", volume.Name)
		}
	}
	if len(pod.Containers) != 1 || len(pod.InitContainers) != 0 {
		t.Fatalf("%d containers", len(pod.Containers))
	}
	c := pod.Containers[0].SecurityContext
	if c == nil || c.AllowPrivilegeEscalation == nil || *c.AllowPrivilegeEscalation || c.ReadOnlyRootFilesystem == nil || !*c.ReadOnlyRootFilesystem ||
		c.Capabilities == nil || len(c.Capabilities.Add) > 0 || !slices.Contains(c.Capabilities.Drop, "ALL") {
		t.Errorf("container: %+v", c)
	}
}

func TestAReleaseReplacesEveryImage(t *testing.T) {
	content, err := os.ReadFile(filepath.Join("..", "..", "manifests", imageReferences))
	if err != nil {
		t.Fatal(err)
	}
	var stream struct {
		Spec struct {
			Tags []struct {
				Name string
				From struct{ Name string }
			}
		}
	}
	if err := yaml.Unmarshal(content, &stream); err != nil {
		t.Fatal(err)
	}
	var replaced []string
	for _, tag := range stream.Spec.Tags {
		replaced = append(replaced, tag.From.Name)
	}
	slices.Sort(replaced)
	var used []string
	for _, d := range decoded[appsv1.Deployment](t, "Deployment") {
		for _, c := range d.Spec.Template.Spec.Containers {
			used = append(used, c.Image)
			for _, e := range c.Env {
				if strings.HasSuffix(e.Name, "IMAGE") {
					used = append(used, e.Value)
				}
			}
		}
	}
	slices.Sort(used)
	if diff := cmp.Diff(replaced, slices.Compact(used)); diff != "" {
		t.Errorf("images that a release puts in place, and those used (-replaced +used):\n%s", diff)
	}
}
