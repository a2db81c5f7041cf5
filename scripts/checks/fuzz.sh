#!/usr/bin/env bash
# Fuzzes targets, starting from their seeds. Needs a nightly toolchain and cargo-fuzz.
#
#   scripts/checks/fuzz.sh [-m] [SECONDS] [TARGET]...
#
#   -m       minimise the corpora afterwards and pack them into fuzz/seeds
#   SECONDS  for each target (default 60)
#   TARGET   default: all targets
#
# Prints the number of inputs for each target, and the sum on the last line.
set -euo pipefail
cd "$(dirname "$0")/../../fuzz"
minimise=''
if [ "${1-}" = -m ]; then minimise=yes && shift; fi
seconds=${1:-60}
shift || true

if ! cargo +nightly fuzz --version >/dev/null 2>&1; then
    echo "skipped: no nightly toolchain, or no cargo-fuzz (cargo install cargo-fuzz)"
    exit 0
fi
targets=("$@")
if [ "${#targets[@]}" -eq 0 ]; then
    mapfile -t targets < <(sed -n 's/^name = "\(.*\)"/\1/p' Cargo.toml | grep -v '^rapidoku-fuzz$')
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Leak detection stops all threads after each input, which takes most of the time. It also reports false positives:
# threads of a pool that are about to exit.
export ASAN_OPTIONS=detect_leaks=0
seeds() { cargo run --locked --quiet --example seeds -- "$@"; }
# Longer inputs are slower and reach nothing that shorter ones do not.
options=(-detect_leaks=0 -max_len=2048 -timeout=20)
all=0
for target in "${targets[@]}"; do
    corpus=corpus/$target
    mkdir -p "$corpus"
    if [ -e "seeds/$target.txt" ]; then seeds unpack "seeds/$target.txt" "$corpus"; fi
    cargo +nightly fuzz run "$target" "$corpus" -- "${options[@]}" -max_total_time="$seconds" -print_final_stats=1 \
        >"$log" 2>&1 || { grep -A 3 ' panicked at ' "$log" || true; tail -n 60 "$log"; exit 1; }
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    speed=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")
    echo "fuzz $target: $executions inputs in $seconds s, $speed per second"
    all=$((all + executions))
    if [ -n "$minimise" ]; then
        cargo +nightly fuzz cmin "$target" "$corpus" -- "${options[@]}" >"$log" 2>&1 || { tail "$log" && exit 1; }
        seeds pack "$corpus" "seeds/$target.txt"
    fi
done
echo "fuzz: $all inputs"
