package crash

import (
	"flag"
	"io"
	"os"
	"testing"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

// Without its handlers, an error of a controller is not written to the log, and above all not slowed down: the handler
// measures its pauses from the real time at which the test binary started, which in a bubble is 26 years ahead.
func TestMain(m *testing.M) {
	utilruntime.ErrorHandlers = nil
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	_ = flags.Set("logtostderr", "false")
	_ = flags.Set("stderrthreshold", "FATAL")
	klog.SetOutput(io.Discard)
	os.Exit(m.Run())
}
