#!/usr/bin/env bash
# Compares with published crates, which cargo builds at fixed versions, and with programs that you name: compares the numbers
# of solutions that the crates find for every puzzle, measures all in turns on one core, and writes the raw results as JSON.
#
#   scripts/headline.sh [OPTION]... [[LABEL=]FILE]...
#
#   --rival NAME=COMMAND  also measure this program, as for rapidoku bench: 'PROGRAM {input} {limit} {rounds}'. Its
#                         answers are not checked. Repeatable
#   --build NAME=TEXT     its revision, compiler and flags, for the record. Repeatable
#   -p TURNS              turns of every solver on a set (default 7)
#   -n ROUNDS             timed rounds in each turn, of at least 0.1 s (default 3)
#   -c CPU                core to pin all processes to, if taskset exists (default: the last one)
#   -s FOLDER             also measure all sets in FOLDER, *.txt
#   -g                    also get the public sets of tdoku's author (scripts/get-datasets.sh); skipped without network
#   -o FILE               the raw results (default: benches/results/DATE-PROCESSOR.json)
#   FILE                  one puzzle per line, with an optional label (default: datasets/sample_10k.txt and, without -s, the
#                         sets of scripts/generate-datasets.sh)
#
# scripts/figures.sh then writes the tables and the plot of the documents.
set -euo pipefail

. "$(dirname "$0")/common.sh"
turns=7 rounds=3 folder='' get='' output=''
declare -A programs=() builds=()
rivals=()
# Solvers that take milliseconds per puzzle get this many records of a set, spread evenly.
slow_records=50

usage() { sed -n '2,21s/^# \{0,1\}//p' "$0"; }
refuse() { echo "$1" >&2 && exit 2; }
while [[ ${1:-} == -* ]]; do
    option=$1
    shift
    case $option in
    -g) get=yes && continue ;;
    -h | --help) usage && exit 0 ;;
    --) break ;;
    esac
    [ $# -gt 0 ] || { usage >&2 && exit 2; }
    case $option in
    --rival)
        [[ $1 =~ ^[a-zA-Z][a-zA-Z0-9_.-]*=. ]] || refuse "'$1' is not NAME=COMMAND"
        name=${1%%=*}
        [[ ! $name =~ ^(rapidoku|sudoku|rustoku-lib)$ && ! -v programs[$name] ]] || refuse "the name $name is taken"
        programs[$name]=${1#*=}
        [[ ${programs[$name]} == *'{input}'*'{limit}'*'{rounds}'* ]] || refuse "no {input} {limit} {rounds} in '$1'"
        rivals+=("$name")
        ;;
    --build) builds[${1%%=*}]=${1#*=} ;;
    -p) turns=$1 ;;
    -n) rounds=$1 ;;
    -c) cpu=$1 ;;
    -s) folder=$1 ;;
    -o) output=$1 ;;
    *) usage >&2 && exit 2 ;;
    esac
    shift
done
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

target=${CARGO_TARGET_DIR:-$root/target}/rivals
CARGO_TARGET_DIR=$target cargo build --release --locked --quiet --manifest-path "$root/benches/rivals/Cargo.toml"
crates=$target/release/rapidoku-rivals
crate_version() { sed -n "s/^$1 = \"=\(.*\)\"/\1/p" "$root/benches/rivals/Cargo.toml"; }

json_of() { "${pin[@]}" "$binary" bench -j 1 --format json "$@"; }
mapfile -t levels < <(json_of --simd all --rounds 1 "$root/datasets/classics.txt" | sed -n 's/^ *"simd": "\(.*\)",$/\1/p')

# count SOLVER FILE: the number of solutions of each puzzle, at most 2.
count() {
    case $1 in
    # Records with clashing clues have no solution for the others.
    rapidoku) "$binary" count --limit 2 --quiet "$2" | sed 's/^$/0/' ;;
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
    sudoku | rustoku-lib) "${pin[@]}" "$crates" "$1" "$2" "$3" "$rounds" ;;
    *) run_rival "${programs[$1]}" "$2" "$3" "$rounds" ;;
    esac
}

# solver, limit: what takes turns on each set. Solvers run back to back, before the load of the machine changes.
kinds=()
for level in "${levels[@]}"; do kinds+=("rapidoku $level;2"); done
for name in "${rivals[@]}" sudoku; do kinds+=("$name;2" "$name;1"); done
kinds+=("rapidoku ${levels[0]};1" 'rapidoku scalar;2' 'rustoku-lib;2')

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
    cmp -s <(count sudoku "$work/all") "$work/expected" || bad=sudoku
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
            rates "$solver" "$file" "$limit" >"$work/rates"
            [ "$(grep -cE '^[0-9.]+$' "$work/rates")" -eq "$rounds" ] || { echo "$solver printed no rate per round" >&2 && exit 1; }
            turn_rows+=("{\"set\": $(quoted "$name"), \"solver\": \"$solver\", \"limit\": $limit, \"records\": $(wc -l <"$file"), \"rates\": $(list <"$work/rates")}")
        done
    done
done
printf '\r%60s\r' '' >&2

# A run of the program records the machine, the compiler and the revision.
json_of --rounds 1 "$root/datasets/classics.txt" | sed "s|$root/||g" >"$work/environment"
if [ -z "$output" ]; then
    cpu_name=$(sed -n 's/^ *"cpu": "\(.*\)",$/\1/p' "$work/environment" | tr -cs '[:alnum:]\n' '-' | tr '[:upper:]' '[:lower:]')
    output=$root/benches/results/$(date -u +%F)-${cpu_name%-}.json
fi
solver_rows=()
for name in "${rivals[@]}"; do
    solver_rows+=("{\"name\": $(quoted "$name"), \"build\": $(quoted "${builds[$name]:-built by the user}")}")
done
for name in sudoku rustoku-lib; do
    solver_rows+=("{\"name\": \"$name\", \"version\": \"$(crate_version "$name")\", \"build\": $(quoted "$(rustc -V), release")}")
done
rows() { printf '    %s,\n' "$@" | sed '$s/,$//'; }
{
    echo '{'
    echo "  \"pinned\": $([ "${pin[0]}" = taskset ] && echo true || echo false),"
    echo "  \"rounds\": $rounds,"
    # The last change of the library: other commits do not concern the speed.
    echo "  \"revision\": $(quoted "$(git -C "$root" log -1 --abbrev=12 --format=%h -- src Cargo.lock)"),"
    echo "  \"uptime\": $(quoted "$(uptime)"),"
    echo '  "solvers": ['
    rows "${solver_rows[@]}"
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
