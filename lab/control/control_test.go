package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// ownInstance keeps the test away from a lab that runs.
func ownInstance(t *testing.T) {
	t.Helper()
	t.Setenv(InstanceVariable, fmt.Sprintf("test-%d", os.Getpid()))
}

func TestASocketTakesRequestsWithFiles(t *testing.T) {
	ownInstance(t)
	listener, err := Listen()
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if _, err := Listen(); !errors.Is(err, ErrRunning) {
		t.Errorf("a second listener got %v, want %v", err, ErrRunning)
	}
	gone := make(chan struct{})
	go func() {
		_ = Serve(t.Context(), listener, func(ctx context.Context, request Request, files []*os.File, reply func(Reply) error) error {
			switch request.Operation {
			case Exec:
				_, err := io.WriteString(files[0], strings.Join(request.Arguments, " "))
				files[0].Close()
				return errors.Join(err, reply(Reply{ExitCode: 5}))
			case Watch:
				<-ctx.Done()
				close(gone)
				return ctx.Err()
			default:
				return errors.New("no such thing")
			}
		})
	}()

	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	long := strings.Repeat("x", 100<<10)
	connection, err := Call(Request{Operation: Exec, Arguments: []string{"a", long}}, write)
	if err != nil {
		t.Fatal(err)
	}
	write.Close()
	received, err := io.ReadAll(read)
	if err != nil {
		t.Fatal(err)
	}
	if string(received) != "a "+long {
		t.Errorf("the attached file got %d bytes", len(received))
	}
	reply, err := connection.Next()
	if err != nil || reply.ExitCode != 5 {
		t.Errorf("reply is %v, %v", reply, err)
	}

	connection, err = Call(Request{Operation: "nonsense"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := connection.Next(); err == nil || err.Error() != "no such thing" {
		t.Errorf("the error of a handler arrived as %v", err)
	}

	connection, err = Call(Request{Operation: Watch})
	if err != nil {
		t.Fatal(err)
	}
	connection.Close()
	select {
	case <-gone:
	case <-time.After(20 * time.Second):
		t.Error("the handler did not see that its client went away")
	}

	listener.Close()
	if _, err := Call(Request{Operation: Status}); !errors.Is(err, ErrNotRunning) {
		t.Errorf("without a listener: %v, want %v", err, ErrNotRunning)
	}
}

// fakeCloud has one host.
type fakeCloud struct{ calls []string }

func (c *fakeCloud) CreateHost(name, role, zone string) error {
	c.calls = append(c.calls, "create "+name+" "+role+" "+zone)
	return nil
}

func (c *fakeCloud) DeleteHost(name string) error {
	c.calls = append(c.calls, "delete "+name)
	return nil
}

func (c *fakeCloud) FindHost(name string) (*HostInfo, error) {
	if name == "master-0" {
		return &HostInfo{Name: name, Addresses: []string{"10.199.0.10"}}, nil
	}
	return nil, nil
}

func TestTheLabIsACloud(t *testing.T) {
	ownInstance(t)
	listener, err := Listen()
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	cloud := &fakeCloud{}
	go func() {
		_ = Serve(t.Context(), listener, func(_ context.Context, request Request, _ []*os.File, reply func(Reply) error) error {
			return AnswerCloud(cloud, request, reply)
		})
	}()
	if err := CreateHost("master-3", "master", "zone-1"); err != nil {
		t.Error(err)
	}
	if err := DeleteHost("master-1"); err != nil {
		t.Error(err)
	}
	if want := []string{"create master-3 master zone-1", "delete master-1"}; !slices.Equal(cloud.calls, want) {
		t.Errorf("the cloud was asked %q, want %q", cloud.calls, want)
	}
	if host, err := FindHost("master-0"); err != nil || host == nil || host.Addresses[0] != "10.199.0.10" {
		t.Errorf("found %v, %v", host, err)
	}
	if host, err := FindHost("nobody"); err != nil || host != nil {
		t.Errorf("found %v, %v, want nothing", host, err)
	}
}
