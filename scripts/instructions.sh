#!/usr/bin/env bash
# Counts the instructions per puzzle of parsing and of solving, with valgrind's callgrind: the same number each
# time for the same binary and input, whatever else the machine does, so that two commits can be compared
# where no clock can be trusted.
#
#   scripts/instructions.sh [-b EARLIER] [-t PERCENT] [FILE]
#
#   -b EARLIER  output of an earlier run to compare with; exit code 1 if any count grew by more than PERCENT
#   -t PERCENT  by default 1
#   FILE        one puzzle per line (default: datasets/sample_10k.txt)
#
# Prints a line for each step: name, instructions per puzzle. Solving is to a proof of uniqueness. Instructions are not
# time: an engine with wider vectors executes fewer and slower ones. Counts differ between compilers, so both runs need
# the same one. Valgrind knows no AVX-512.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
earlier='' tolerance=1
usage() { sed -n '6,10s/^# \{0,1\}//p' "$0"; }
while getopts 'b:t:h' option; do
    case $option in
    b) earlier=$OPTARG ;;
    t) tolerance=$OPTARG ;;
    h) usage && exit 0 ;;
    *) usage >&2 && exit 2 ;;
    esac
done
shift $((OPTIND - 1))
file=${1:-$root/datasets/sample_10k.txt}
command -v valgrind >/dev/null || { echo "scripts/instructions.sh needs valgrind" >&2; exit 2; }

cargo build --release --locked --quiet --example solve_once --manifest-path "$root/Cargo.toml"
program=${CARGO_TARGET_DIR:-$root/target}/release/examples/solve_once
records=$("$program" "$file" parse)

instructions() { # instructions STEP: of the whole process up to and with the step
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$file" "$1" 2>&1 | awk '/Collected/ { print $NF }'
}

status=0
report() { # report STEP INSTRUCTIONS
    local count before
    count=$(awk -v n="$2" -v records="$records" 'BEGIN { printf "%.1f", n / records }')
    printf '%-10s %10s' "$1" "$count"
    if [ -n "$earlier" ]; then
        before=$(awk -v step="$1" '$1 == step { print $2; exit }' "$earlier")
        if [ -n "$before" ]; then
            awk -v a="$before" -v b="$count" 'BEGIN { printf "  %+.2f %%", 100 * (b / a - 1) }'
            awk -v a="$before" -v b="$count" -v t="$tolerance" 'BEGIN { exit b > a * (1 + t / 100) }' || status=1
        fi
    fi
    echo
}

read=$(instructions read) parse=$(instructions parse)
report parse $((parse - read))
for engine in avx2 portable scalar; do
    if [ "$engine" = avx2 ] && ! grep -q -w avx2 /proc/cpuinfo 2>/dev/null; then continue; fi
    solve=$(instructions "$engine")
    report "$engine" $((solve - parse))
done
exit "$status"
