package plane

import (
	"bufio"
	"fmt"
	"net"
	"testing"
)

// echo answers each line with itself.
func echo(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer connection.Close()
				lines := bufio.NewScanner(connection)
				for lines.Scan() {
					fmt.Fprintln(connection, lines.Text())
				}
			}()
		}
	}()
	return listener.Addr().String()
}

// free is an address that nobody listens on.
func free(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

func TestAWayCarriesUntilItIsCutAndAgainWhenItIsHealed(t *testing.T) {
	w := newWay(free(t), echo(t))
	ask := func(connection net.Conn) error {
		if _, err := fmt.Fprintln(connection, "there?"); err != nil {
			return err
		}
		answer, err := bufio.NewReader(connection).ReadString('\n')
		if err == nil && answer != "there?\n" {
			t.Errorf("the answer is %q", answer)
		}
		return err
	}
	dial := func() net.Conn {
		t.Helper()
		connection, err := net.Dial("tcp", w.from)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { connection.Close() })
		return connection
	}
	for range 2 {
		if err := w.heal(); err != nil {
			t.Fatal(err)
		}
		// One that is open stays so.
		if err := w.heal(); err != nil {
			t.Fatal(err)
		}
		connection := dial()
		if err := ask(connection); err != nil {
			t.Fatalf("the way is open: %v", err)
		}
		w.cut()
		if err := ask(connection); err == nil {
			t.Error("a connection outlives the cut")
		}
		if connection, err := net.Dial("tcp", w.from); err == nil {
			connection.Close()
			t.Error("a cut way lets connections be made")
		}
	}
}

func TestAWayForgetsConnectionsThatHaveEnded(t *testing.T) {
	w := newWay(free(t), echo(t))
	if err := w.heal(); err != nil {
		t.Fatal(err)
	}
	defer w.cut()
	connection, err := net.Dial("tcp", w.from)
	if err != nil {
		t.Fatal(err)
	}
	if err := connection.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if n, err := connection.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("read %d bytes, %v, want the end", n, err)
	}
	connection.Close()
	// It forgets right after it has ended both sides.
	for {
		w.mu.Lock()
		left := len(w.open)
		w.mu.Unlock()
		if left == 0 {
			return
		}
	}
}
