#!/usr/bin/env bash
# Runs every fuzz target of our packages for FUZZTIME each, since the go command
# takes one target at a time. An input that fails is written below the testdata/
# of its package: commit it, it is a regression test from then on.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
GO=${GO:-go}
FUZZTIME=${FUZZTIME:-60s}
# shellcheck source=hack/files.sh
source hack/files.sh

count=0
failed=()
while IFS=: read -r file declaration; do
	target=${declaration#func }
	target=${target%%(*}
	count=$((count + 1))
	printf '%s %s for %s\n' "$(dirname "$file")" "$target" "$FUZZTIME"
	# Making an interesting input smaller may take a minute by default, in which
	# nothing new is tried: a target with many branches would spend all its time.
	"$GO" test -run '^$' -fuzz "^$target\$" -fuzztime "$FUZZTIME" -fuzzminimizetime 10x "./$(dirname "$file")" </dev/null ||
		failed+=("$(dirname "$file") $target")
done < <(our_files '*_test.go' ':(exclude)lab' | xargs -0 -r grep -oE '^func Fuzz[A-Za-z0-9_]*\([a-z]+ \*testing\.F\)' /dev/null)

echo "$count fuzz targets, ${#failed[@]} failed"
((${#failed[@]} == 0)) || {
	printf '  %s\n' "${failed[@]}"
	exit 1
}
