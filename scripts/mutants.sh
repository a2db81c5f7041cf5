#!/usr/bin/env bash
# Mutation testing: changes solver, readers and writer in small ways, one at a time, and runs tests that must fail. Needs
# cargo-mutants. docs/testing.md lists the mutants that survive, with reasons.
#
#   scripts/mutants.sh [SECONDS] [FILE]...
#
#   SECONDS  time after which no more mutants are tested (default: no limit)
#   FILE     default: the files below
#
# Prints the mutants that were missed or did not end, and on the last line the number of each kind.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-1000000}
shift || true
if ! cargo mutants --version >/dev/null 2>&1; then
    echo "skipped: no cargo-mutants (cargo install cargo-mutants)"
    exit 0
fi
files=("$@")
if [ "${#files[@]}" -eq 0 ]; then
    files=(
        src/outcome.rs src/solver.rs src/verify.rs src/grid/parse.rs src/grid/candidates.rs src/grid/puzzle.rs
        src/restart.rs src/grid/symmetry.rs src/scalar/mod.rs src/scalar/guess.rs src/scalar/solutions.rs
        src/scalar/tables.rs src/lanes/split.rs src/lanes/queue.rs src/lanes/look.rs
        src/file/record/grids.rs src/file/record/rows.rs src/file/record/recognise.rs src/file/record/cells.rs
        src/file/record/mod.rs src/file/record/layout.rs src/file/write/row.rs
    )
fi
out=${CARGO_TARGET_DIR:-target}/mutants
mkdir -p "$out"
flags=()
for file in "${files[@]}"; do flags+=(--file "$file"); done
# Little optimisation and incremental builds: most of the time of a mutant is its build.
export CARGO_PROFILE_TEST_OPT_LEVEL=1 CARGO_PROFILE_TEST_DEBUG=0 CARGO_PROFILE_TEST_INCREMENTAL=true
# Tests of the library only: they link in seconds. A mutant that makes a search endless is caught by the timeout. The few
# tests that need most of the time of the suite are left out.
code=0
timeout "$seconds" cargo mutants --package rapidoku --features file,gzip,zip,zstd --output "$out" \
    --timeout 120 --build-timeout 600 --baseline skip --colors never "${flags[@]}" \
    -- --lib --test it -- --skip lanes_that_share --skip order_and_batches --skip a_small_stack --skip small_stacks \
    || code=$?
# 2: mutants were missed; 3: some ran into the timeout; 124: the time is over.
case $code in 0 | 2 | 3 | 124) ;; *) exit "$code" ;; esac
count() { cat "$out/mutants.out/$1.txt" 2>/dev/null | grep -c . || true; }
caught=$(count caught) missed=$(count missed) timeouts=$(count timeout)
cat "$out/mutants.out/"{missed,timeout}.txt 2>/dev/null || true
# A timeout is a search without end, or a machine that is busy: it has to be looked at.
echo "mutants: $((caught + missed + timeouts)) tested, $caught caught, $missed missed, $timeouts without end"
