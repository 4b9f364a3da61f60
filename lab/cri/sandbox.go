package cri

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"maps"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
)

type sandbox struct {
	id      string
	config  *runtimeapi.PodSandboxConfig
	created time.Time
	ready   bool
}

func (s *sandbox) state() runtimeapi.PodSandboxState {
	if s.ready {
		return runtimeapi.PodSandboxState_SANDBOX_READY
	}
	return runtimeapi.PodSandboxState_SANDBOX_NOTREADY
}

func newID() string {
	id := make([]byte, 16)
	// Since Go 1.24 this does not fail.
	_, _ = rand.Read(id)
	return hex.EncodeToString(id)
}

// RunPodSandbox records the pod.
func (s *Server) RunPodSandbox(_ context.Context, request *runtimeapi.RunPodSandboxRequest) (*runtimeapi.RunPodSandboxResponse, error) {
	created := &sandbox{id: newID(), config: request.GetConfig(), created: time.Now(), ready: true}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sandboxes[created.id] = created
	return &runtimeapi.RunPodSandboxResponse{PodSandboxId: created.id}, nil
}

// StopPodSandbox kills what still runs in the pod.
func (s *Server) StopPodSandbox(_ context.Context, request *runtimeapi.StopPodSandboxRequest) (*runtimeapi.StopPodSandboxResponse, error) {
	s.mu.Lock()
	if found := s.sandboxes[request.GetPodSandboxId()]; found != nil {
		found.ready = false
	}
	members := s.containersOf(request.GetPodSandboxId())
	s.mu.Unlock()
	for _, member := range members {
		if err := member.stop(0); err != nil {
			return nil, err
		}
	}
	return &runtimeapi.StopPodSandboxResponse{}, nil
}

// RemovePodSandbox forgets the pod and its containers.
func (s *Server) RemovePodSandbox(ctx context.Context, request *runtimeapi.RemovePodSandboxRequest) (*runtimeapi.RemovePodSandboxResponse, error) {
	s.mu.Lock()
	members := s.containersOf(request.GetPodSandboxId())
	s.mu.Unlock()
	for _, member := range members {
		if _, err := s.RemoveContainer(ctx, &runtimeapi.RemoveContainerRequest{ContainerId: member.id}); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sandboxes, request.GetPodSandboxId())
	return &runtimeapi.RemovePodSandboxResponse{}, nil
}

// PodSandboxStatus tells the pod's state and address.
func (s *Server) PodSandboxStatus(_ context.Context, request *runtimeapi.PodSandboxStatusRequest) (*runtimeapi.PodSandboxStatusResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.sandboxes[request.GetPodSandboxId()]
	if found == nil {
		return nil, status.Errorf(codes.NotFound, "no pod sandbox %s", request.GetPodSandboxId())
	}
	return &runtimeapi.PodSandboxStatusResponse{Status: &runtimeapi.PodSandboxStatus{
		Id:          found.id,
		Metadata:    found.config.GetMetadata(),
		State:       found.state(),
		CreatedAt:   found.created.UnixNano(),
		Network:     &runtimeapi.PodSandboxNetworkStatus{Ip: s.address},
		Linux:       &runtimeapi.LinuxPodSandboxStatus{Namespaces: &runtimeapi.Namespace{Options: found.config.GetLinux().GetSecurityContext().GetNamespaceOptions()}},
		Labels:      found.config.GetLabels(),
		Annotations: found.config.GetAnnotations(),
	}}, nil
}

// ListPodSandbox lists the pods that match the filter.
func (s *Server) ListPodSandbox(_ context.Context, request *runtimeapi.ListPodSandboxRequest) (*runtimeapi.ListPodSandboxResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	filter := request.GetFilter()
	response := &runtimeapi.ListPodSandboxResponse{}
	for _, item := range s.sandboxes {
		switch {
		case filter.GetId() != "" && filter.GetId() != item.id:
			continue
		case filter.GetState() != nil && filter.GetState().GetState() != item.state():
			continue
		case !carries(item.config.GetLabels(), filter.GetLabelSelector()):
			continue
		}
		response.Items = append(response.Items, &runtimeapi.PodSandbox{
			Id:          item.id,
			Metadata:    item.config.GetMetadata(),
			State:       item.state(),
			CreatedAt:   item.created.UnixNano(),
			Labels:      item.config.GetLabels(),
			Annotations: item.config.GetAnnotations(),
		})
	}
	return response, nil
}

// carries reports whether labels has all that wanted has.
func carries(labels, wanted map[string]string) bool {
	all := maps.Clone(labels)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, wanted)
	return maps.Equal(all, labels) || len(wanted) == 0
}
