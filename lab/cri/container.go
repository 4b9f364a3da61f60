package cri

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sys/unix"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"

	lab "github.com/openshift/cluster-etcd-operator/lab/container"
	"github.com/openshift/cluster-etcd-operator/lab/process"
)

type container struct {
	id      string
	sandbox *sandbox
	config  *runtimeapi.ContainerConfig
	created time.Time
	root    string
	log     *logFile

	mu       sync.Mutex
	process  *process.Process
	state    runtimeapi.ContainerState
	started  time.Time
	finished time.Time
	exitCode int32
	reason   string
	message  string
}

// containersOf lists the containers of a pod; the caller holds s.mu.
func (s *Server) containersOf(sandboxID string) []*container {
	var members []*container
	for _, item := range s.containers {
		if item.sandbox.id == sandboxID {
			members = append(members, item)
		}
	}
	return members
}

func (s *Server) container(id string) (*container, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.containers[id]
	if found == nil {
		return nil, status.Errorf(codes.NotFound, "no container %s", id)
	}
	return found, nil
}

// CreateContainer makes the container's folder and opens its log.
func (s *Server) CreateContainer(_ context.Context, request *runtimeapi.CreateContainerRequest) (*runtimeapi.CreateContainerResponse, error) {
	s.mu.Lock()
	pod := s.sandboxes[request.GetPodSandboxId()]
	s.mu.Unlock()
	if pod == nil {
		return nil, status.Errorf(codes.NotFound, "no pod sandbox %s", request.GetPodSandboxId())
	}
	config := request.GetConfig()
	created := &container{
		id:      newID(),
		sandbox: pod,
		config:  config,
		created: time.Now(),
		state:   runtimeapi.ContainerState_CONTAINER_CREATED,
		log:     newLogFile(filepath.Join(pod.config.GetLogDirectory(), config.GetLogPath())),
	}
	created.root = filepath.Join(s.folder, created.id)
	if err := os.MkdirAll(created.root, 0o755); err != nil {
		return nil, fmt.Errorf("make the container's folder: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.containers[created.id] = created
	return &runtimeapi.CreateContainerResponse{ContainerId: created.id}, nil
}

// StartContainer returns when the container's command runs.
func (s *Server) StartContainer(_ context.Context, request *runtimeapi.StartContainerRequest) (*runtimeapi.StartContainerResponse, error) {
	found, err := s.container(request.GetContainerId())
	if err != nil {
		return nil, err
	}
	if err := found.start(s.reaper, s.launcher); err != nil {
		return nil, err
	}
	return &runtimeapi.StartContainerResponse{}, nil
}

func (c *container) start(reaper *process.Reaper, launcher string) error {
	if err := c.log.open(); err != nil {
		return err
	}
	stdoutRead, stdout, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("make pipe: %w", err)
	}
	defer stdout.Close()
	stderrRead, stderr, err := os.Pipe()
	if err != nil {
		stdoutRead.Close()
		return fmt.Errorf("make pipe: %w", err)
	}
	defer stderr.Close()
	go c.log.copy("stdout", stdoutRead)
	go c.log.copy("stderr", stderrRead)

	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state != runtimeapi.ContainerState_CONTAINER_CREATED {
		return status.Errorf(codes.FailedPrecondition, "container %s was started before", c.id)
	}
	child, err := lab.Start(reaper, launcher, c.spec(), nil, stdout, stderr)
	if err != nil {
		c.state, c.finished, c.exitCode = runtimeapi.ContainerState_CONTAINER_EXITED, time.Now(), 128
		c.reason, c.message = "StartError", err.Error()
		return err
	}
	c.process, c.started, c.state = child, time.Now(), runtimeapi.ContainerState_CONTAINER_RUNNING
	go c.watch(child)
	return nil
}

func (c *container) watch(child *process.Process) {
	code := child.ExitCode()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state, c.finished, c.exitCode = runtimeapi.ContainerState_CONTAINER_EXITED, time.Now(), int32(code)
	c.reason = "Completed"
	if code != 0 {
		c.reason = "Error"
	}
}

func (c *container) spec() lab.Spec {
	spec := lab.Spec{
		Root:            c.root,
		Hostname:        c.sandbox.config.GetHostname(),
		SharesProcesses: c.sandbox.config.GetLinux().GetSecurityContext().GetNamespaceOptions().GetPid() == runtimeapi.NamespaceMode_NODE,
		Command:         append(append([]string{}, c.config.GetCommand()...), c.config.GetArgs()...),
		WorkingDir:      c.config.GetWorkingDir(),
	}
	if spec.Hostname == "" {
		// A pod on the host's network is called what the host is called, and the
		// kubelet leaves the name out.
		spec.Hostname, _ = os.Hostname()
	}
	for _, entry := range c.config.GetEnvs() {
		spec.Environment = append(spec.Environment, entry.GetKey()+"="+string(entry.GetValue()))
	}
	for _, mount := range c.config.GetMounts() {
		spec.Mounts = append(spec.Mounts, lab.Mount{Source: mount.GetHostPath(), Target: mount.GetContainerPath(), ReadOnly: mount.GetReadonly()})
	}
	return spec
}

// StopContainer asks the container to end, then kills it.
func (s *Server) StopContainer(_ context.Context, request *runtimeapi.StopContainerRequest) (*runtimeapi.StopContainerResponse, error) {
	found, err := s.container(request.GetContainerId())
	if status.Code(err) == codes.NotFound {
		return &runtimeapi.StopContainerResponse{}, nil
	}
	if err != nil {
		return nil, err
	}
	if err := found.stop(time.Duration(request.GetTimeout()) * time.Second); err != nil {
		return nil, err
	}
	return &runtimeapi.StopContainerResponse{}, nil
}

// stop returns when the container has ended. It gives it grace to end by itself.
func (c *container) stop(grace time.Duration) error {
	c.mu.Lock()
	running := c.process
	c.mu.Unlock()
	if running == nil {
		return nil
	}
	if grace > 0 {
		if err := running.Signal(unix.SIGTERM); err != nil {
			return err
		}
		timer := time.NewTimer(grace)
		defer timer.Stop()
		select {
		case <-running.Done():
			return nil
		case <-timer.C:
		}
	}
	if err := running.Signal(unix.SIGKILL); err != nil {
		return err
	}
	<-running.Done()
	return nil
}

// RemoveContainer kills the container, if need be, and removes its folder.
func (s *Server) RemoveContainer(_ context.Context, request *runtimeapi.RemoveContainerRequest) (*runtimeapi.RemoveContainerResponse, error) {
	found, err := s.container(request.GetContainerId())
	if status.Code(err) == codes.NotFound {
		return &runtimeapi.RemoveContainerResponse{}, nil
	}
	if err != nil {
		return nil, err
	}
	if err := found.stop(0); err != nil {
		return nil, err
	}
	if err := os.RemoveAll(found.root); err != nil {
		return nil, fmt.Errorf("remove the container's folder: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.containers, found.id)
	return &runtimeapi.RemoveContainerResponse{}, nil
}

// ListContainers lists the containers that match the filter.
func (s *Server) ListContainers(_ context.Context, request *runtimeapi.ListContainersRequest) (*runtimeapi.ListContainersResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	filter := request.GetFilter()
	response := &runtimeapi.ListContainersResponse{}
	for _, item := range s.containers {
		described := item.describe()
		switch {
		case filter.GetId() != "" && filter.GetId() != item.id:
			continue
		case filter.GetPodSandboxId() != "" && filter.GetPodSandboxId() != item.sandbox.id:
			continue
		case filter.GetState() != nil && filter.GetState().GetState() != described.GetState():
			continue
		case !carries(item.config.GetLabels(), filter.GetLabelSelector()):
			continue
		}
		response.Containers = append(response.Containers, &runtimeapi.Container{
			Id:           item.id,
			PodSandboxId: item.sandbox.id,
			Metadata:     described.GetMetadata(),
			Image:        described.GetImage(),
			ImageRef:     described.GetImageRef(),
			State:        described.GetState(),
			CreatedAt:    described.GetCreatedAt(),
			Labels:       described.GetLabels(),
			Annotations:  described.GetAnnotations(),
		})
	}
	return response, nil
}

// ContainerStatus tells the container's state.
func (s *Server) ContainerStatus(_ context.Context, request *runtimeapi.ContainerStatusRequest) (*runtimeapi.ContainerStatusResponse, error) {
	found, err := s.container(request.GetContainerId())
	if err != nil {
		return nil, err
	}
	return &runtimeapi.ContainerStatusResponse{Status: found.describe()}, nil
}

func (c *container) describe() *runtimeapi.ContainerStatus {
	c.mu.Lock()
	defer c.mu.Unlock()
	described := &runtimeapi.ContainerStatus{
		Id:          c.id,
		Metadata:    c.config.GetMetadata(),
		State:       c.state,
		CreatedAt:   c.created.UnixNano(),
		ExitCode:    c.exitCode,
		Image:       c.config.GetImage(),
		ImageRef:    c.config.GetImage().GetImage(),
		ImageId:     c.config.GetImage().GetImage(),
		Reason:      c.reason,
		Message:     c.message,
		Labels:      c.config.GetLabels(),
		Annotations: c.config.GetAnnotations(),
		Mounts:      c.config.GetMounts(),
		LogPath:     c.log.path,
	}
	if !c.started.IsZero() {
		described.StartedAt = c.started.UnixNano()
	}
	if !c.finished.IsZero() {
		described.FinishedAt = c.finished.UnixNano()
	}
	return described
}

// ReopenContainerLog lets the kubelet rotate the log.
func (s *Server) ReopenContainerLog(_ context.Context, request *runtimeapi.ReopenContainerLogRequest) (*runtimeapi.ReopenContainerLogResponse, error) {
	found, err := s.container(request.GetContainerId())
	if err != nil {
		return nil, err
	}
	if err := found.log.open(); err != nil {
		return nil, err
	}
	return &runtimeapi.ReopenContainerLogResponse{}, nil
}
