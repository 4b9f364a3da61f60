package etcdclient_test

import (
	"context"
	"errors"
	"net"
	"testing"

	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient"
	"github.com/openshift/cluster-etcd-operator/pkg/etcdclient/etcdclienttest"
)

// A tunnel that is closed must not make a member look dead: only what was asked and did not answer may be unhealthy.
func TestAClosedWayIsNotAMembersSilence(t *testing.T) {
	authority := etcdclienttest.NewAuthority(t)
	files := etcdclienttest.WriteFiles(t, t.TempDir(), authority.Issue(t, "client"), authority)
	url := serve(t, &member{}, authority)
	silent, err := net.Listen("tcp", net.JoinHostPort(loopback.String(), "0"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	direct := func(ctx context.Context, address string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", address)
	}
	for name, test := range map[string]struct {
		// connect may give up for the caller.
		connect func(giveUp func()) etcdclient.Connector
		url     string
		want    error
	}{
		"the way is open and the member answers": {func(func()) etcdclient.Connector { return direct }, url, nil},
		"the way fails": {func(func()) etcdclient.Connector {
			return func(context.Context, string) (net.Conn, error) { return nil, errors.New("nobody lets me through") }
		}, url, etcdclient.ErrNoWay},
		"the way hangs": {func(giveUp func()) etcdclient.Connector {
			return func(ctx context.Context, _ string) (net.Conn, error) {
				giveUp()
				<-ctx.Done()
				return nil, ctx.Err()
			}
		}, url, etcdclient.ErrNoWay},
		"the way is open and the member is silent": {func(giveUp func()) etcdclient.Connector {
			return func(ctx context.Context, address string) (net.Conn, error) {
				conn, err := direct(ctx, address)
				if err != nil {
					return nil, err
				}
				return &greeted{Conn: conn, hello: giveUp}, nil
			}
		}, "https://" + silent.Addr().String(), etcdclient.ErrNoEndpoint},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, giveUp := context.WithCancel(t.Context())
			defer giveUp()
			client := etcdclient.New(etcdclient.Config{TLS: files, Dial: etcdclient.DialThrough(test.connect(giveUp))})
			defer client.Close()
			_, err := client.MemberList(ctx, []string{test.url})
			if !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
				t.Errorf("error %v, want %v", err, test.want)
			}
			if got := errors.Is(err, etcdclient.ErrNoWay); got != (test.want == etcdclient.ErrNoWay) {
				t.Errorf("no way: %v, since %v", got, err)
			}
		})
	}
}

// greeted calls hello once the first byte has been sent.
type greeted struct {
	net.Conn
	hello func()
}

func (g *greeted) Write(p []byte) (int, error) {
	n, err := g.Conn.Write(p)
	g.hello()
	return n, err
}
