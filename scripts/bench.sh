#!/usr/bin/env bash
# Measures rapidoku on one core, alone or against a rival, and prints the Markdown tables of README.md, docs/benchmarks.md and benches/README.md.
#
#   scripts/bench.sh [-r RIVAL] [-p PAIRS] [-n ROUNDS] [-c CPU] [[LABEL=]FILE]...
#
#   -r RIVAL   command to compare with, as for `rapidoku bench --rival`: './rival {input} {limit} {rounds}'
#   -p PAIRS   turns of every contestant on a file (default 7)
#   -n ROUNDS  timed rounds in each turn; its result is their median (default 5)
#   -c CPU     core to pin all processes to, if taskset exists (default: the last one)
#   FILE       one puzzle per line, with an optional label for the table (default: datasets/sample_10k.txt)
#
# The first table has a row for each file: all instruction sets of this machine, for a proof of uniqueness (limit 2), and
# the widest one for the first solution (limit 1). With a rival, all figures but those of the first column are ratios to
# the speed of the rival. The second table has all solvers on datasets/sample_10k.txt.
#
# RIVAL reads {input}, solves all of it {rounds} times, up to {limit} solutions per puzzle, and prints one number per round on
# its own line: puzzles per second, starting from text in memory. It prints nothing else to standard output. Both sides must
# solve the same problem. This script does not check the answers of the rival; `rapidoku bench` checks its own.
set -euo pipefail

. "$(dirname "$0")/common.sh"
rival='' pairs=7 rounds=5

usage() { sed -n '4,19s/^# \{0,1\}//p' "$0"; }
while getopts 'r:p:n:c:h' option; do
    case $option in
    r) rival=$OPTARG ;;
    p) pairs=$OPTARG ;;
    n) rounds=$OPTARG ;;
    c) cpu=$OPTARG ;;
    h) usage && exit 0 ;;
    *) usage >&2 && exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- "$sample"
prepare "$@"

bench() { "${pin[@]}" "$binary" bench -j 1 "$@"; }
# Prints the values of a CSV column. Quoted commas must not precede it.
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }'; }
label() { case $1 in avx512) echo AVX-512 ;; avx2) echo AVX2 ;; portable) echo '128 bits' ;; *) echo "$1" ;; esac; }

# The kinds of measurement: instruction set and limit.
mapfile -t levels < <(bench --simd all --rounds 1 --warmup 0 --csv "$root/datasets/classics.txt" | column simd)
widest=${levels[0]}
kinds=("${levels[@]/%/ 2}" "$widest 1")
sides=(own)
[ -z "$rival" ] || sides+=(rival)

turn() { # turn FILE SIDE LEVEL LIMIT: prints puzzles per second
    if [ "$2" = rival ]; then
        run_rival "$rival" "$1" "$4" "$rounds" | median
    else
        bench --simd "$3" --limit "$4" --rounds "$rounds" --csv "$1" >"$work/csv"
        column puzzles_per_second <"$work/csv"
    fi
}

ratios() { # ratios KIND: prints the ratio to the rival for each pair
    paste "$work/own $1" "$work/rival $1" | awk '$2 > 0 { print $1 / $2 }'
}

table=() range=0
for operand; do
    file=${operand#*=} name=$(basename "${operand%%=*}")
    rm -f "$work"/{own,rival}' '*
    for ((pair = 1; pair <= pairs; pair++)); do
        printf '\r%s: %d of %d ' "$name" "$pair" "$pairs" >&2
        for kind in "${kinds[@]}"; do
            read -r level limit <<<"$kind"
            # The two sides run back to back, before the load of the machine changes, and alternate in which one is first.
            for ((k = 0; k < ${#sides[@]}; k++)); do
                side=${sides[pair % 2 ? k : ${#sides[@]} - 1 - k]}
                turn "$file" "$side" "$level" "$limit" >>"$work/$side $kind"
            done
        done
    done
    row="| $name ($(grouped "$(column records <"$work/csv")")) | $(grouped "$(median <"$work/own $widest 2")") |"
    for kind in "${kinds[@]}"; do
        if [ -n "$rival" ]; then
            ratios "$kind" >"$work/ratios"
            middle=$(median <"$work/ratios")
            row+=" $(printf '%.2f' "$middle") |"
            range=$(sort -g "$work/ratios" | awk -v m="$middle" -v r="$range" \
                'NR == 1 { low = $1 } END { d = ($1 - low) / m; print (d > r ? d : r) }')
        elif [ "$kind" != "$widest 2" ]; then
            row+=" $(grouped "$(median <"$work/own $kind")") |"
        fi
    done
    table+=("$row")
done
printf '\r%60s\r' '' >&2

bench --engine all --simd all --limit 2 --csv "$sample" >"$work/all"
bench --rounds 1 --json "$root/datasets/classics.txt" >"$work/json"
field() { awk -F': ' -v key="\"$1\"" '$1 ~ key { gsub(/[",]/, "", $2); print $2; exit }' "$work/json"; }

echo "rapidoku $(field version) on one core, $(rustc --version | cut -d' ' -f1,2); $(field cpu), $(uname -sm), $(date -u +%F)."
echo
head="| puzzles | $(label "$widest"), puzzles/s |" rule='|---|--:|'
for level in "${levels[@]}"; do
    if [ -n "$rival" ] || [ "$level" != "$widest" ]; then head+=" $(label "$level") |" rule+='--:|'; fi
done
echo "$head $(label "$widest"), first solution |"
echo "$rule--:|"
printf '%s\n' "${table[@]}"
echo
if [ -n "$rival" ]; then
    echo "Puzzles per second, and how many times as fast as $(basename "${rival%% *}"): medians of $pairs turns of $rounds rounds each. The"
    printf 'ratios of a row vary by %.0f %% at most, from the lowest to the highest.\n' "$(awk -v r="$range" 'BEGIN { print 100 * r }')"
else
    echo "Puzzles per second: medians of $pairs turns of $rounds rounds each."
fi
echo
echo "| solver | records | puzzles/s | spread | ratio, interval | given up |"
echo "|---|--:|--:|--:|--:|--:|"
awk -F, '
    function short(x) {
        if (x == 0 || x >= 0.001) return sprintf("%.3g", x)
        x = sprintf("%.2e", x)
        sub("e-0", "e-", x)
        return x
    }
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    {
        rate = $at["puzzles_per_second"]
        spread = rate > 0 ? 100 * ($at["max"] - $at["min"]) / rate : 0
        ratio = $at["ratio"] == "" ? "1" : short($at["ratio"]) " (" short($at["ratio_low"]) " to " short($at["ratio_high"]) ")"
        printf "%s|%s|%.0f|%.1f %%|%s|%s\n", $at["solver"], $at["records"], rate, spread, ratio, $at["given_up"]
    }' "$work/all" | while IFS='|' read -r solver records rate spread ratio given_up; do
    echo "| $solver | $(grouped "$records") | $(grouped "$rate") | $spread | $ratio | $given_up |"
done
