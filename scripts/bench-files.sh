#!/usr/bin/env bash
# Measures commands from file to file, with files in the page cache, and prints a Markdown table.
#
#   scripts/bench-files.sh [-n ROUNDS] [-s RECORDS] [-c CPU] [[LABEL=]FILE]...
#
#   -n ROUNDS   interleaved runs of each command; the result is the median (default 5)
#   -s RECORDS  repeat each file up to this many records (default 1000000); rate and explain get a fiftieth
#   -c CPU      core for single-threaded runs, if taskset exists (default: the last one)
#   FILE        one puzzle per line, with an optional label for the table (default: datasets/sample_10k.txt)
set -euo pipefail

. "$(dirname "$0")/common.sh"
rounds=5 size=1000000

usage() { sed -n '4,9s/^# \{0,1\}//p' "$0"; }
while getopts 'n:s:c:h' option; do
    case $option in
    n) rounds=$OPTARG ;;
    s) size=$OPTARG ;;
    c) cpu=$OPTARG ;;
    h) usage && exit 0 ;;
    *) usage >&2 && exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- "$sample"
prepare "$@"

repeated() { # repeated FILE RECORDS: prints the lines of the file repeatedly; head closes the pipe when it has enough
    { while cat "$1"; do :; done 2>/dev/null || true; } | head -n "$2"
}

commands=(solve solve-all check verify verify-unique rate explain)
time_of() { # time_of COMMAND: prints records per second
    local run=("${pin[@]}" "$binary") more=(-j 1)
    case $1 in
    solve) run+=(solve "$work/many" --limit 2) ;;
    solve-all) run=("$binary" solve "$work/many" --limit 2) more=() ;;
    check) run+=(check "$work/many") ;;
    verify) run+=(verify "$work/solved") ;;
    verify-unique) run+=(verify --unique "$work/solved") ;;
    rate | explain) run+=("$1" "$work/few") ;;
    esac
    # The disk is not measured, so the output is not synchronised. Replacing a large file takes as long as writing half of it.
    rm -f "$work/out"
    # Exit code 1 reports records without a solution or with several; that is not a failure here.
    "${run[@]}" "${more[@]}" --quiet --no-sync -o "$work/out" --stats-json "$work/stats" || [ $? -eq 1 ]
    awk -F': ' '/"puzzles_per_second"/ { sub(",", "", $2); print $2 }' "$work/stats"
}

table=()
for operand; do
    file=${operand#*=} name=$(basename "${operand%%=*}")
    repeated "$file" "$size" >"$work/many"
    head -n $(((size + 49) / 50)) "$work/many" >"$work/few"
    "$binary" solve "$work/many" --limit 2 --format csv --quiet | awk -F, 'NR == 1 || $2 != ""' >"$work/solved"
    rm -f "$work"/rates-*
    for ((round = 1; round <= rounds; round++)); do
        printf '\r%s: %d of %d ' "$name" "$round" "$rounds" >&2
        for command in "${commands[@]}"; do time_of "$command" >>"$work/rates-$command"; done
    done
    row="| $name |"
    for command in "${commands[@]}"; do row+=" $(grouped "$(median <"$work/rates-$command")") |"; done
    table+=("$row")
done
printf '\r%60s\r' '' >&2

echo "Records per second from file to file, $size records in the page cache, on one core but for the second column;"
echo "medians of $rounds rounds. $("$binary" --version), $(uname -sm), $(date -u +%F)."
echo
echo "| puzzles | solve | solve, $(getconf _NPROCESSORS_ONLN) threads | check | verify | verify --unique | rate | explain |"
echo "|---|--:|--:|--:|--:|--:|--:|--:|"
printf '%s\n' "${table[@]}"
