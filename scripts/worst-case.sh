#!/usr/bin/env bash
# Looks for records that need many guesses or much time, by hill climbing from random grids and committed worst cases. Prints
# the worst of each kind, and fails if one needs more guesses or time than the bound of its kind.
#
#   scripts/worst-case.sh [SECONDS [SEED [THREADS]]]    (default: 60 seconds, seed 1, one thread per core)
#
# The climb is described in examples/worst_case.rs. A seed gives the same climbs, but time decides how many there are.
set -euo pipefail
cd "$(dirname "$0")/.."
exec cargo run --locked --profile dist --quiet -p rapidoku --example worst_case -- "$@"
