package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Where the API server writes down requests, from the recording's folder, and what
// it was told to write down.
var (
	RequestsFile       = filepath.Join("lab", "apiserver", "audit.log")
	requestsPolicyFile = filepath.Join("lab", "apiserver", "audit-policy.yaml")
)

// operatorUser is who the operator is to the API server.
const operatorUser = "system:serviceaccount:openshift-etcd-operator:etcd-operator"

// Request is one that the API server wrote down itself: a write of the operator,
// or an eviction, whoever asked for it.
type Request struct {
	// At is when the API server received it.
	At time.Duration
	// User is who asked.
	User string
	Verb string
	// Resource is its plural, with "/" and the subresource if there is one.
	Resource  string
	Namespace string
	Name      string
	// Code is the status of the answer.
	Code int
}

// Operator reports whether the operator asked.
func (r Request) Operator() bool { return r.User == operatorUser }

// Granted reports whether it was done.
func (r Request) Granted() bool { return r.Code >= 200 && r.Code < 300 }

// Eviction reports whether it asked for one.
func (r Request) Eviction() bool { return r.Resource == "pods/eviction" }

type requestLine struct {
	Stage     string
	Verb      string
	User      struct{ Username string }
	ObjectRef struct {
		Resource, Subresource, Namespace, Name string
	}
	ResponseStatus           struct{ Code int }
	RequestReceivedTimestamp time.Time
}

// readRequests adds what the API server wrote down, if the folder has it.
func (r *Recording) readRequests(folder string) error {
	policy, err := os.ReadFile(filepath.Join(folder, requestsPolicyFile))
	if err == nil {
		r.EvictionsWritten = bytes.Contains(policy, []byte("pods/eviction"))
	}
	file, err := os.Open(filepath.Join(folder, RequestsFile))
	if errors.Is(err, os.ErrNotExist) {
		r.EvictionsWritten = false
		return nil
	}
	if err != nil {
		return fmt.Errorf("read what the API server wrote down: %w", err)
	}
	defer file.Close()
	return r.parseRequests(file)
}

// reads are verbs that change nothing.
var reads = []string{"get", "list", "watch"}

// parseRequests reads one request a line; a last one that is not whole is left
// out, any other is an error.
func (r *Recording) parseRequests(from io.Reader) error {
	reader := bufio.NewReader(from)
	for {
		data, err := reader.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("read what the API server wrote down: %w", err)
		}
		var line requestLine
		if err := json.Unmarshal(data, &line); err != nil {
			return fmt.Errorf("read what the API server wrote down: %w", err)
		}
		request := Request{
			At: line.RequestReceivedTimestamp.Sub(r.Start.Began), User: line.User.Username, Verb: line.Verb,
			Resource:  strings.TrimSuffix(line.ObjectRef.Resource+"/"+line.ObjectRef.Subresource, "/"),
			Namespace: line.ObjectRef.Namespace, Name: line.ObjectRef.Name, Code: line.ResponseStatus.Code,
		}
		if line.Stage == "ResponseComplete" && !slices.Contains(reads, request.Verb) {
			r.Requests = append(r.Requests, request)
		}
	}
	slices.SortStableFunc(r.Requests, func(a, b Request) int { return int(a.At - b.At) })
	return nil
}
