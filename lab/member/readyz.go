package member

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"time"
)

// probeTimeout is below the kubelet's patience, so that the reason of a failure
// reaches the event.
const probeTimeout = 2 * time.Second

// Readyz serves /readyz (the member answers a read of its own data) and
// /healthz (this process lives) until it fails.
func Readyz(address string) error {
	client, err := newClient()
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "ok")
	})
	mux.HandleFunc("/readyz", func(w http.ResponseWriter, request *http.Request) {
		ctx, cancel := context.WithTimeout(request.Context(), probeTimeout)
		defer cancel()
		if err := client.alive(ctx, address); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	server := &http.Server{Addr: ":" + ReadyzPort, Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	return server.ListenAndServeTLS(filepath.Join(CertsDir, "member.crt"), filepath.Join(CertsDir, "member.key"))
}
