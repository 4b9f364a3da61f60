package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// maxRequest bounds a request in bytes; more than a command line's worth is no
// request.
const maxRequest = 256 << 10

// Handler answers one request; it may send several replies. ctx ends when the
// client goes away. The files are the handler's to close.
type Handler func(ctx context.Context, request Request, files []*os.File, reply func(Reply) error) error

// Serve answers requests until listener fails.
func Serve(ctx context.Context, listener *net.UnixListener, handler Handler) error {
	for {
		socket, err := listener.AcceptUnix()
		if err != nil {
			return fmt.Errorf("accept a command: %w", err)
		}
		go func() {
			defer socket.Close()
			if err := answer(ctx, socket, handler); err != nil {
				// The client hears of it unless it is gone, which is no concern of ours.
				_ = json.NewEncoder(socket).Encode(Reply{Error: err.Error()})
			}
		}()
	}
}

func answer(ctx context.Context, socket *net.UnixConn, handler Handler) error {
	if err := checkPeer(socket); err != nil {
		return err
	}
	request, files, err := receive(socket)
	if err != nil {
		for _, file := range files {
			file.Close()
		}
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		// Clients say nothing more; reading ends when they are gone.
		_, _ = socket.Read(make([]byte, 1))
		cancel()
	}()
	encoder := json.NewEncoder(socket)
	return handler(ctx, request, files, func(reply Reply) error { return encoder.Encode(reply) })
}

// checkPeer refuses other users: anybody may connect to an abstract socket.
func checkPeer(socket *net.UnixConn) error {
	raw, err := socket.SyscallConn()
	if err != nil {
		return fmt.Errorf("look at the client: %w", err)
	}
	var credentials *unix.Ucred
	var failure error
	if err := raw.Control(func(descriptor uintptr) {
		credentials, failure = unix.GetsockoptUcred(int(descriptor), unix.SOL_SOCKET, unix.SO_PEERCRED)
	}); err != nil {
		return fmt.Errorf("look at the client: %w", err)
	}
	if failure != nil {
		return fmt.Errorf("look at the client: %w", failure)
	}
	if int(credentials.Uid) != os.Geteuid() {
		return errors.New("this lab belongs to another user")
	}
	return nil
}

// receive reads a request and what is attached to it. Files are returned with an
// error too.
func receive(socket *net.UnixConn) (Request, []*os.File, error) {
	var line []byte
	var files []*os.File
	for !bytes.ContainsRune(line, '\n') {
		data, rights := make([]byte, 16<<10), make([]byte, unix.CmsgSpace(8*4))
		n, rightsLength, _, _, err := socket.ReadMsgUnix(data, rights)
		if err != nil {
			return Request{}, files, fmt.Errorf("read request: %w", err)
		}
		if n == 0 {
			return Request{}, files, errors.New("read request: the client went away")
		}
		line = append(line, data[:n]...)
		received, err := filesOf(rights[:rightsLength])
		if err != nil {
			return Request{}, files, err
		}
		files = append(files, received...)
		if len(line) > maxRequest {
			return Request{}, files, errors.New("request is too long")
		}
	}
	var request Request
	if err := json.Unmarshal(line, &request); err != nil {
		return Request{}, files, fmt.Errorf("parse request: %w", err)
	}
	return request, files, nil
}

func filesOf(rights []byte) ([]*os.File, error) {
	messages, err := unix.ParseSocketControlMessage(rights)
	if err != nil {
		return nil, fmt.Errorf("read attached files: %w", err)
	}
	var files []*os.File
	for _, message := range messages {
		descriptors, err := unix.ParseUnixRights(&message)
		if err != nil {
			return nil, fmt.Errorf("read attached files: %w", err)
		}
		for _, descriptor := range descriptors {
			unix.CloseOnExec(descriptor)
			files = append(files, os.NewFile(uintptr(descriptor), "attached"))
		}
	}
	return slices.Clip(files), nil
}
