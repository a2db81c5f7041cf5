#!/usr/bin/env bash
# Writes the tables and the plot of README.md and docs/benchmarks.md from the raw results in benches/results.
# The same test, without the variable, fails if the documents differ.
set -euo pipefail
cd "$(dirname "$0")/.."
UPDATE_FIGURES=1 cargo test --locked --quiet -p rapidoku-cli --test it -- figures
