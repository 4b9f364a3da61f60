package plane

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
)

// operatorAPI is where the operator finds the API server: by a way of its own,
// which can be cut. The API server's certificate is good for it.
const operatorAPI = "127.0.0.1:7443"

// way hands connections on to the API server, as they are.
type way struct {
	from, to string

	mu sync.Mutex
	// listener is nil while the way is cut: who tries it is refused.
	listener net.Listener
	open     map[net.Conn]bool
}

func newWay(from, to string) *way { return &way{from: from, to: to, open: map[net.Conn]bool{}} }

// heal opens the way; one that is open stays so.
func (w *way) heal() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.listener != nil {
		return nil
	}
	listener, err := net.Listen("tcp", w.from)
	if err != nil {
		return fmt.Errorf("open the operator's way to the API server: %w", err)
	}
	w.listener = listener
	go w.accept(listener)
	return nil
}

// cut ends all connections, and lets none be made.
func (w *way) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.listener != nil {
		w.listener.Close()
	}
	w.listener = nil
	for connection := range w.open {
		connection.Close()
	}
	clear(w.open)
}

func (w *way) accept(listener net.Listener) {
	for {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		go w.hand(listener, connection)
	}
}

// hand carries one connection, until either side or the way ends it.
func (w *way) hand(listener net.Listener, from net.Conn) {
	defer from.Close()
	to, err := net.Dial("tcp", w.to)
	if err != nil {
		// Whoever asked sees that the connection ends.
		return
	}
	defer to.Close()
	if !w.keep(listener, from, to) {
		return
	}
	defer w.forget(from, to)
	ended := make(chan struct{}, 2)
	for _, pair := range [][2]net.Conn{{from, to}, {to, from}} {
		go func() {
			_, err := io.Copy(pair[0], pair[1])
			if half, is := pair[0].(*net.TCPConn); is && !errors.Is(err, net.ErrClosed) {
				_ = half.CloseWrite()
			}
			ended <- struct{}{}
		}()
	}
	<-ended
	<-ended
}

// keep notes connections that a cut ends; false means that it has come already.
func (w *way) keep(listener net.Listener, connections ...net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.listener != listener {
		return false
	}
	for _, connection := range connections {
		w.open[connection] = true
	}
	return true
}

func (w *way) forget(connections ...net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, connection := range connections {
		delete(w.open, connection)
	}
}
