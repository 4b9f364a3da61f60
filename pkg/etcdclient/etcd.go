package etcdclient

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials"

	"github.com/openshift/cluster-etcd-operator/pkg/snapshot"
)

const (
	// probeKey is what etcdctl's own health check reads; it need not exist.
	probeKey = "health"
	// maxAnswerBytes bounds what an endpoint can make this process hold. A list of a hundred members is a few KiB.
	maxAnswerBytes = 4 << 20
	oneAttempt     = 1
)

// How a member that fell silent is noticed while nothing is asked of it. Both tests belong to the connection: etcd counts
// no call.
const (
	// PingEvery and PingTimeout are for HTTP/2 pings, which the member's process answers. gRPC sends none in shorter
	// intervals, and etcd would hang up if more than two came within its --grpc-keepalive-min-time (5 s), or while no
	// call is open.
	PingEvery   = 10 * time.Second
	PingTimeout = ProbeTimeout
	// A host that is gone or cut off does not acknowledge what TCP sends either. While nothing else is on its way the
	// kernel asks from the first of these times on, and gives up when several in a row were not answered.
	segmentAfter = time.Second
	segmentEvery = time.Second
	segments     = 2
)

// dialer makes the TCP connections to members.
var dialer = net.Dialer{KeepAliveConfig: net.KeepAliveConfig{
	Enable: true, Idle: segmentAfter, Interval: segmentEvery, Count: segments,
}}

// connection hides from gRPC that it is one of TCP, which would get PingTimeout as its TCP_USER_TIMEOUT: that overrides the
// number of segments, and would end calls that have a deadline of their own. It keeps the port of this end out of errors:
// they become messages of conditions, and would be written anew for each connection (rule R9.1).
type connection struct{ net.Conn }

func (c connection) Read(to []byte) (int, error) {
	n, err := c.Conn.Read(to)
	return n, withoutSource(err)
}

func (c connection) Write(from []byte) (int, error) {
	n, err := c.Conn.Write(from)
	return n, withoutSource(err)
}

func withoutSource(err error) error {
	var failed *net.OpError
	if !errors.As(err, &failed) {
		return err
	}
	here := *failed
	here.Source = nil
	return &here
}

func connect(ctx context.Context, address string) (net.Conn, error) {
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return connection{conn}, nil
}

// DialEtcd is the Dialer to real members, through etcd's client.
//
// That client would retry a change when the member answers "cancelled", and reads for as long as the deadline allows;
// here each call is one attempt. It would also wait for a member that cannot be reached until the deadline; here a
// refused connection fails the call.
func DialEtcd(clientURLs []string, credentials func() (*tls.Config, error)) (Conn, error) {
	return dialEtcd(clientURLs, credentials, connect, failFast)
}

func dialEtcd(clientURLs []string, credentials func() (*tls.Config, error), connect Connector, interceptors ...grpc.UnaryClientInterceptor) (Conn, error) {
	client, err := clientv3.New(clientv3.Config{
		Endpoints:          clientURLs,
		Logger:             zap.NewNop(),
		MaxUnaryRetries:    oneAttempt,
		MaxCallRecvMsgSize: maxAnswerBytes,
		// Pings without an open call are off, as etcd wants it.
		DialKeepAliveTime:    PingEvery,
		DialKeepAliveTimeout: PingTimeout,
		DialOptions: []grpc.DialOption{
			grpc.WithContextDialer(connect),
			grpc.WithTransportCredentials(perHandshake{credentials}),
			grpc.WithChainUnaryInterceptor(interceptors...),
			// Members are neighbours; a proxy that the environment names is for the world outside.
			grpc.WithNoProxy(),
			grpc.WithConnectParams(grpc.ConnectParams{Backoff: backoff.DefaultConfig, MinConnectTimeout: ProbeTimeout}),
		},
	})
	if err != nil {
		return nil, err
	}
	// The Maintenance that the client brings opens a connection of its own for each Status.
	maintenance := clientv3.NewMaintenanceFromMaintenanceClient(
		clientv3.RetryMaintenanceClient(client, client.ActiveConnection()), client)
	return &etcdConn{client: client, maintenance: maintenance}, nil
}

func failFast(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	return invoke(ctx, method, req, reply, cc, append(opts, grpc.WaitForReady(false))...)
}

// perHandshake makes each TLS handshake with a configuration of its own.
type perHandshake struct {
	load func() (*tls.Config, error)
}

func (p perHandshake) ClientHandshake(ctx context.Context, authority string, conn net.Conn) (net.Conn, credentials.AuthInfo, error) {
	config, err := p.load()
	if err != nil {
		return nil, nil, err
	}
	return credentials.NewTLS(config).ClientHandshake(ctx, authority, conn)
}

func (p perHandshake) ServerHandshake(conn net.Conn) (net.Conn, credentials.AuthInfo, error) {
	return credentials.NewTLS(nil).ServerHandshake(conn)
}

func (p perHandshake) Info() credentials.ProtocolInfo { return credentials.NewTLS(nil).Info() }

func (p perHandshake) Clone() credentials.TransportCredentials { return p }

// OverrideServerName belongs to the interface; gRPC does not call it.
func (p perHandshake) OverrideServerName(string) error { return nil }

type etcdConn struct {
	client      *clientv3.Client
	maintenance clientv3.Maintenance
}

func (c *etcdConn) List(ctx context.Context) (MemberList, error) {
	answer, err := c.client.MemberList(clientv3.WithRequireLeader(ctx))
	if err != nil {
		return MemberList{}, err
	}
	header := headerOf(answer.Header)
	list := MemberList{ClusterID: header.ClusterID, AnsweredBy: header.Member}
	for _, m := range answer.Members {
		list.Members = append(list.Members, Member{
			ID: snapshot.MemberID(m.ID), Name: m.Name, PeerURLs: m.PeerURLs, ClientURLs: m.ClientURLs, Learner: m.IsLearner,
		})
	}
	return list, nil
}

func (c *etcdConn) Read(ctx context.Context, linearizable bool) (Header, error) {
	var options []clientv3.OpOption
	if linearizable {
		ctx = clientv3.WithRequireLeader(ctx)
	} else {
		options = append(options, clientv3.WithSerializable())
	}
	answer, err := c.client.Get(ctx, probeKey, options...)
	if err != nil {
		return Header{}, err
	}
	return headerOf(answer.Header), nil
}

func (c *etcdConn) Status(ctx context.Context) (Header, Status, error) {
	// This Maintenance has one connection and ignores the endpoint.
	answer, err := c.maintenance.Status(ctx, "")
	if err != nil {
		return Header{}, Status{}, err
	}
	return headerOf(answer.Header), Status{
		Leader:        snapshot.MemberID(answer.Leader),
		Learner:       answer.IsLearner,
		Version:       answer.Version,
		DatabaseBytes: answer.DbSize,
		AppliedIndex:  answer.RaftAppliedIndex,
	}, nil
}

func (c *etcdConn) Alarms(ctx context.Context) ([]Alarm, error) {
	answer, err := c.maintenance.AlarmList(clientv3.WithRequireLeader(ctx))
	if err != nil {
		return nil, err
	}
	var alarms []Alarm
	for _, a := range answer.Alarms {
		kind := AlarmOther
		switch a.Alarm {
		case pb.AlarmType_NOSPACE:
			kind = AlarmNoSpace
		case pb.AlarmType_CORRUPT:
			kind = AlarmCorrupt
		}
		alarms = append(alarms, Alarm{Member: snapshot.MemberID(a.MemberID), Kind: kind})
	}
	return alarms, nil
}

func (c *etcdConn) AddLearner(ctx context.Context, peerURLs []string) (snapshot.MemberID, error) {
	answer, err := c.client.MemberAddAsLearner(ctx, peerURLs)
	if err != nil {
		return 0, err
	}
	return snapshot.MemberID(answer.Member.ID), nil
}

func (c *etcdConn) Promote(ctx context.Context, id snapshot.MemberID) error {
	_, err := c.client.MemberPromote(ctx, uint64(id))
	return err
}

func (c *etcdConn) Remove(ctx context.Context, id snapshot.MemberID) error {
	_, err := c.client.MemberRemove(ctx, uint64(id))
	return err
}

func (c *etcdConn) MoveLeader(ctx context.Context, to snapshot.MemberID) error {
	_, err := c.maintenance.MoveLeader(ctx, uint64(to))
	return err
}

// Attend watches a key with all of its events filtered out: an open call is what etcd ends by itself once the member has no
// leader, and what makes gRPC ping. It is not made through etcd's client, whose watches begin again by themselves.
func (c *etcdConn) Attend(ctx context.Context, begun func(Header)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := pb.NewWatchClient(c.client.ActiveConnection()).Watch(clientv3.WithRequireLeader(ctx))
	if err != nil {
		return rpctypes.Error(err)
	}
	// What goes wrong in sending, receiving tells.
	_ = stream.Send(&pb.WatchRequest{RequestUnion: &pb.WatchRequest_CreateRequest{CreateRequest: &pb.WatchCreateRequest{
		Key: []byte(probeKey), Filters: []pb.WatchCreateRequest_FilterType{pb.WatchCreateRequest_NOPUT, pb.WatchCreateRequest_NODELETE},
	}}})
	for {
		answer, err := stream.Recv()
		switch {
		case err != nil:
			return rpctypes.Error(err)
		case answer.Canceled:
			return errors.New("the member ended the call: " + answer.CancelReason)
		case answer.Created:
			begun(headerOf(answer.Header))
		}
	}
}

func (c *etcdConn) Broken() bool {
	switch c.client.ActiveConnection().GetState() {
	case connectivity.TransientFailure, connectivity.Shutdown:
		return true
	}
	return false
}

func (c *etcdConn) Close() error { return c.client.Close() }

func headerOf(h *pb.ResponseHeader) Header {
	return Header{ClusterID: h.GetClusterId(), Member: snapshot.MemberID(h.GetMemberId())}
}
