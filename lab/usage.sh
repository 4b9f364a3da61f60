#!/bin/sh
# Prints what all processes of a running lab use together, its operator too:
#     bin/etcdlab exec -- sh $PWD/lab/usage.sh SECONDS
# Memory is the proportional set size, which counts what is shared once.
set -eu
seconds=${1:-60}

# Processor time, in hundredths of a second.
spent() {
	cat /proc/[0-9]*/stat 2>/dev/null | sed 's/^.*) //' | awk '{ s += $12 + $13 } END { print s }'
}

before=$(spent)
sleep "$seconds"
after=$(spent)
memory=$(cat /proc/[0-9]*/smaps_rollup 2>/dev/null | awk '/^Pss:/ { s += $2 } END { printf "%d", s / 1024 }')
echo "$((after - before)) hundredths of a second of processor time in $seconds s, $memory MiB"
