#!/usr/bin/env bash
# Measures rapidoku on one thread, alone or against a rival, and prints a Markdown table.
#
#   scripts/bench.sh [-r RIVAL] [-l LIMIT] [-p PAIRS] [-n ROUNDS] [-c CPU] [-a ARGS] [FILE]...
#
#   -r RIVAL   a program to compare with, called as: RIVAL FILE LIMIT ROUNDS
#   -l LIMIT   solutions to search for (default 2: proof of uniqueness)
#   -p PAIRS   interleaved pairs per file (default 7)
#   -n ROUNDS  timed rounds in each run; the run counts with their median (default 5)
#   -c CPU     the core to pin both to, where taskset exists (default: the last one)
#   -a ARGS    more arguments for `rapidoku bench`, such as '--engine scalar'
#   FILE       one puzzle per line (default: datasets/sample_10k.txt)
#
# RIVAL reads FILE, solves all of it ROUNDS times up to LIMIT solutions each, and prints one number
# per round on a line of its own: puzzles per second, from text in memory on. Nothing else goes to
# its standard output. Both sides must solve the same problem: whether the rival's answers are right
# is not checked here, `rapidoku bench` checks its own.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
rival='' limit=2 pairs=7 rounds=5 cpu=$(($(getconf _NPROCESSORS_ONLN) - 1)) args=(--json -j 1)

usage() { sed -n '4,16s/^# \{0,1\}//p' "$0"; }
while getopts 'r:l:p:n:c:a:h' option; do
    case $option in
    r) rival=$OPTARG ;;
    l) limit=$OPTARG ;;
    p) pairs=$OPTARG ;;
    n) rounds=$OPTARG ;;
    c) cpu=$OPTARG ;;
    a) read -ra more <<<"$OPTARG" && args+=("${more[@]}") ;;
    h) usage && exit 0 ;;
    *) usage >&2 && exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- "$root/datasets/sample_10k.txt"

pin=(env)
if command -v taskset >/dev/null; then pin=(taskset -c "$cpu"); fi

cargo build --release --locked --quiet --manifest-path "$root/Cargo.toml"
binary=${CARGO_TARGET_DIR:-$root/target}/release/rapidoku
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

median() { sort -g | awk '{ v[NR] = $1 } END { printf "%.6f\n", (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }
# The first number that the report gives for a key: one file per run, one key per line.
field() { awk -F': ' -v key="\"$1\"" '$1 ~ key { gsub(/[",]/, "", $2); print $2; exit }' "$work/report.json"; }

ours() {
    "${pin[@]}" "$binary" bench "${args[@]}" --limit "$limit" --rounds "$rounds" "$1" >"$work/report.json"
    field median
}
theirs() { "${pin[@]}" "$rival" "$1" "$limit" "$rounds" | median; }

table=()
for file; do
    : >"$work/ours" && : >"$work/theirs" && : >"$work/ratios"
    for ((pair = 1; pair <= pairs; pair++)); do
        printf '\r%s: pair %d of %d ' "$(basename "$file")" "$pair" "$pairs" >&2
        # Who goes first alternates, so that neither always runs on the warmer core.
        if [ -z "$rival" ]; then
            a=$(ours "$file") b=1
        elif ((pair % 2)); then
            a=$(ours "$file") b=$(theirs "$file")
        else
            b=$(theirs "$file") a=$(ours "$file")
        fi
        echo "$a" >>"$work/ours" && echo "$b" >>"$work/theirs"
        awk -v a="$a" -v b="$b" 'BEGIN { if (b <= 0) exit 1; print a / b }' >>"$work/ratios"
    done
    row="| $(basename "$file") | $(field records) | $(printf '%.0f' "$(median <"$work/ours")") |"
    if [ -n "$rival" ]; then
        row+=" $(printf '%.0f' "$(median <"$work/theirs")") |"
        row+=$(sort -g "$work/ratios" | awk -v m="$(median <"$work/ratios")" \
            '{ v[NR] = $1 } END { printf " **%.2f** | %.2f to %.2f |", m, v[1], v[NR] }')
    fi
    table+=("$row")
done
printf '\r%60s\r' '' >&2

machine=$(field cpu)
echo "rapidoku $(field version), engine $(field engine), limit $limit, one thread; $machine, $(uname -sm), $(date -u +%F)."
echo "Medians of $pairs$([ -n "$rival" ] && echo ' interleaved pairs of') runs of $rounds rounds each."
echo
if [ -n "$rival" ]; then
    echo "| set | puzzles | rapidoku, puzzles/s | $(basename "$rival"), puzzles/s | ratio | lowest to highest |"
    echo "|---|--:|--:|--:|--:|---|"
else
    echo "| set | puzzles | puzzles/s |"
    echo "|---|--:|--:|"
fi
printf '%s\n' "${table[@]}"
