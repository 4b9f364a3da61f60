package process

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
)

// Process is one program. It dies with this process, however that ends.
type Process struct {
	Name, Log string
	command   *exec.Cmd
	ended     chan struct{}
}

// starter starts processes from one thread that never ends: the signal at the parent's death is sent when the *thread*
// that started the child is gone.
var starter = sync.OnceValue(func() chan<- func() {
	starts := make(chan func())
	go func() {
		runtime.LockOSThread()
		for start := range starts {
			start()
		}
	}()
	return starts
})

// Start runs the program at path, called name, with an empty environment: etcd would read flags from ETCD_*, and a proxy has
// no business here. What it prints is added to the file log.
func Start(name, log, path string, arguments ...string) (*Process, error) {
	output, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer output.Close()
	p := &Process{Name: name, Log: log, command: exec.Command(path, arguments...), ended: make(chan struct{})}
	p.command.Stdout, p.command.Stderr = output, output
	p.command.Env = []string{}
	p.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	starter() <- func() { started <- p.command.Start() }
	if err := <-started; err != nil {
		return nil, err
	}
	go func() {
		_ = p.command.Wait()
		close(p.ended)
	}()
	return p, nil
}

// Kill ends the process and returns when it is gone. It may have ended before.
func (p *Process) Kill() {
	_ = p.command.Process.Kill()
	<-p.ended
}

// Runs reports whether the process has not ended.
func (p *Process) Runs() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// PID returns the id of the process, also of one that has ended.
func (p *Process) PID() int { return p.command.Process.Pid }

// Tail returns the end of the log.
func (p *Process) Tail() string {
	const lines = 15
	content, err := os.ReadFile(p.Log)
	if err != nil {
		return err.Error()
	}
	all := strings.Split(strings.TrimSpace(string(content)), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
