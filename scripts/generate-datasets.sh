#!/usr/bin/env bash
# Generates benchmark sets, one puzzle per line, and compares their checksums with datasets/generated.sha256.
#
#   scripts/generate-datasets.sh [-d DIR]
#
#   -d DIR  output folder (default: datasets/generated, which git ignores)
#
# datasets/README.md describes the sets. They are the same on every machine. The program is built first.
set -euo pipefail

. "$(dirname "$0")/common.sh"
dir=$root/datasets/generated
while getopts 'd:h' option; do
    case $option in
    d) dir=$OPTARG ;;
    *) sed -n '4,8s/^# \{0,1\}//p' "$0" && exit 2 ;;
    esac
done
prepare
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
generate() { "$binary" generate --quiet "$@"; }
# Exits with 1 if it removes any record.
only() { "$binary" check --quiet --only "$1" || [ $? -eq 1 ]; }

generate 100000 --seed 1 >"$dir/minimal.txt"
generate 50000 --seed 2 --singles-only >"$dir/singles.txt"
generate 2000 --seed 3 --guesses 10.. >"$dir/guesses.txt"
# A minimal puzzle less one clue has several solutions.
generate 20000 --seed 4 | sed 's/[1-9]/./' >"$dir/several.txt"
# A wrong digit in a blank cell leaves no solution. Where it clashes with a clue at once, the record is invalid.
generate 30000 --seed 5 --with-solution |
    awk -F, '{ at = index($1, "."); print substr($1, 1, at - 1) (substr($2, at, 1) % 9 + 1) substr($1, at + 1) }' |
    only none >"$dir/none.txt"
cd "$dir"
wc -l -- *.txt
sha256sum --check "$root/datasets/generated.sha256"
