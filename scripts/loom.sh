#!/usr/bin/env bash
# Checks the queue between the workers and the writer of `rapidoku::file` with loom: all interleavings of two producers
# and a consumer, in runs that end in every way, up to a bound on preemptions. With these settings it takes about a
# minute, excluding the build.
set -euo pipefail
cd "$(dirname "$0")/.."
export LOOM_MAX_PREEMPTIONS="${LOOM_MAX_PREEMPTIONS:-3}"
cargo test --locked -p queue-model --no-run
# Two processes take half the time of one. Two threads would take longer: each execution maps and unmaps memory.
check() { timeout "${LOOM_TIMEOUT:-300}" cargo test --locked -p queue-model -- --test-threads 1 "$@"; }
check --skip a_run_ends &
check --skip written_in_order
wait $!
