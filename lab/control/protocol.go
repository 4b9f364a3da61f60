package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Operation says what a Request wants.
type Operation string

// The operations.
const (
	// Status is answered with one Reply.
	Status Operation = "status"
	// Watch is answered with a Reply whenever something may have changed.
	Watch Operation = "watch"
	// Exec runs Arguments inside the lab on three attached files, its standard
	// streams, and is answered with its exit status.
	Exec Operation = "exec"
	// Host does Action to the host Name.
	Host Operation = "host"
	// Operator keeps the operator from being started again (Action stop), or
	// starts it (start). Stopping leaves the process alone. It also cuts the
	// operator's way to the API server (partition), and heals it (heal).
	Operator Operation = "operator"
)

// Request is what a client asks for.
type Request struct {
	Operation Operation
	Arguments []string
	// Environment is added to the lab's own.
	Environment []string
	// Terminal says that the attached files are a terminal made for this command.
	Terminal bool
	Name     string
	Action   string
	// Stop of Every is how much of the time a slow host stands still; 0 is the
	// usual.
	Stop, Every time.Duration
	Role        string
	Zone        string
}

// Reply is an answer.
type Reply struct {
	// Error is empty if all went well.
	Error    string          `json:",omitempty"`
	ExitCode int             `json:",omitempty"`
	Status   json.RawMessage `json:",omitempty"`
	Host     *HostInfo       `json:",omitempty"`
}

// ErrRunning is returned when a lab of this user runs already.
var ErrRunning = errors.New("a lab of yours is running already; there can be one at a time (see `etcdlab status`)")

// ErrNotRunning is returned when there is no lab to talk to.
var ErrNotRunning = errors.New("no lab is running; start one with `etcdlab up`")

// InstanceVariable is an environment variable that sets labs of one user apart.
// It is for tests, which must not meet the lab that somebody works with.
const InstanceVariable = "ETCDLAB_INSTANCE"

// Name is the name of this user's lab.
func Name() string {
	name := fmt.Sprintf("etcdlab-%d", os.Geteuid())
	if instance := os.Getenv(InstanceVariable); instance != "" {
		name += "-" + instance
	}
	return name
}

func socketName() string { return "@" + Name() }

// Listen takes the socket.
func Listen() (*net.UnixListener, error) {
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: socketName(), Net: "unix"})
	if errors.Is(err, unix.EADDRINUSE) {
		return nil, ErrRunning
	}
	if err != nil {
		return nil, fmt.Errorf("listen for commands: %w", err)
	}
	return listener, nil
}

// Connection is a client's side.
type Connection struct {
	socket  *net.UnixConn
	replies *json.Decoder
}

// Call sends a request with files attached.
func Call(request Request, files ...*os.File) (*Connection, error) {
	socket, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: socketName(), Net: "unix"})
	if errors.Is(err, unix.ECONNREFUSED) {
		return nil, ErrNotRunning
	}
	if err != nil {
		return nil, fmt.Errorf("connect to the lab: %w", err)
	}
	line, err := json.Marshal(request)
	if err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	var rights []byte
	if len(files) > 0 {
		var descriptors []int
		for _, file := range files {
			descriptors = append(descriptors, int(file.Fd()))
		}
		rights = unix.UnixRights(descriptors...)
	}
	if _, _, err := socket.WriteMsgUnix(append(line, '\n'), rights, nil); err != nil {
		socket.Close()
		return nil, fmt.Errorf("send to the lab: %w", err)
	}
	return &Connection{socket: socket, replies: json.NewDecoder(socket)}, nil
}

// Next waits for a reply; one that carries an error becomes an error.
func (c *Connection) Next() (Reply, error) {
	var reply Reply
	if err := c.replies.Decode(&reply); err != nil {
		return Reply{}, fmt.Errorf("hear from the lab: %w", err)
	}
	if reply.Error != "" {
		return reply, errors.New(reply.Error)
	}
	return reply, nil
}

// Close ends the conversation, and the command that it runs.
func (c *Connection) Close() error { return c.socket.Close() }
