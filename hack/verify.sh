#!/usr/bin/env bash
# Runs every static check, or those named as arguments, and lists the failures
# at the end. It changes nothing; `make update` repairs what can be repaired.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
GO=${GO:-go}
# shellcheck source=hack/files.sh
source hack/files.sh

# Without git there is no list of our files, and a check of no file passes.
git rev-parse --is-inside-work-tree >/dev/null || exit 1

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# Each check prints what is wrong and returns non-zero; what a passing check
# prints is not shown.

check_gofmt() {
	local bad
	bad=$(our_files '*.go' | xargs -0 -r "$("$GO" env GOROOT)/bin/gofmt" -l) || return 1
	[[ -z $bad ]] || {
		echo "not formatted (make update):"
		echo "$bad"
		return 1
	}
}

check_vet() { "$GO" vet ./...; }

check_staticcheck() { "$GO" tool staticcheck ./...; }

check_tidy() { "$GO" mod tidy -diff; }

check_modules() { "$GO" mod verify; }

check_vendor() {
	"$GO" mod vendor -o "$scratch/vendor" || return 1
	diff -r vendor "$scratch/vendor" || {
		echo "vendor/ is not what go.mod asks for (make update)"
		return 1
	}
	# An ignored file is in this folder and in no clone of it.
	local ignored
	ignored=$(git ls-files --others --ignored --exclude-standard -- vendor)
	[[ -z $ignored ]] || {
		echo "git ignores parts of vendor/:"
		echo "$ignored"
		return 1
	}
}

# The test cache does not know what the go command reads for this test.
check_architecture() { "$GO" test -count=1 ./test/architecture/...; }

check_gendocs() {
	# The generator arrives with the first generated document.
	[[ -d hack/gendocs ]] || return 0
	"$GO" run ./hack/gendocs --check
}

# The table of mutants is about the present code; make mutate makes it anew.
check_mutants() { "$GO" run ./hack/mutate --check; }

check_shellcheck() {
	command -v shellcheck >/dev/null || {
		echo "shellcheck is not installed: install the package shellcheck"
		return 1
	}
	our_scripts | xargs -0 -r shellcheck -x
}

# Links to files, in documents that people read; what is fenced off as code is
# an example, and what has a scheme is not ours.
check_links() {
	local file target path status=0
	# shellcheck disable=SC2016 # the backticks are Markdown's
	while IFS=$'\t' read -r file target; do
		path=${target%%#*}
		case $path in
		'' | *://* | mailto:*) continue ;;
		/*) path=.$path ;;
		*) path=$(dirname "$file")/$path ;;
		esac
		[[ -e $path ]] || {
			echo "$file: no such file: $target"
			status=1
		}
	done < <(our_files '*.md' | xargs -0 -r awk '
		FNR == 1 { fenced = 0 }
		/^[ \t]*(```|~~~)/ { fenced = !fenced; next }
		fenced { next }
		{
			line = $0
			while (match(line, /\]\([^()]*\)/)) {
				target = substr(line, RSTART + 2, RLENGTH - 3)
				line = substr(line, RSTART + RLENGTH)
				sub(/^[ \t]*<?/, "", target)
				sub(/>?([ \t]+"[^"]*")?[ \t]*$/, "", target)
				print FILENAME "\t" target
			}
			if (match($0, /^[ \t]*\[[^]^][^]]*\]:[ \t]+/)) {
				target = substr($0, RLENGTH + 1)
				sub(/[ \t].*$/, "", target)
				print FILENAME "\t" target
			}
		}')
	return $status
}

check_size() {
	local file size status=0
	while IFS= read -r -d '' file; do
		size=$(wc -c <"$file")
		((size <= 1024 * 1024)) || {
			echo "$file: $size bytes; the limit is 1 MiB"
			status=1
		}
	done < <(our_files .)
	return $status
}

# A path of somebody's machine works nowhere else, and a registry is chosen by
# whoever builds. The patterns are written so that they do not match this file.
check_paths() {
	local before='(^|[^A-Za-z0-9_.})*-])'
	local folder='/((work|root)/|home/[a-z]|Users/[A-Za-z])'
	local host='(proxy|sum)[.]golang[.]org|registry[.](npmjs|yarnpkg)[.]|pypi[.]org|pythonhosted[.]org|(deb|security)[.]debian[.]org|archive[.]ubuntu[.]com|crates[.]io|rubygems[.]org'
	local found
	found=$(our_files . | xargs -0 -r grep -nIE -e "$before$folder" -e "$host" /dev/null)
	[[ -z $found ]] || {
		echo "$found"
		return 1
	}
}

all=(gofmt vet staticcheck tidy modules vendor architecture gendocs mutants shellcheck links size paths)

(($# == 0)) && set -- "${all[@]}"
failed=()
for name in "$@"; do
	if ! declare -F "check_$name" >/dev/null; then
		echo "no check is named '$name'; there are: ${all[*]}" >&2
		exit 2
	fi
	start=$SECONDS
	if "check_$name" >"$scratch/out" 2>&1; then
		printf '%-14s ok   %4d s\n' "$name" $((SECONDS - start))
	else
		printf '%-14s FAIL %4d s\n' "$name" $((SECONDS - start))
		cp "$scratch/out" "$scratch/$name.out"
		failed+=("$name")
	fi
done

for name in ${failed[@]+"${failed[@]}"}; do
	printf '\n--- %s\n' "$name"
	cat "$scratch/$name.out"
done
if ((${#failed[@]} > 0)); then
	printf '\n%d of %d checks failed: %s\n' "${#failed[@]}" $# "${failed[*]}"
	exit 1
fi
