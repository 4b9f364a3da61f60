package lease

import (
	"context"
	"errors"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	kubetesting "k8s.io/client-go/testing"
	testingclock "k8s.io/utils/clock/testing"
	"k8s.io/utils/ptr"
)

var now = time.Unix(1_700_000_000, 0)

const namespace, name, me = "operator", "lock", "host_1"

func lease(change func(*coordinationv1.LeaseSpec)) *coordinationv1.Lease {
	l := &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity: ptr.To(me), LeaseDurationSeconds: ptr.To[int32](15), RenewTime: ptr.To(metav1.NewMicroTime(now)),
		},
	}
	change(&l.Spec)
	return l
}

func renewedAgo(age time.Duration) func(*coordinationv1.LeaseSpec) {
	return func(s *coordinationv1.LeaseSpec) { s.RenewTime = ptr.To(metav1.NewMicroTime(now.Add(-age))) }
}

func TestFresh(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*coordinationv1.LeaseSpec)
		fresh  bool
	}{
		"a lease that was just renewed is fresh":                        {renewedAgo(0), true},
		"so is one with five seconds left":                              {renewedAgo(10 * time.Second), true},
		"one with less left is not":                                     {renewedAgo(10*time.Second + time.Millisecond), false},
		"one that has expired is not":                                   {renewedAgo(time.Minute), false},
		"one that was renewed in the future is not: a clock was turned": {renewedAgo(-time.Millisecond), false},
		"another process holds it":                                      {func(s *coordinationv1.LeaseSpec) { s.HolderIdentity = ptr.To("host_2") }, false},
		"it was released":                                               {func(s *coordinationv1.LeaseSpec) { s.HolderIdentity = ptr.To("") }, false},
		"it names nobody":                                               {func(s *coordinationv1.LeaseSpec) { s.HolderIdentity = nil }, false},
		"it was never renewed":                                          {func(s *coordinationv1.LeaseSpec) { s.RenewTime = nil }, false},
		"it has no duration":                                            {func(s *coordinationv1.LeaseSpec) { s.LeaseDurationSeconds = nil }, false},
	} {
		t.Run(name, func(t *testing.T) {
			err := reader(lease(test.change)).Fresh(context.Background())
			if test.fresh && err != nil || !test.fresh && !errors.Is(err, ErrNotFresh) {
				t.Errorf("fresh %t, got %v", test.fresh, err)
			}
		})
	}
}

func TestALeaseThatCannotBeReadIsNotFresh(t *testing.T) {
	if err := reader().Fresh(context.Background()); err == nil || errors.Is(err, ErrNotFresh) {
		t.Errorf("without a Lease: %v", err)
	}
	refused := errors.New("connection refused")
	client := fake.NewClientset(lease(renewedAgo(0)))
	client.PrependReactor("get", "leases", func(kubetesting.Action) (bool, runtime.Object, error) { return true, nil, refused })
	r := reader()
	r.Client = client.CoordinationV1().Leases(namespace)
	if err := r.Fresh(context.Background()); !errors.Is(err, refused) {
		t.Errorf("got %v", err)
	}
}

func reader(objects ...runtime.Object) Reader {
	return Reader{
		Client: fake.NewClientset(objects...).CoordinationV1().Leases(namespace), Name: name, Identity: me,
		Clock: testingclock.NewFakePassiveClock(now),
	}
}
