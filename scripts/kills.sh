#!/usr/bin/env bash
# Kills running processes of the program at random moments, and checks that the output file is the old one or complete.
#
#   scripts/kills.sh [SECONDS [SEED]]
#
# Prints the number of processes that a signal ended before their end. SIGKILL leaves no time to clean up, so a file with
# another name may be left then; after SIGTERM and SIGINT there must be none.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-30}
RANDOM=${2:-1}
cargo build --release --locked --quiet
program=$(realpath "${CARGO_TARGET_DIR:-target}/release/rapidoku")
# No trap removes the folder: a child that is killed before it runs the program could run the trap of this shell.
work=$(mktemp -d)
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do cat datasets/sample_10k.txt; done >"$work/in.txt"
"$program" solve -q "$work/in.txt" >"$work/expected" || true
gzip -k "$work/in.txt"
expected=$(cksum <"$work/expected")
mkdir "$work/out"
began=$(date +%s%N)
"$program" solve -q -j 2 "$work/in.txt" -o "$work/out/file" || true
# The microseconds that a run takes.
whole=$((($(date +%s%N) - began) / 1000 + 1000))

kills=0 runs=0
signals=(KILL KILL TERM INT)
while [ "$SECONDS" -lt "$seconds" ]; do
    input=$work/in.txt
    if [ $((RANDOM % 3)) -eq 0 ]; then input=$work/in.txt.gz; fi
    signal=${signals[RANDOM % 4]}
    echo old >"$work/out/file"
    "$program" solve -q -j $((RANDOM % 3 + 1)) "$input" -o "$work/out/file" 2>/dev/null &
    child=$!
    delay=$(((RANDOM * 32768 + RANDOM) % whole))
    sleep "$(printf '0.%06d' $((delay % 1000000)))"
    kill "-$signal" "$child" 2>/dev/null || true
    code=0
    wait "$child" 2>/dev/null || code=$?
    runs=$((runs + 1))
    if [ "$code" -ge 128 ]; then kills=$((kills + 1)); fi
    if [ "$(cat "$work/out/file")" != old ] && [ "$(cksum <"$work/out/file")" != "$expected" ]; then
        echo "run $runs, SIG$signal after $delay us, exit code $code: the output is neither old nor complete" >&2
        exit 1
    fi
    left=$(find "$work/out" -mindepth 1 ! -name file)
    if [ -n "$left" ] && [ "$signal" != KILL ] && [ "$code" -ge 128 ]; then
        # The default action of a signal that arrives before the handler is set leaves nothing either.
        echo "run $runs, SIG$signal after $delay us, exit code $code: left $left" >&2
        exit 1
    fi
    find "$work/out" -mindepth 1 ! -name file -delete
done
rm -rf "$work"
[ "$kills" -gt 0 ] || { echo "no process was killed in time" >&2; exit 1; }
echo "kills: $kills of $runs runs"
