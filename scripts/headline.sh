#!/usr/bin/env bash
# Repeats the comparison with tdoku: builds it at a fixed revision, compares the number of solutions of every puzzle, and
# measures both in turns on one core.
#
#   scripts/headline.sh [-d FOLDER] [-p PAIRS] [[LABEL=]FILE]...
#
#   -d FOLDER  a clone of tdoku that contains the revision, instead of one from its public address
#   -p PAIRS   turns of every contestant on a file (default 7)
#   FILE       one puzzle per line, with an optional label for the table (default: datasets/sample_10k.txt)
#
# Needs git and clang++ (or CXX). scripts/get-datasets.sh downloads larger files.
set -euo pipefail

. "$(dirname "$0")/common.sh"
address=https://github.com/t-dillon/tdoku
revision=af426180dc53aef89b82868e7b3fdfcf42165654
flags='-std=c++17 -O3 -march=native'
compiler=${CXX:-clang++}
source=$address pairs=7

usage() { sed -n '2,11s/^# \{0,1\}//p' "$0"; }
while getopts 'd:p:h' option; do
    case $option in
    d) source=$OPTARG ;;
    p) pairs=$OPTARG ;;
    h) usage && exit 0 ;;
    *) usage >&2 && exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- "$sample"
prepare "$@"

git clone --quiet --no-checkout "$source" "$work/tdoku"
git -C "$work/tdoku" checkout --quiet "$revision" -- include src
# shellcheck disable=SC2086
"$compiler" $flags -I"$work/tdoku/include" -I"$work/tdoku/src" "$root/benches/rivals/tdoku/driver.cc" \
    "$work/tdoku/src/solver_dpll_triad_simd.cc" "$work/tdoku/src/util.cc" -o "$work/driver"

for operand in "$@"; do
    file=${operand#*=}
    # Records with clashing clues have no solution for tdoku.
    if ! cmp <("$work/driver" "$file" 2) <("$binary" count --limit 2 --quiet "$file" | sed 's/^$/0/'); then
        echo "the numbers of solutions differ: $file" >&2
        exit 1
    fi
done

echo "machine   $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
echo "rapidoku  $(git -C "$root" rev-parse --short HEAD), $(rustc --version)"
echo "tdoku     ${revision:0:7}, $("$compiler" --version | head -n 1), $flags"
for operand in "$@"; do
    echo "file      $(sha256sum "${operand#*=}" | cut -c1-16) ${operand#*=}"
done
echo
"$root/scripts/bench.sh" -r "$work/driver" -p "$pairs" "$@"
