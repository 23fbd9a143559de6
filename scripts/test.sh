#!/usr/bin/env bash
# Every test, in two parts that run side by side: those that start servers, workers and browsers of their own
# and wait for them a good deal, and all the others, which give way to them. tests/order.py says which files begin.
set -uo pipefail
cd "$(dirname "$0")/.."
workers=${TEST_WORKERS:-2}
log=$(mktemp)
# To look into every file for the few tests of the first part would take ten seconds.
mapfile -t waiting < <(grep -rlE 'mark\.(browser|slow)\b' tests --include='test_*.py' | sort)
.venv/bin/pytest "${waiting[@]}" -q -m "browser or slow" "$@" >"$log" 2>&1 &
slow=$!
# Whoever loses patience with both is shown how far the first part came.
trap 'kill "$slow" 2>/dev/null; cat "$log"; rm -f "$log"' EXIT
trap 'exit 143' TERM INT
nice -n 10 .venv/bin/pytest tests -q -n "$workers" --dist loadfile --no-loadscope-reorder -m "not browser and not slow" "$@"
first=$?
wait "$slow"
second=$?
# pytest says 5 where a part has no test among those that were asked for.
[ "$first" = 5 ] && [ "$second" = 5 ] && exit 5
{ [ "$first" = 0 ] || [ "$first" = 5 ]; } && { [ "$second" = 0 ] || [ "$second" = 5 ]; }
