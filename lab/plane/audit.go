package plane

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

const auditInterval = time.Second

// ForbiddenError says what the operator asked of the API server without having the right to: its manifests and its code
// do not belong together.
type ForbiddenError struct{ Requests []string }

func (e *ForbiddenError) Error() string {
	return fmt.Sprintf("the API server forbade the operator what its manifests do not allow:\n  %s", strings.Join(e.Requests, "\n  "))
}

// watchAudit ends the lab a while after the first request of the operator that was forbidden; what else was forbidden
// until then is told as well.
func (p *Plane) watchAudit(ctx context.Context) {
	ticker := time.NewTicker(auditInterval)
	defer ticker.Stop()
	var offset int64
	var all []string
	quiet := 0
	for {
		requests, next, err := p.audit.Forbidden(offset)
		if err != nil {
			p.fail(err)
			return
		}
		offset = next
		for _, request := range requests {
			quiet = 0
			if !slices.Contains(all, request) {
				all = append(all, request)
				fmt.Printf("%s operator: forbidden: %s\n", time.Now().UTC().Format(time.RFC3339), request)
			}
		}
		if quiet++; len(all) > 0 && quiet > 10 {
			p.fail(&ForbiddenError{all})
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
