package apiserver

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestForbiddenRequestsAreFoundOnceEach(t *testing.T) {
	audit := NewAudit(t.TempDir())
	appendTo := func(text string) {
		t.Helper()
		file, err := os.OpenFile(audit.Path(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if _, err := file.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	var offset int64
	expect := func(want ...string) {
		t.Helper()
		got, next, err := audit.Forbidden(offset)
		if err != nil {
			t.Fatal(err)
		}
		offset = next
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("unexpected requests (-want +got):\n%s", diff)
		}
	}
	expect()
	const operator = `{"user":{"username":"` + OperatorUser + `"},`
	appendTo(operator + `"verb":"get","requestURI":"/api/v1/nodes","responseStatus":{"code":200}}
{"user":{"username":"somebody"},"verb":"create","requestURI":"/api/v1/namespaces/n/pods/p/eviction","responseStatus":{"code":403,"message":"not you"}}
` + operator + `"verb":"create","requestURI":"/api/v1/pods","responseStatus":{"code":403,"message":"no"}}
` + operator + `"verb":"delete","requestURI":"/api/v1/no`)
	expect("create /api/v1/pods: no")
	appendTo(`des","responseStatus":{"code":403,"message":"never"}}` + "\n")
	expect("delete /api/v1/nodes: never")
	expect()
}

func TestAnUnreadableAuditLogIsAnError(t *testing.T) {
	audit := NewAudit(t.TempDir())
	if err := os.WriteFile(audit.Path(), []byte("nonsense\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := audit.Forbidden(0); err == nil {
		t.Error("no error")
	}
}
