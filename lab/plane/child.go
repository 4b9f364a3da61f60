package plane

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/openshift/cluster-etcd-operator/lab/process"
)

// logTail is how much of a crashed part's log is shown.
const logTail = 15

// CrashError says which part ended by itself, and what it logged last.
type CrashError struct {
	Part     string
	ExitCode int
	Log      string
	Tail     string
}

func (e *CrashError) Error() string {
	return fmt.Sprintf("%s ended by itself with exit status %d; the end of its log (%s):\n%s", e.Part, e.ExitCode, e.Log, e.Tail)
}

// child is a program of the lab that runs outside hosts.
type child struct {
	name string
	// program is the file's name in the folder of programs, or an absolute path.
	program     string
	arguments   []string
	environment []string
}

// start runs the child; crashed is called when it has ended.
func (p *Plane) start(c *child, crashed func(error)) error {
	path := p.logPath(c.name)
	log, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o640)
	if err != nil {
		return fmt.Errorf("open log of %s: %w", c.name, err)
	}
	defer log.Close()
	program := c.program
	if !filepath.IsAbs(program) {
		program = filepath.Join(p.options.Programs, program)
	}
	command := exec.Command(program, c.arguments...)
	command.Env = append(append(os.Environ(), "TMPDIR="+p.temporary()), c.environment...)
	command.Dir = p.options.Work
	command.Stdout, command.Stderr = log, log
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	started, err := p.options.Reaper.Start(command)
	if err != nil {
		return err
	}
	go func() {
		code := started.ExitCode()
		crashed(&CrashError{Part: c.name, ExitCode: code, Log: path, Tail: process.Tail(path, logTail)})
	}()
	return nil
}

// temporary is the temporary folder of all that runs outside hosts: what is left
// there, such as private keys of the operator, goes with the lab.
func (p *Plane) temporary() string { return filepath.Join(p.options.Work, "tmp") }

func (p *Plane) logPath(name string) string {
	return filepath.Join(p.options.Work, "log", name+".log")
}
