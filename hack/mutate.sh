#!/usr/bin/env bash
# Breaks the decisions in small ways and reports what no test noticed. Flags are
# those of hack/mutate; --help prints them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec "${GO:-go}" run ./hack/mutate "$@"
