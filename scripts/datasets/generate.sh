#!/usr/bin/env bash
# Generates benchmark sets, one record per line, and compares their checksums with datasets/generated.sha256.
#
#   scripts/datasets/generate.sh [-d DIR] [-p PROGRAM] [-s]
#
#   -d DIR      output folder (default: datasets/generated, which git ignores)
#   -p PROGRAM  the program, which is built otherwise
#   -s          only the first 1,000 records of each set, 50 of guesses.txt: datasets/generated-start.sha256
#
# datasets/README.md describes the sets. They are the same on every machine.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$root/datasets/generated binary='' is_start=false sums=$root/datasets/generated.sha256
while getopts 'd:p:sh' option; do
    case $option in
    d) dir=$OPTARG ;;
    p) binary=$OPTARG ;;
    s) is_start=true sums=$root/datasets/generated-start.sha256 ;;
    *) sed -n '4,10s/^# \{0,1\}//p' "$0" && exit 2 ;;
    esac
done
if [ -z "$binary" ]; then
    cargo build --release --locked --quiet --manifest-path "$root/Cargo.toml"
    binary=${CARGO_TARGET_DIR:-$root/target}/release/rapidoku
fi
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

# generate COUNT COUNT_WITH_S OPTION...: that many puzzles.
generate() {
    local count=$1
    if $is_start; then count=$2; fi
    "$binary" generate "$count" --quiet "${@:3}"
}
# Exits with 1 if it removes any record.
only() { "$binary" check --quiet --only "$1" || [ $? -eq 1 ]; }
# The first 1,000 records with -s. Reads all of its input, so that no command before it fails.
start() { if $is_start; then sed -n 1,1000p; else cat; fi; }

generate 100000 1000 --seed 1 >"$dir/minimal.txt"
generate 50000 1000 --seed 2 --hardest singles >"$dir/singles.txt"
generate 2000 50 --seed 3 --guesses 10.. >"$dir/guesses.txt"
# A minimal puzzle less one clue has several solutions.
generate 20000 1000 --seed 4 | sed 's/[1-9]/./' >"$dir/several.txt"
# A wrong digit in a blank cell leaves no solution. Where it clashes with a clue at once, the record is invalid.
generate 30000 3100 --seed 5 --columns puzzle,solution | tail -n +2 |
    awk -F, '{ at = index($1, "."); print substr($1, 1, at - 1) (substr($2, at, 1) % 9 + 1) substr($1, at + 1) }' |
    only none | start >"$dir/none.txt"
# Every tenth record is invalid: too short, too long, with a letter, or with the same digit twice in a row.
generate 20000 1000 --seed 6 | awk '
    NR % 40 == 10 { $0 = substr($0, 1, NR / 10 % 79 + 1) }
    NR % 40 == 20 { $0 = $0 "1" }
    NR % 40 == 30 { at = NR / 10 % 81; $0 = substr($0, 1, at) "a" substr($0, at + 2) }
    NR % 40 == 0 { $0 = "11" substr($0, 3) }
    { print }' >"$dir/invalid.txt"
cd "$dir"
wc -l -- *.txt
sha256sum --check "$sums"
