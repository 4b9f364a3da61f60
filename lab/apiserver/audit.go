package apiserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
)

// OperatorUser is who the operator is to the API server.
const OperatorUser = "system:serviceaccount:openshift-etcd-operator:etcd-operator"

// auditPolicy has every request of the operator written down, every eviction,
// whoever asks for it, and nothing else.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
omitManagedFields: true
rules:
- level: Metadata
  users: ["` + OperatorUser + `"]
- level: Metadata
  verbs: [create]
  resources: [{group: "", resources: [pods/eviction]}]
- level: None
`

// Audit is the log of the operator's requests, and of evictions, below the API server's folder.
type Audit struct{ folder string }

// NewAudit returns the log of an API server whose own files are in folder.
func NewAudit(folder string) Audit { return Audit{folder} }

func (a Audit) policy() string { return filepath.Join(a.folder, "audit-policy.yaml") }

// Path is where the log is, one JSON object a line.
func (a Audit) Path() string { return filepath.Join(a.folder, "audit.log") }

// WritePolicy puts the policy where Arguments says that it is.
func (a Audit) WritePolicy() error {
	if err := os.MkdirAll(a.folder, 0o700); err != nil {
		return fmt.Errorf("make folder of the API server: %w", err)
	}
	if err := os.WriteFile(a.policy(), []byte(auditPolicy), 0o600); err != nil {
		return fmt.Errorf("write audit policy: %w", err)
	}
	return nil
}

func (a Audit) arguments() []string {
	return []string{"--audit-policy-file=" + a.policy(), "--audit-log-path=" + a.Path(), "--audit-log-format=json"}
}

type auditEvent struct {
	User struct {
		Username string `json:"username"`
	} `json:"user"`
	Verb           string `json:"verb"`
	RequestURI     string `json:"requestURI"`
	ResponseStatus struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"responseStatus"`
}

// Forbidden reads the log from an offset in bytes on. It returns the operator's requests that the API server forbade, each as
// "verb URI: why", and the offset to go on from. A line that is still being written is left for later; a log that does
// not exist yet is empty.
func (a Audit) Forbidden(offset int64) (requests []string, next int64, err error) {
	file, err := os.Open(a.Path())
	if os.IsNotExist(err) {
		return nil, offset, nil
	}
	if err != nil {
		return nil, offset, fmt.Errorf("read audit log: %w", err)
	}
	defer file.Close()
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return nil, offset, fmt.Errorf("read audit log: %w", err)
	}
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, offset, fmt.Errorf("read audit log: %w", err)
	}
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	for line := range bytes.Lines(data) {
		var event auditEvent
		if err := json.Unmarshal(line, &event); err != nil {
			return requests, offset, fmt.Errorf("read audit log: %w", err)
		}
		if event.User.Username == OperatorUser && event.ResponseStatus.Code == http.StatusForbidden {
			requests = append(requests, fmt.Sprintf("%s %s: %s", event.Verb, event.RequestURI, event.ResponseStatus.Message))
		}
	}
	return requests, offset + int64(len(data)), nil
}
