package portforward_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"golang.org/x/net/websocket"
	"k8s.io/client-go/rest"

	"github.com/openshift/cluster-etcd-operator/pkg/portforward"
)

const path = "/api/v1/namespaces/openshift-etcd/pods/etcd-a/portforward"

// serve answers as an API server and a kubelet behind it do. talk gets each message of the data channel, and returns what is
// to be sent, with its channel; nothing ends the connection.
func serve(t *testing.T, talk func(data []byte) [][]byte) *rest.Config {
	t.Helper()
	upgrade := websocket.Server{
		Handshake: func(config *websocket.Config, _ *http.Request) error { return nil },
		Handler: func(ws *websocket.Conn) {
			ws.PayloadType = websocket.BinaryFrame
			for _, channel := range []byte{0, 1} {
				_ = websocket.Message.Send(ws, binary.LittleEndian.AppendUint16([]byte{channel}, 2379))
			}
			for {
				var message []byte
				if err := websocket.Message.Receive(ws, &message); err != nil || len(message) == 0 || message[0] != 0 {
					return
				}
				answers := talk(message[1:])
				for _, answer := range answers {
					_ = websocket.Message.Send(ws, answer)
				}
				if len(answers) == 0 {
					return
				}
			}
		},
	}
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Authorization") != "Bearer right":
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `{"kind":"Status","message":"pods \"etcd-a\" is forbidden: User \"x\" cannot create resource \"pods/portforward\""}`)
		case r.Header.Get("Accept") != "":
			// A kubelet has no representation to choose from.
			http.Error(w, "", http.StatusNotAcceptable)
		case r.URL.Path != path || r.URL.Query().Get("ports") != "2379":
			http.Error(w, "no such pod", http.StatusNotFound)
		case r.Header.Get("Sec-WebSocket-Protocol") != "v4.channel.k8s.io":
			http.Error(w, "another protocol", http.StatusBadRequest)
		default:
			upgrade.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return &rest.Config{Host: server.URL, BearerToken: "right", TLSClientConfig: rest.TLSClientConfig{CAData: authority}}
}

func echo(data []byte) [][]byte { return [][]byte{append([]byte{0}, data...)} }

func TestWhatIsSentArrivesAndComesBack(t *testing.T) {
	d, err := portforward.New(serve(t, echo))
	if err != nil {
		t.Fatal(err)
	}
	// What bounds the dialing does not bound the connection.
	ctx, cancel := context.WithCancel(t.Context())
	conn, err := d.Dial(ctx, "openshift-etcd", "etcd-a", 2379)
	cancel()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	sent := make([]byte, 300<<10)
	_, _ = rand.Read(sent)
	go func() { _, _ = conn.Write(sent) }()
	got := make([]byte, len(sent))
	if _, err := io.ReadFull(conn, got); err != nil || !bytes.Equal(sent, got) {
		t.Errorf("%d bytes came back changed: %v", len(got), err)
	}
}

func TestWhatTheKubeletSaysIsTheErrorOfReading(t *testing.T) {
	d, err := portforward.New(serve(t, func([]byte) [][]byte { return [][]byte{append([]byte{1}, "connection refused"...)} }))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := d.Dial(t.Context(), "openshift-etcd", "etcd-a", 2379)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(conn); err == nil || err.Error() != "port 2379 of pod etcd-a: connection refused" {
		t.Errorf("error %v", err)
	}
}

func TestAConnectionThatTheOtherSideEndsEnds(t *testing.T) {
	d, err := portforward.New(serve(t, func([]byte) [][]byte { return nil }))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := d.Dial(t.Context(), "openshift-etcd", "etcd-a", 2379)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(conn); err != nil || len(rest) > 0 {
		t.Errorf("%q, error %v", rest, err)
	}
}

func TestARefusalSaysWhy(t *testing.T) {
	config := serve(t, echo)
	for name, test := range map[string]struct {
		change func(*rest.Config)
		pod    string
		want   string
	}{
		"a right that is missing":              {func(c *rest.Config) { c.BearerToken = "wrong" }, "etcd-a", "forward port 2379 of pod etcd-a: pods \"etcd-a\" is forbidden: User \"x\" cannot create resource \"pods/portforward\""},
		"an answer that is no Status":          {func(*rest.Config) {}, "etcd-b", "404 Not Found: no such pod"},
		"an API server that is not there":      {func(c *rest.Config) { c.Host = "https://127.0.0.1:1" }, "etcd-a", "connection refused"},
		"a certificate that nobody has signed": {func(c *rest.Config) { c.CAData = nil }, "etcd-a", "certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := rest.CopyConfig(config)
			test.change(changed)
			d, err := portforward.New(changed)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := d.Dial(t.Context(), "openshift-etcd", test.pod, 2379); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v", err)
			}
		})
	}
}
