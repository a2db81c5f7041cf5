#!/usr/bin/env bash
# Checks the queue between the workers and the writer of `rapidoku::file` with loom: all interleavings of two producers
# and a consumer, in runs that end in every way, up to a bound on preemptions. With these settings it takes about a
# minute, excluding the build.
set -euo pipefail
cd "$(dirname "$0")/.."
export RUSTFLAGS="${RUSTFLAGS:-} --cfg loom"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/loom"
export LOOM_MAX_PREEMPTIONS="${LOOM_MAX_PREEMPTIONS:-3}"
# The test profile is sufficiently optimised, and links faster than the release profile.
export CARGO_PROFILE_TEST_DEBUG=0
cargo test -p rapidoku --lib --features file --no-run
# Two processes take half the time of one. Two threads would take longer: each execution maps and unmaps memory.
check() { timeout "${LOOM_TIMEOUT:-300}" cargo test -p rapidoku --lib --features file loom_ -- --test-threads 1 "$@"; }
check --skip a_run_ends &
check --skip written_in_order
wait $!
