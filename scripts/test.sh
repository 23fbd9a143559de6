#!/usr/bin/env bash
# Every test, in two parts: the fast ones side by side, then those that want the machine for themselves.
set -euo pipefail
cd "$(dirname "$0")/.."
workers=${TEST_WORKERS:-2}
.venv/bin/pytest tests -q -n "$workers" --dist loadfile -m "not browser and not slow" "$@"
.venv/bin/pytest tests -q -m "browser or slow" "$@"
