package etcdclient

import (
	"context"
	"errors"
	"strings"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
)

// What reading from etcd can end in, apart from success.
var (
	// ErrNoAnswer: the endpoint gave no answer that says anything about the member: it could not be reached, the
	// handshake failed, the deadline passed, or the answer is not one that a member gives.
	ErrNoAnswer = errors.New("no answer from the endpoint")
	// ErrCannotServe: the endpoint itself answered that it cannot serve: it knows no leader, etcd's own time limit
	// passed, it is stopping, it is corrupt.
	ErrCannotServe = errors.New("the endpoint answered that it cannot serve")
	// ErrLearnerCannotServe: the endpoint is a learner's, and learners do not serve this call.
	ErrLearnerCannotServe = errors.New("a learner does not serve this call")
	// ErrOtherMember: the endpoint answered as another member, or as a member of another cluster.
	ErrOtherMember = errors.New("the endpoint belongs to another member")
	// ErrUnstarted: the member has published no client URL, so there is nothing to ask.
	ErrUnstarted = errors.New("the member has not started")
	// ErrNoEndpoint: none of the given endpoints answered.
	ErrNoEndpoint = errors.New("no endpoint answered")
	// ErrNoWay: what lies between here and the endpoint failed (see DialThrough), which says nothing about the member.
	ErrNoWay = errors.New("the way to the endpoint is closed")
	// ErrClosed: the Client was closed.
	ErrClosed = errors.New("the client is closed")
)

// What a change can end in, apart from success. Unless it is ErrOutcomeUnknown, the member set was not changed by it.
var (
	// ErrSetChanged: the member set is not the one that was judged; nothing was sent (invariant I6).
	ErrSetChanged = errors.New("the member set is not the one that was judged")
	// ErrMisdirected: the change was to be asked of a member that is not a started voter, or that is its subject;
	// nothing was sent (rule R6).
	ErrMisdirected = errors.New("the change must be asked of a started voter that is not its subject")
	// ErrNotInSync: the learner is too far behind to be promoted. A normal wait (rule R5.2).
	ErrNotInSync = errors.New("the learner is not in sync with the leader")
	// ErrNotLearner: the member to promote votes already. When another voter than the leader was asked, this very call
	// may have promoted it: such a voter asks the leader again when an answer got lost.
	ErrNotLearner = errors.New("the member is not a learner")
	// ErrTooManyLearners: the cluster has as many learners as etcd allows (rule R5.6).
	ErrTooManyLearners = errors.New("too many learners")
	// ErrQuorumAtRisk: too few members have started or have been connected for long enough, so that the change could
	// lose quorum.
	ErrQuorumAtRisk = errors.New("etcd refuses a change that could lose quorum")
	// ErrMemberNotFound: there is no such member, or it was removed before.
	ErrMemberNotFound = errors.New("no such member")
	// ErrAlreadyExists: a member has one of the peer URLs.
	ErrAlreadyExists = errors.New("a member with this peer URL exists")
	// ErrNotLeader: the member that was asked to hand over leadership does not have it.
	ErrNotLeader = errors.New("the member is not the leader")
	// ErrBadTransferee: leadership cannot go to that member; it is a learner or no member.
	ErrBadTransferee = errors.New("leadership cannot move to this member")
	// ErrRefused: etcd refused the change with a definite answer that none of the others names.
	ErrRefused = errors.New("etcd refused the change")
	// ErrOutcomeUnknown: the change was sent and there is no definite answer. It may have been made, or may still be
	// (rule R10.2).
	ErrOutcomeUnknown = errors.New("it is not known whether the change was made")
)

// etcd's errors reach a client as one of two Go types. Those that rpctypes knows become its EtcdError, the others stay
// a gRPC status (rpctypes forgot some of its own). The gRPC code alone tells nothing: FailedPrecondition is shared by
// "not in sync", "too many learners" and "peer URL exists", and "not enough started members" arrives as Unknown.
func isEtcd(err error, grpcError error) bool {
	return errors.Is(err, rpctypes.Error(grpcError)) || errors.Is(err, grpcError)
}

type meaning struct {
	etcd, ours error
}

// ofReads are the answers to a read that say something about the member that gave them.
var ofReads = []meaning{
	{rpctypes.ErrGRPCNoLeader, ErrCannotServe},
	{rpctypes.ErrGRPCLeaderChanged, ErrCannotServe},
	{rpctypes.ErrGRPCStopped, ErrCannotServe},
	{rpctypes.ErrGRPCTimeout, ErrCannotServe},
	{rpctypes.ErrGRPCTimeoutDueToLeaderFail, ErrCannotServe},
	{rpctypes.ErrGRPCTimeoutDueToConnectionLost, ErrCannotServe},
	{rpctypes.ErrGRPCTimeoutWaitAppliedIndex, ErrCannotServe},
	{rpctypes.ErrGRPCUnhealthy, ErrCannotServe},
	{rpctypes.ErrGRPCCorrupt, ErrCannotServe},
	{rpctypes.ErrGRPCNotCapable, ErrCannotServe},
	{rpctypes.ErrGRPCNotSupportedForLearner, ErrLearnerCannotServe},
}

// ofWrites are the answers to a change that etcd gives only when it has not made the change: before it proposes it, or
// when it applies it and finds it invalid. Those that may come after a proposal (time limits, stopping, no leader while
// a promotion is passed on) are missing on purpose: whatever is not in this list is unknown.
var ofWrites = []meaning{
	{rpctypes.ErrGRPCLearnerNotReady, ErrNotInSync},
	{rpctypes.ErrGRPCMemberNotLearner, ErrNotLearner},
	{rpctypes.ErrGRPCTooManyLearners, ErrTooManyLearners},
	{rpctypes.ErrGRPCUnhealthy, ErrQuorumAtRisk},
	{rpctypes.ErrGRPCMemberNotEnoughStarted, ErrQuorumAtRisk},
	{rpctypes.ErrGRPCMemberNotFound, ErrMemberNotFound},
	{rpctypes.ErrGRPCMemberExist, ErrAlreadyExists},
	{rpctypes.ErrGRPCPeerURLExist, ErrAlreadyExists},
	{rpctypes.ErrGRPCNotLeader, ErrNotLeader},
	{rpctypes.ErrGRPCBadLeaderTransferee, ErrBadTransferee},
	{rpctypes.ErrGRPCNotSupportedForLearner, ErrLearnerCannotServe},
	{rpctypes.ErrGRPCMemberBadURLs, ErrRefused},
	{rpctypes.ErrGRPCNotCapable, ErrRefused},
	{rpctypes.ErrGRPCPermissionDenied, ErrRefused},
	{rpctypes.ErrGRPCUserEmpty, ErrRefused},
}

// failures is several errors in one sentence.
type failures []error

func (f failures) Error() string {
	sentences := make([]string, len(f))
	for i, err := range f {
		sentences[i] = err.Error()
	}
	return strings.Join(sentences, "; ")
}

func (f failures) Unwrap() []error { return f }

// CannotServe returns how many endpoints answered that they cannot serve, of those that an error of MemberList tells about.
// One may be cut off from the others; without quorum a quorum of them says so.
func CannotServe(err error) int {
	said := 0
	switch err := err.(type) {
	case failures:
		for _, of := range err {
			if errors.Is(of, ErrCannotServe) {
				said++
			}
		}
	case interface{ Unwrap() error }:
		said = CannotServe(err.Unwrap())
	case interface{ Unwrap() []error }:
		for _, part := range err.Unwrap() {
			said += CannotServe(part)
		}
	}
	return said
}

// explained is an error with both its meaning and its cause in reach of errors.Is; it reads as one sentence.
type explained struct {
	meaning, cause error
}

func (e explained) Error() string   { return e.meaning.Error() + ": " + e.cause.Error() }
func (e explained) Unwrap() []error { return []error{e.meaning, e.cause} }

func explain(err error, table []meaning, otherwise error) error {
	if err == nil {
		return nil
	}
	for _, m := range table {
		if isEtcd(err, m.etcd) {
			return explained{m.ours, err}
		}
	}
	return explained{otherwise, err}
}

// explainRead gives an error of a read its meaning. What this package made itself has one already.
func explainRead(err error) error {
	if err == nil || isOurs(err) {
		return err
	}
	return explain(err, ofReads, ErrNoAnswer)
}

// explainWrite gives an error of a change that was sent its meaning.
func explainWrite(err error) error { return explain(err, ofWrites, ErrOutcomeUnknown) }

func isOurs(err error) bool {
	return errors.Is(err, ErrOtherMember) || errors.Is(err, ErrClosed) || errors.Is(err, ErrNoAnswer) || errors.Is(err, ErrNoWay)
}

// isSilence reports whether an error leaves it open whether there is anybody at the other end: etcd did not answer, and
// it was not the caller who gave up.
func isSilence(err error) bool {
	var answer rpctypes.EtcdError
	return !errors.As(err, &answer) && !errors.Is(err, context.Canceled) && !errors.Is(err, ErrSetChanged)
}
