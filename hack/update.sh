#!/usr/bin/env bash
# Rewrites everything that verify compares with a computed form.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
GO=${GO:-go}
# shellcheck source=hack/files.sh
source hack/files.sh

our_files '*.go' | xargs -0 -r "$("$GO" env GOROOT)/bin/gofmt" -w
"$GO" mod tidy
"$GO" mod vendor
if [[ -d hack/gendocs ]]; then
	"$GO" run ./hack/gendocs
	"$GO" -C lab generate ./report
fi
