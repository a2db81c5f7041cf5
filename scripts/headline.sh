#!/usr/bin/env bash
# Repeats the comparison with tdoku and with published crates: builds them at fixed versions, compares the numbers of
# solutions of every puzzle, measures all in turns on one core, and writes the raw results as JSON.
#
#   scripts/headline.sh [-d FOLDER] [-p TURNS] [-n ROUNDS] [-c CPU] [-s FOLDER] [-g] [-o FILE] [[LABEL=]FILE]...
#
#   -d FOLDER  a clone of tdoku that contains the revision, instead of one from its public address
#   -p TURNS   turns of every solver on a set (default 7)
#   -n ROUNDS  timed rounds in each turn, of at least 0.1 s (default 3)
#   -c CPU     core to pin all processes to, if taskset exists (default: the last one)
#   -s FOLDER  also measure all sets in FOLDER, *.txt
#   -g         also get the public sets of tdoku's author (scripts/get-datasets.sh); skipped without network
#   -o FILE    the raw results (default: benches/results/DATE-PROCESSOR.json)
#   FILE       one puzzle per line, with an optional label (default: datasets/sample_10k.txt and, without -s, the sets of
#              scripts/generate-datasets.sh)
#
# scripts/figures.sh then writes the tables and the plot of the documents. Needs git, clang++ (or CXX) and cargo.
set -euo pipefail

. "$(dirname "$0")/common.sh"
address=https://github.com/t-dillon/tdoku
revision=af426180dc53aef89b82868e7b3fdfcf42165654
flags='-std=c++17 -O3 -march=native'
compiler=${CXX:-clang++}
source=$address turns=7 rounds=3 folder='' get='' output=''
# Solvers that take milliseconds per puzzle get this many records of a set, spread evenly.
slow_records=50

usage() { sed -n '2,17s/^# \{0,1\}//p' "$0"; }
while getopts 'd:p:n:c:s:go:h' option; do
    case $option in
    d) source=$OPTARG ;;
    p) turns=$OPTARG ;;
    n) rounds=$OPTARG ;;
    c) cpu=$OPTARG ;;
    s) folder=$OPTARG ;;
    g) get=yes ;;
    o) output=$OPTARG ;;
    h) usage && exit 0 ;;
    *) usage >&2 && exit 2 ;;
    esac
done
shift $((OPTIND - 1))
sets=("$@")
[ $# -gt 0 ] || sets=("$sample")
if [ -n "$folder" ]; then sets+=("$folder"/*.txt); fi
prepare "${sets[@]}"
if [ $# -eq 0 ] && [ -z "$folder" ]; then
    "$root/scripts/generate-datasets.sh" -d "$work/generated" >&2
    # The other solvers accept no invalid records.
    rm "$work/generated/invalid.txt"
    sets+=("$work"/generated/*.txt)
fi
if [ -n "$get" ]; then
    if "$root/scripts/get-datasets.sh" -y -d "$work" tdoku >"$work/log" 2>&1; then
        for file in "$work"/tdoku/*/puzzles[2-6]*; do sets+=("$file"); done
    else
        echo "skipped: the sets of tdoku's author ($(tail -n 1 "$work/log"))" >&2
    fi
fi

# The labels of well-known files.
label() {
    case $1 in
    *=*) echo "${1%%=*}" ;;
    *sample_10k.txt) echo 'the committed sample' ;;
    *17_clue*) echo 'every 17-clue puzzle' ;;
    *easy_100k.txt) echo '31 to 36 clues, naked singles suffice' ;;
    *minimal_100k.txt) echo 'random near-minimal puzzles' ;;
    *magictour_top1465*) echo 'the classic list of hard ones' ;;
    *hardest_24k.txt) echo 'Sudoku Explainer rating above 11' ;;
    *multi_20k.txt) echo '1 to 3 clues too few, several solutions' ;;
    *zero_20k.txt) echo 'no solution' ;;
    *sparse_2k.txt) echo '0 to 16 clues' ;;
    */generated/minimal.txt) echo 'generated: minimal' ;;
    */generated/singles.txt) echo 'generated: minimal, singles suffice' ;;
    */generated/guesses.txt) echo 'generated: minimal, 10 guesses and more' ;;
    */generated/several.txt) echo 'generated: several solutions' ;;
    */generated/none.txt) echo 'generated: no solution' ;;
    *) basename "$1" ;;
    esac
}

git clone --quiet --no-checkout "$source" "$work/clone"
git -C "$work/clone" checkout --quiet "$revision" -- include src
# shellcheck disable=SC2086
"$compiler" $flags -I"$work/clone/include" -I"$work/clone/src" "$root/benches/rivals/tdoku/driver.cc" \
    "$work/clone/src/solver_dpll_triad_simd.cc" "$work/clone/src/util.cc" -o "$work/tdoku-driver"
target=${CARGO_TARGET_DIR:-$root/target}/rivals
CARGO_TARGET_DIR=$target cargo build --release --locked --quiet --manifest-path "$root/benches/rivals/Cargo.toml"
crates=$target/release/rapidoku-rivals
crate_version() { sed -n "s/^$1 = \"=\(.*\)\"/\1/p" "$root/benches/rivals/Cargo.toml"; }

json_of() { "${pin[@]}" "$binary" bench -j 1 --json "$@"; }
mapfile -t levels < <(json_of --simd all --rounds 1 --warmup 0 "$root/datasets/classics.txt" | sed -n 's/^ *"simd": "\(.*\)",$/\1/p')

# count SOLVER FILE: the number of solutions of each puzzle, at most 2.
count() {
    case $1 in
    # Records with clashing clues have no solution for the others.
    rapidoku) "$binary" count --limit 2 --quiet "$2" | sed 's/^$/0/' ;;
    tdoku) "$work/tdoku-driver" "$2" 2 ;;
    *) "$crates" "$1" "$2" 2 ;;
    esac
}

# rates SOLVER FILE LIMIT: puzzles per second of each round.
rates() {
    local options
    case $1 in
    'rapidoku '*)
        options=(--engine lanes --simd "${1#rapidoku }")
        if [ "$1" = 'rapidoku scalar' ]; then options=(--engine scalar); fi
        json_of "${options[@]}" --limit "$3" --rounds "$rounds" "$2" |
            awk '/"puzzles_per_second"/ { rates = 1 } rates && /"rounds": \[/ { list = 1; next } list && /\]/ { exit } list { gsub(/[ ,]/, ""); print }'
        ;;
    tdoku) "${pin[@]}" "$work/tdoku-driver" "$2" "$3" "$rounds" ;;
    *) "${pin[@]}" "$crates" "$1" "$2" "$3" "$rounds" ;;
    esac
}

# solver, limit: what takes turns on each set. Solvers run back to back, before the load of the machine changes.
kinds=()
for level in "${levels[@]}"; do kinds+=("rapidoku $level;2"); done
kinds+=('tdoku;2' 'tdoku;1' "rapidoku ${levels[0]};1" 'rapidoku scalar;2' 'sudoku;2' 'rustoku-lib;2')

quoted() { printf '"%s"' "$(printf '%s' "$1" | sed 's/[\\"]/\\&/g')"; }
list() { paste -sd, - | sed 's/.*/[&]/; s/,/, /g'; }

set_rows=() turn_rows=()
for operand in "${sets[@]}"; do
    original=${operand#*=} name=$(label "$operand")
    # Comments and blank lines are no records.
    grep -E '^[0-9.]{81}' "$original" >"$work/all" || { echo "no puzzles: $original" >&2 && exit 2; }
    records=$(wc -l <"$work/all")
    awk -v n="$records" -v m="$slow_records" 'int(NR * m / n) > int((NR - 1) * m / n) || n <= m' "$work/all" >"$work/slow"
    count rapidoku "$work/all" >"$work/expected"
    count rapidoku "$work/slow" >"$work/expected-slow"
    for solver in tdoku sudoku; do cmp -s <(count $solver "$work/all") "$work/expected" || bad=$solver; done
    cmp -s <(count rustoku-lib "$work/slow") "$work/expected-slow" || bad=rustoku-lib
    if [ -n "${bad:-}" ]; then
        echo "$original: the numbers of solutions of $bad differ" >&2
        exit 1
    fi
    set_rows+=("{\"label\": $(quoted "$name"), \"file\": $(quoted "$(basename "$original")"), \"records\": $records, \"sha256\": \"$(sha256sum "$original" | cut -d' ' -f1)\"}")
    for ((turn = 1; turn <= turns; turn++)); do
        printf '\r%s: %d of %d ' "$name" "$turn" "$turns" >&2
        for kind in "${kinds[@]}"; do
            solver=${kind%;*} limit=${kind#*;} file=$work/all
            if [ "$solver" = rustoku-lib ]; then file=$work/slow; fi
            turn_rows+=("{\"set\": $(quoted "$name"), \"solver\": \"$solver\", \"limit\": $limit, \"records\": $(wc -l <"$file"), \"rates\": $(rates "$solver" "$file" "$limit" | list)}")
        done
    done
done
printf '\r%60s\r' '' >&2

# A run of the program records the machine, the compiler and the revision.
json_of --rounds 1 --warmup 0 "$root/datasets/classics.txt" | sed "s|$root/||g" >"$work/environment"
if [ -z "$output" ]; then
    cpu_name=$(sed -n 's/^ *"cpu": "\(.*\)",$/\1/p' "$work/environment" | tr -cs '[:alnum:]\n' '-' | tr '[:upper:]' '[:lower:]')
    output=$root/benches/results/$(date -u +%F)-${cpu_name%-}.json
fi
rows() { printf '    %s,\n' "$@" | sed '$s/,$//'; }
{
    echo '{'
    echo "  \"pinned\": $([ "${pin[0]}" = taskset ] && echo true || echo false),"
    echo "  \"rounds\": $rounds,"
    # The last change of the library: other commits do not concern the speed.
    echo "  \"revision\": $(quoted "$(git -C "$root" log -1 --abbrev=12 --format=%h -- src Cargo.lock)"),"
    echo "  \"uptime\": $(quoted "$(uptime)"),"
    echo '  "solvers": ['
    rows "{\"name\": \"tdoku\", \"version\": \"${revision:0:12}\", \"build\": $(quoted "$("$compiler" --version | head -n 1), $flags")}" \
        "{\"name\": \"sudoku\", \"version\": \"$(crate_version sudoku)\", \"build\": $(quoted "$(rustc -V), release")}" \
        "{\"name\": \"rustoku-lib\", \"version\": \"$(crate_version rustoku-lib)\", \"build\": $(quoted "$(rustc -V), release")}"
    echo '  ],'
    echo '  "sets": ['
    rows "${set_rows[@]}"
    echo '  ],'
    echo '  "turns": ['
    rows "${turn_rows[@]}"
    echo '  ],'
    echo "  \"environment\": $(sed '1!s/^/  /' "$work/environment")"
    echo '}'
} >"$work/results"
mkdir -p "$(dirname "$output")"
mv "$work/results" "$output"
echo "$output"
