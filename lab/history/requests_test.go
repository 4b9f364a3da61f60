package history

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestWritesOfTheOperatorAndEvictionsAreRead(t *testing.T) {
	folder := t.TempDir()
	w, err := Create(folder, Start{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(""); err != nil {
		t.Fatal(err)
	}
	line := func(after time.Duration, stage, user, verb, object string, code string) string {
		return `{"stage":"` + stage + `","verb":"` + verb + `","user":{"username":"` + user + `"},"objectRef":` + object + `,"responseStatus":{"code":` + code + `},"requestReceivedTimestamp":"` + w.began.Add(after).UTC().Format(time.RFC3339Nano) + `"}` + "\n"
	}
	const pod = `{"resource":"pods","subresource":"eviction","namespace":"n","name":"p"}`
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := func() Recording {
		t.Helper()
		r, err := Read(folder)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := read(); len(r.Requests) > 0 || r.EvictionsWritten {
		t.Errorf("where nothing was written down, %v is read (%t)", r.Requests, r.EvictionsWritten)
	}
	log := line(2*time.Second, "ResponseComplete", "u", "create", pod, "429") +
		line(time.Second, "ResponseComplete", operatorUser, "patch", `{"resource":"machines","name":"m"}`, "200") +
		line(3*time.Second, "ResponseComplete", operatorUser, "list", `{"resource":"machines"}`, "200") +
		line(3*time.Second, "ResponseStarted", operatorUser, "create", pod, "201") +
		line(4*time.Second, "ResponseComplete", "u", "create", pod, "201") + `{"stage":"Resp`
	write(RequestsFile, log)
	write(requestsPolicyFile, "rules: []")
	want := []Request{
		{At: 1 * time.Second, User: operatorUser, Verb: "patch", Resource: "machines", Name: "m", Code: 200},
		{At: 2 * time.Second, User: "u", Verb: "create", Resource: "pods/eviction", Namespace: "n", Name: "p", Code: 429},
		{At: 4 * time.Second, User: "u", Verb: "create", Resource: "pods/eviction", Namespace: "n", Name: "p", Code: 201},
	}
	r := read()
	for i := range r.Requests {
		r.Requests[i].At = r.Requests[i].At.Round(time.Millisecond)
	}
	if diff := cmp.Diff(want, r.Requests); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if r.EvictionsWritten {
		t.Error("evictions are said to be written down by a policy that does not")
	}
	if a, b, c := r.Requests[0], r.Requests[1], r.Requests[2]; !a.Operator() || b.Operator() || a.Eviction() || !b.Eviction() || !a.Granted() || b.Granted() || !c.Granted() {
		t.Error("requests say of themselves what is not so")
	}
	write(requestsPolicyFile, "resources: [pods/eviction]")
	if !read().EvictionsWritten {
		t.Error("evictions are said not to be written down")
	}
	write(RequestsFile, "nonsense\n")
	if _, err := Read(folder); err == nil {
		t.Error("nonsense is read without an error")
	}
}
