# shellcheck shell=bash
# Sourced by the scripts beside it.

# our_files prints, NUL-terminated, the files that are or would be tracked and
# match the given pathspecs ("." for all), except those in vendor/, which
# are others' and stay as they came.
our_files() {
	local file
	git ls-files -z --cached --others --exclude-standard --deduplicate -- "$@" ':(exclude)vendor' |
		while IFS= read -r -d '' file; do
			# The index still lists a file that was deleted but not committed.
			if [[ -f $file ]]; then printf '%s\0' "$file"; fi
		done
}

# our_scripts prints, NUL-terminated, the shell scripts among our files, whatever
# they are called.
our_scripts() {
	local file first
	our_files . | while IFS= read -r -d '' file; do
		if [[ $file == *.sh ]]; then
			printf '%s\0' "$file"
		elif IFS= read -r -n 80 first <"$file" 2>/dev/null && [[ $first =~ ^#!.*[/\ ](ba)?sh( |$) ]]; then
			printf '%s\0' "$file"
		fi
	done
}
