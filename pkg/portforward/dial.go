package portforward

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/net/websocket"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

const (
	protocol = "v4.channel.k8s.io"
	// The first byte of each message names the channel; the first message on each holds the port alone.
	dataChannel, errorChannel = 0, 1
	portBytes                 = 2
	// chunk is how much is sent in one message; maxMessage bounds what is taken in one.
	chunk      = 32 << 10
	maxMessage = 1 << 20
	// maxAnswer bounds what is read of an answer that refuses.
	maxAnswer = 64 << 10
)

// Dialer makes connections to pods.
type Dialer struct {
	client *http.Client
	server *url.URL
}

// New returns a Dialer that asks the API server of config, with its credentials and through its proxy.
func New(config *rest.Config) (*Dialer, error) {
	config = rest.CopyConfig(config)
	// HTTP/2 has no such upgrade, and a limit for a whole request would be one for the connection.
	config.NextProtos, config.Timeout = []string{"http/1.1"}, 0
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("make client: %w", err)
	}
	server, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, fmt.Errorf("find the API server: %w", err)
	}
	return &Dialer{client: client, server: server}, nil
}

// Dial connects to a TCP port of a pod. It returns when the kubelet has taken the connection: whether anybody listens at
// the port shows when it is read from. ctx bounds the way to there and not the connection. Errors name the pod and carry
// the API server's own, such as that of a right that is missing (create on pods/portforward).
func (d *Dialer) Dial(ctx context.Context, namespace, pod string, port int) (net.Conn, error) {
	at := d.server.JoinPath("api", "v1", "namespaces", namespace, "pods", pod, "portforward")
	at.RawQuery = url.Values{"ports": {strconv.Itoa(port)}}.Encode()
	u := &upgrade{ctx: ctx, client: d.client, at: at.String()}
	ws, err := websocket.NewClient(u.config(), u)
	if err != nil {
		_ = u.Close()
		if u.err != nil {
			err = u.err
		}
		return nil, fmt.Errorf("forward port %d of pod %s: %w", port, pod, err)
	}
	return newConn(ws, fmt.Sprintf("port %d of pod %s", port, pod)), nil
}

// upgrade lets an HTTP client do the handshake of a WebSocket: the client knows credentials and proxies, the WebSocket
// knows what a right answer is.
type upgrade struct {
	ctx    context.Context
	client *http.Client
	at     string

	request bytes.Buffer
	// answer is what is read until body is all that is left.
	answer io.Reader
	body   io.ReadWriteCloser
	err    error
}

// config names any server: the request that is made of it takes only the headers of the handshake from it.
func (u *upgrade) config() *websocket.Config {
	anywhere := &url.URL{Scheme: "ws", Host: "api", Path: "/"}
	return &websocket.Config{Location: anywhere, Origin: anywhere, Protocol: []string{protocol}, Version: websocket.ProtocolVersionHybi13}
}

// Write takes the handshake first, then what is sent.
func (u *upgrade) Write(p []byte) (int, error) {
	if u.body != nil {
		return u.body.Write(p)
	}
	u.request.Write(p)
	if bytes.HasSuffix(u.request.Bytes(), []byte("\r\n\r\n")) {
		if u.err = u.do(); u.err != nil {
			return 0, u.err
		}
	}
	return len(p), nil
}

// Read gives the answer to the handshake first, then what is received.
func (u *upgrade) Read(p []byte) (int, error) {
	if u.body == nil {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := u.answer.Read(p)
	if errors.Is(err, io.EOF) && n == 0 {
		return u.body.Read(p)
	}
	return n, nil
}

// Close ends the connection.
func (u *upgrade) Close() error {
	if u.body == nil {
		return nil
	}
	return u.body.Close()
}

func (u *upgrade) do() error {
	handshake, err := http.ReadRequest(bufio.NewReader(&u.request))
	if err != nil {
		return err
	}
	// Once the protocol is switched, the context of the request has no hold on the connection any more.
	request, err := http.NewRequestWithContext(u.ctx, http.MethodGet, u.at, nil)
	if err != nil {
		return err
	}
	request.Header = handshake.Header
	request.Header.Del("Origin")
	response, err := u.client.Do(request)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusSwitchingProtocols {
		defer func() { _ = response.Body.Close() }()
		return refusal(response)
	}
	body, ok := response.Body.(io.ReadWriteCloser)
	if !ok {
		return errors.New("the connection to the API server can only be read")
	}
	var answer bytes.Buffer
	answer.WriteString("HTTP/1.1 101 Switching Protocols\r\n")
	if err := response.Header.Write(&answer); err != nil {
		return err
	}
	answer.WriteString("\r\n")
	u.answer, u.body = &answer, body
	return nil
}

// refusal is the API server's own error, if it is one.
func refusal(response *http.Response) error {
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("the API server answered %s", response.Status)
	}
	var status metav1.Status
	if json.Unmarshal(text, &status) == nil && status.Message != "" {
		return errors.New(status.Message)
	}
	return fmt.Errorf("the API server answered %s: %s", response.Status, strings.TrimSpace(string(text)))
}

// conn is one end of a pipe, whose other end is connected to the WebSocket: so it has deadlines.
type conn struct {
	net.Conn
	ws   *websocket.Conn
	what string

	mu sync.Mutex
	// why is what the other side said went wrong.
	why error
}

func newConn(ws *websocket.Conn, what string) *conn {
	near, far := net.Pipe()
	ws.PayloadType, ws.MaxPayloadBytes = websocket.BinaryFrame, maxMessage
	c := &conn{Conn: near, ws: ws, what: what}
	go func() {
		c.receive(far)
		_ = far.Close()
		_ = ws.Close()
	}()
	go func() {
		send(ws, far)
		_ = far.Close()
		_ = ws.Close()
	}()
	return c
}

// receive ends with the WebSocket, or with an error that the other side told.
func (c *conn) receive(into io.Writer) {
	seen := map[byte]bool{}
	for {
		var message []byte
		if err := websocket.Message.Receive(c.ws, &message); err != nil || len(message) == 0 {
			return
		}
		channel, content := message[0], message[1:]
		if !seen[channel] {
			seen[channel] = true
			if len(content) < portBytes {
				return
			}
			content = content[portBytes:]
		}
		switch {
		case len(content) == 0:
		case channel == dataChannel:
			if _, err := into.Write(content); err != nil {
				return
			}
		case channel == errorChannel:
			c.mu.Lock()
			c.why = fmt.Errorf("%s: %s", c.what, content)
			c.mu.Unlock()
			return
		}
	}
}

func send(ws *websocket.Conn, from io.Reader) {
	buffer := make([]byte, 1+chunk)
	buffer[0] = dataChannel
	for {
		n, err := from.Read(buffer[1:])
		if n > 0 {
			if err := websocket.Message.Send(ws, buffer[:1+n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// Read implements net.Conn. At the end it tells what the other side said went wrong.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if errors.Is(err, io.EOF) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.why != nil {
			err = c.why
		}
	}
	return n, err
}
