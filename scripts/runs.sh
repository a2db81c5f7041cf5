#!/usr/bin/env bash
# Runs the program with random commands, options and inputs, with 1, 2 and 8 threads, and looks for runs that do not end,
# panics, exit codes that the guide does not document, and output that depends on the number of threads.
#
#   scripts/runs.sh [SECONDS [SEED]]
#
# Prints the number of runs and of what it found. Each fault has a line with the command, whose folder is kept.
set -euo pipefail
cd "$(dirname "$0")/.."
RAPIDOKU_RUNS="${1:-60} ${2:-1}" cargo test --locked --quiet -p rapidoku-cli --test it -- --ignored --nocapture \
    every_run_ends::random_runs
