package kube

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
)

// process is one program. It dies with this process, however that ends.
type process struct {
	name, log string
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

func startProcess(name, log, path string, arguments ...string) (*process, error) {
	output, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer output.Close()
	p := &process{name: name, log: log, command: exec.Command(path, arguments...), ended: make(chan struct{})}
	p.command.Stdout, p.command.Stderr = output, output
	// etcd reads flags from ETCD_*, and a proxy has no business here.
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

// kill ends the process and returns when it is gone. It may have ended before.
func (p *process) kill() {
	_ = p.command.Process.Kill()
	<-p.ended
}

func (p *process) runs() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// tail returns the end of a log.
func tail(log string) string {
	const lines = 15
	content, err := os.ReadFile(log)
	if err != nil {
		return err.Error()
	}
	all := strings.Split(strings.TrimSpace(string(content)), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
