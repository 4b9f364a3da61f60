package control

import (
	"errors"
	"fmt"
)

// Operations of a cloud.
const (
	// CreateHost makes the host Name for Role in Zone and powers it on; one that
	// exists is powered on.
	createHost Operation = "create-host"
	// DeleteHost removes the host Name; a missing one is no error.
	deleteHost Operation = "delete-host"
	// FindHost is answered with the host Name in Reply.Host, or without.
	findHost Operation = "find-host"
)

// HostInfo is what a cloud tells about an instance.
type HostInfo struct {
	Name string
	// Addresses are all that it has, its member's first.
	Addresses  []string
	State      string
	ProviderID string
}

// Cloud does the operations of a cloud.
type Cloud interface {
	CreateHost(name, role, zone string) error
	DeleteHost(name string) error
	// FindHost returns nil for a name that no host has.
	FindHost(name string) (*HostInfo, error)
}

// CreateHost asks the running lab for a host that is powered on.
func CreateHost(name, role, zone string) error {
	_, err := ask(Request{Operation: createHost, Name: name, Role: role, Zone: zone})
	return err
}

// DeleteHost asks the running lab to remove a host.
func DeleteHost(name string) error {
	_, err := ask(Request{Operation: deleteHost, Name: name})
	return err
}

// FindHost asks the running lab for a host; nil means that there is none.
func FindHost(name string) (*HostInfo, error) {
	reply, err := ask(Request{Operation: findHost, Name: name})
	return reply.Host, err
}

func ask(request Request) (Reply, error) {
	connection, err := Call(request)
	if err != nil {
		return Reply{}, err
	}
	defer connection.Close()
	return connection.Next()
}

// errNotCloud is returned by AnswerCloud for other operations.
var errNotCloud = errors.New("not an operation of a cloud")

// IsCloud reports whether AnswerCloud answers the request.
func (r Request) IsCloud() bool {
	return r.Operation == createHost || r.Operation == deleteHost || r.Operation == findHost
}

// AnswerCloud answers the operations of a cloud.
func AnswerCloud(cloud Cloud, request Request, reply func(Reply) error) error {
	var host *HostInfo
	var err error
	switch request.Operation {
	case createHost:
		err = cloud.CreateHost(request.Name, request.Role, request.Zone)
	case deleteHost:
		err = cloud.DeleteHost(request.Name)
	case findHost:
		host, err = cloud.FindHost(request.Name)
	default:
		err = fmt.Errorf("%w: %s", errNotCloud, request.Operation)
	}
	if err != nil {
		return err
	}
	return reply(Reply{Host: host})
}
