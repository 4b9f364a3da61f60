package etcdclient

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// etcdErrors are errors that a member may send, with what they mean as the end of a read and of a change.
var etcdErrors = []struct {
	name        string
	sent        error
	read, write error
}{
	{"no leader", rpctypes.ErrGRPCNoLeader, ErrCannotServe, ErrOutcomeUnknown},
	{"leader changed", rpctypes.ErrGRPCLeaderChanged, ErrCannotServe, ErrOutcomeUnknown},
	{"stopped", rpctypes.ErrGRPCStopped, ErrCannotServe, ErrOutcomeUnknown},
	{"timed out", rpctypes.ErrGRPCTimeout, ErrCannotServe, ErrOutcomeUnknown},
	{"timed out as the leader failed", rpctypes.ErrGRPCTimeoutDueToLeaderFail, ErrCannotServe, ErrOutcomeUnknown},
	{"timed out as a connection was lost", rpctypes.ErrGRPCTimeoutDueToConnectionLost, ErrCannotServe, ErrOutcomeUnknown},
	{"timed out waiting for the applied index", rpctypes.ErrGRPCTimeoutWaitAppliedIndex, ErrCannotServe, ErrOutcomeUnknown},
	{"corrupt", rpctypes.ErrGRPCCorrupt, ErrCannotServe, ErrOutcomeUnknown},
	{"unhealthy", rpctypes.ErrGRPCUnhealthy, ErrCannotServe, ErrQuorumAtRisk},
	{"not capable yet", rpctypes.ErrGRPCNotCapable, ErrCannotServe, ErrRefused},
	{"not for learners", rpctypes.ErrGRPCNotSupportedForLearner, ErrLearnerCannotServe, ErrLearnerCannotServe},
	{"not in sync", rpctypes.ErrGRPCLearnerNotReady, ErrNoAnswer, ErrNotInSync},
	{"not a learner", rpctypes.ErrGRPCMemberNotLearner, ErrNoAnswer, ErrNotLearner},
	{"too many learners", rpctypes.ErrGRPCTooManyLearners, ErrNoAnswer, ErrTooManyLearners},
	{"not enough started members", rpctypes.ErrGRPCMemberNotEnoughStarted, ErrNoAnswer, ErrQuorumAtRisk},
	{"no such member", rpctypes.ErrGRPCMemberNotFound, ErrNoAnswer, ErrMemberNotFound},
	{"member exists", rpctypes.ErrGRPCMemberExist, ErrNoAnswer, ErrAlreadyExists},
	{"peer URL exists", rpctypes.ErrGRPCPeerURLExist, ErrNoAnswer, ErrAlreadyExists},
	{"not the leader", rpctypes.ErrGRPCNotLeader, ErrNoAnswer, ErrNotLeader},
	{"bad transferee", rpctypes.ErrGRPCBadLeaderTransferee, ErrNoAnswer, ErrBadTransferee},
	{"bad URLs", rpctypes.ErrGRPCMemberBadURLs, ErrNoAnswer, ErrRefused},
	{"permission denied", rpctypes.ErrGRPCPermissionDenied, ErrNoAnswer, ErrRefused},
	{"no user", rpctypes.ErrGRPCUserEmpty, ErrNoAnswer, ErrRefused},
	{"no space", rpctypes.ErrGRPCNoSpace, ErrNoAnswer, ErrOutcomeUnknown},
	{"too many requests", rpctypes.ErrGRPCRequestTooManyRequests, ErrNoAnswer, ErrOutcomeUnknown},
	{"cluster id mismatch", rpctypes.ErrGRPCClusterIDMismatch, ErrNoAnswer, ErrOutcomeUnknown},
	{"cancelled by the member", rpctypes.ErrGRPCCanceled, ErrNoAnswer, ErrOutcomeUnknown},
	{"the member's context ended", rpctypes.ErrGRPCDeadlineExceeded, ErrNoAnswer, ErrOutcomeUnknown},
	{"a code that etcd shares, with words of its own", status.Error(codes.FailedPrecondition, "not in sync"), ErrNoAnswer, ErrOutcomeUnknown},
	{"unavailable, with words of the connection", status.Error(codes.Unavailable, "connection refused"), ErrNoAnswer, ErrOutcomeUnknown},
	{"an unknown answer", status.Error(codes.Unknown, "etcdserver: request timed out, leader transfer took too long"), ErrNoAnswer, ErrOutcomeUnknown},
	{"the deadline", context.DeadlineExceeded, ErrNoAnswer, ErrOutcomeUnknown},
	{"the caller gave up", context.Canceled, ErrNoAnswer, ErrOutcomeUnknown},
	{"something else", errors.New("etcdserver: no leader"), ErrNoAnswer, ErrOutcomeUnknown},
}

func TestWhatEtcdsErrorsMean(t *testing.T) {
	for _, test := range etcdErrors {
		t.Run(test.name, func(t *testing.T) {
			// The way it comes out of etcd's client, and wrapped.
			for _, err := range []error{rpctypes.Error(test.sent), fmt.Errorf("call: %w", rpctypes.Error(test.sent))} {
				if test.name == "something else" {
					err = test.sent // rpctypes.Error itself goes by the words.
				}
				if got := explainRead(err); !onlyMeans(got, test.read) || !errors.Is(got, err) {
					t.Errorf("a read ends in %v, want %v and its cause", got, test.read)
				}
				if got := explainWrite(err); !onlyMeans(got, test.write) || !errors.Is(got, err) {
					t.Errorf("a change ends in %v, want %v and its cause", got, test.write)
				}
			}
		})
	}
	if explainRead(nil) != nil || explainWrite(nil) != nil {
		t.Error("success became an error")
	}
}

func onlyMeans(err, meaning error) bool {
	for _, m := range []error{
		ErrNoAnswer, ErrCannotServe, ErrLearnerCannotServe, ErrOtherMember, ErrUnstarted, ErrNoEndpoint, ErrClosed,
		ErrSetChanged, ErrMisdirected, ErrNotInSync, ErrNotLearner, ErrTooManyLearners, ErrQuorumAtRisk, ErrMemberNotFound,
		ErrAlreadyExists, ErrNotLeader, ErrBadTransferee, ErrRefused, ErrOutcomeUnknown,
	} {
		if errors.Is(err, m) != (m == meaning) {
			return false
		}
	}
	return true
}

func TestAnErrorOfSeveralEndpointsIsOneLineAndKeepsEachCause(t *testing.T) {
	for name, test := range map[string]struct {
		failed failures
		want   error
		said   int
	}{
		"none asked":                            {nil, ErrNoEndpoint, 0},
		"nobody answered":                       {failures{explainRead(context.DeadlineExceeded), explainRead(context.DeadlineExceeded)}, ErrNoEndpoint, 0},
		"one answered that it cannot serve":     {failures{explainRead(context.DeadlineExceeded), explainRead(rpctypes.ErrNoLeader)}, ErrCannotServe, 1},
		"a learner answered, another is silent": {failures{explainRead(rpctypes.Error(rpctypes.ErrGRPCNotSupportedForLearner)), explainRead(context.DeadlineExceeded)}, ErrLearnerCannotServe, 0},
		"a learner answered, a voter cannot":    {failures{explainRead(rpctypes.Error(rpctypes.ErrGRPCNotSupportedForLearner)), explainRead(rpctypes.ErrNoLeader)}, ErrCannotServe, 1},
		"two answered that they cannot serve":   {failures{explainRead(rpctypes.ErrNoLeader), explainRead(context.DeadlineExceeded), explainRead(rpctypes.ErrStopped)}, ErrCannotServe, 2},
		"the client is closed":                  {failures{ErrClosed, ErrClosed}, ErrClosed, 0},
	} {
		t.Run(name, func(t *testing.T) {
			err := test.failed.summary()
			if !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
			if got := CannotServe(errors.Join(errors.New("of others"), fmt.Errorf("list members: %w", err))); got != test.said {
				t.Errorf("%d endpoints said that they cannot serve, want %d", got, test.said)
			}
			for _, cause := range test.failed {
				if !errors.Is(err, cause) {
					t.Errorf("%v lost %v", err, cause)
				}
			}
			for _, r := range err.Error() {
				if r == '\n' {
					t.Errorf("%q has several lines", err)
				}
			}
		})
	}
}

func TestWhichErrorsRetireAConnection(t *testing.T) {
	for name, test := range map[string]struct {
		err  error
		want bool
	}{
		"silence until the deadline":     {context.DeadlineExceeded, true},
		"no connection":                  {status.Error(codes.Unavailable, "connection refused"), true},
		"an answer of another member":    {ErrOtherMember, true},
		"the caller found it elsewhere":  {context.Canceled, false},
		"the member knows no leader":     {rpctypes.ErrNoLeader, false},
		"the learner is not in sync":     {rpctypes.ErrMemberLearnerNotReady, false},
		"the set is not the judged one":  {fmt.Errorf("compare: %w", ErrSetChanged), false},
		"a learner does not serve":       {rpctypes.Error(rpctypes.ErrGRPCNotSupportedForLearner), false},
		"the member ran out of patience": {rpctypes.ErrTimeout, false},
	} {
		if got := isSilence(test.err); got != test.want {
			t.Errorf("%s: got %t, want %t", name, got, test.want)
		}
	}
}
