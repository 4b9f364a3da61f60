package cri

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"
	"k8s.io/cri-streaming/pkg/streaming"
	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"

	lab "github.com/openshift/cluster-etcd-operator/lab/container"
	"github.com/openshift/cluster-etcd-operator/lab/process"
)

// serveStreams serves exec and port-forward to the kubelet of this host alone.
func (s *Server) serveStreams() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("find a port for streams: %w", err)
	}
	address := listener.Addr().String()
	listener.Close()
	s.streams, err = streaming.NewServer(streaming.Config{
		Addr:                            address,
		BaseURL:                         &url.URL{Scheme: "http", Host: address},
		StreamIdleTimeout:               4 * time.Hour,
		StreamCreationTimeout:           30 * time.Second,
		SupportedRemoteCommandProtocols: remotecommand.SupportedStreamingProtocols,
		SupportedPortForwardProtocols:   portforward.SupportedProtocols,
	}, streams{s})
	if err != nil {
		return fmt.Errorf("set up streams: %w", err)
	}
	go func() { _ = s.streams.Start(true) }()
	return nil
}

// Exec tells where to connect to.
func (s *Server) Exec(_ context.Context, request *runtimeapi.ExecRequest) (*runtimeapi.ExecResponse, error) {
	return s.streams.GetExec(request)
}

// Attach tells where to connect to.
func (s *Server) Attach(_ context.Context, request *runtimeapi.AttachRequest) (*runtimeapi.AttachResponse, error) {
	return s.streams.GetAttach(request)
}

// PortForward tells where to connect to.
func (s *Server) PortForward(_ context.Context, request *runtimeapi.PortForwardRequest) (*runtimeapi.PortForwardResponse, error) {
	return s.streams.GetPortForward(request)
}

// ExecSync runs a command in a container to its end; exec probes are this.
func (s *Server) ExecSync(ctx context.Context, request *runtimeapi.ExecSyncRequest) (*runtimeapi.ExecSyncResponse, error) {
	found, err := s.container(request.GetContainerId())
	if err != nil {
		return nil, err
	}
	if seconds := request.GetTimeout(); seconds > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(seconds)*time.Second)
		defer cancel()
	}
	var stdout, stderr bytes.Buffer
	code, err := s.run(ctx, found, request.GetCmd(), nil, &stdout, &stderr)
	if err != nil {
		return nil, err
	}
	return &runtimeapi.ExecSyncResponse{Stdout: stdout.Bytes(), Stderr: stderr.Bytes(), ExitCode: int32(code)}, nil
}

// run runs args in the container with its streams connected; the command is
// killed when ctx ends.
func (s *Server) run(ctx context.Context, in *container, args []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	var pipes pipes
	defer pipes.close()
	command := exec.Command(args[0], args[1:]...)
	in.prepare(command)
	var err error
	if command.Stdin, err = pipes.from(stdin); err != nil {
		return 0, err
	}
	if command.Stdout, err = pipes.to(stdout); err != nil {
		return 0, err
	}
	if command.Stderr, err = pipes.to(stderr); err != nil {
		return 0, err
	}
	child, err := in.enter(s.reaper, command)
	pipes.closeChildEnds()
	if err != nil {
		return 0, err
	}
	defer context.AfterFunc(ctx, func() { _ = child.SignalGroup(unix.SIGKILL) })()
	code := child.ExitCode()
	pipes.readers.Wait()
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("command in container: %w", err)
	}
	return code, nil
}

func (c *container) prepare(command *exec.Cmd) {
	for _, entry := range c.config.GetEnvs() {
		command.Env = append(command.Env, entry.GetKey()+"="+string(entry.GetValue()))
	}
	command.Env = append(command.Env, "PATH="+lab.Path)
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

func (c *container) enter(reaper *process.Reaper, command *exec.Cmd) (*process.Process, error) {
	c.mu.Lock()
	running, state := c.process, c.state
	c.mu.Unlock()
	if running == nil || state != runtimeapi.ContainerState_CONTAINER_RUNNING {
		return nil, fmt.Errorf("container %s is not running", c.config.GetMetadata().GetName())
	}
	return lab.Enter(reaper, running.PID, command)
}

// pipes connects a child, whose streams must be files, to readers and writers.
type pipes struct {
	childEnds []*os.File
	ownEnds   []*os.File
	readers   sync.WaitGroup
}

func (p *pipes) from(reader io.Reader) (io.Reader, error) {
	if reader == nil {
		return nil, nil
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make pipe: %w", err)
	}
	p.childEnds = append(p.childEnds, read)
	go func() {
		// Ends with the client's stream or with the command.
		_, _ = io.Copy(write, reader)
		write.Close()
	}()
	return read, nil
}

func (p *pipes) to(writer io.Writer) (io.Writer, error) {
	if writer == nil {
		return nil, nil
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make pipe: %w", err)
	}
	p.childEnds = append(p.childEnds, write)
	p.ownEnds = append(p.ownEnds, read)
	p.readers.Go(func() {
		// A client that went away does not stop the command.
		_, _ = io.Copy(writer, read)
	})
	return write, nil
}

func (p *pipes) closeChildEnds() {
	for _, file := range p.childEnds {
		file.Close()
	}
	p.childEnds = nil
}

func (p *pipes) close() {
	p.closeChildEnds()
	for _, file := range p.ownEnds {
		file.Close()
	}
}

// streams adapts Server to the streaming library, whose method names clash with
// those of the runtime interface.
type streams struct{ server *Server }

func (s streams) Exec(ctx context.Context, id string, args []string, stdin io.Reader, stdout, stderr io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize) error {
	found, err := s.server.container(id)
	if err != nil {
		return err
	}
	if tty {
		return s.server.runOnTerminal(ctx, found, args, stdin, stdout, resize)
	}
	// Interfaces that hold nothing are not nil interfaces of another type.
	var out, errs io.Writer
	if stdout != nil {
		out = stdout
	}
	if stderr != nil {
		errs = stderr
	}
	code, err := s.server.run(ctx, found, args, stdin, out, errs)
	if err != nil {
		return err
	}
	return exitError(code)
}

func (s streams) Attach(context.Context, string, io.Reader, io.WriteCloser, io.WriteCloser, bool, <-chan remotecommand.TerminalSize) error {
	return errors.New("attaching is not supported by the lab; use exec or logs")
}

func (s streams) PortForward(ctx context.Context, _ string, port int32, stream io.ReadWriteCloser) error {
	defer stream.Close()
	var dialer net.Dialer
	connection, err := dialer.DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port))))
	if err != nil {
		return fmt.Errorf("connect to port %d: %w", port, err)
	}
	defer connection.Close()
	go func() {
		_, _ = io.Copy(connection, stream)
		_ = connection.(*net.TCPConn).CloseWrite()
	}()
	_, err = io.Copy(stream, connection)
	return err
}

// exitStatus is an error that the streaming library turns into the exit status
// of kubectl exec.
type exitStatus int

func exitError(code int) error {
	if code == 0 {
		return nil
	}
	return exitStatus(code)
}

func (e exitStatus) Error() string   { return fmt.Sprintf("command ended with exit status %d", int(e)) }
func (e exitStatus) String() string  { return e.Error() }
func (e exitStatus) Exited() bool    { return true }
func (e exitStatus) ExitStatus() int { return int(e) }
