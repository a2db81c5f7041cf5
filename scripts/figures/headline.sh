#!/usr/bin/env bash
# Compares with published crates, which cargo builds at fixed versions, and with programs that you name: compares the numbers
# of solutions that the crates find for every puzzle, measures all in turns on one core, and writes the raw results as JSON.
#
#   scripts/figures/headline.sh [OPTION]... [[LABEL=]FILE]...
#
#   --rival NAME=COMMAND  also measure this program, as for rapidoku bench: 'PROGRAM {input} {limit} {rounds}'. Its
#                         answers are not checked. Repeatable
#   --build NAME=TEXT     its revision, compiler and flags, for the record. Repeatable
#   -p TURNS              turns of every solver on a set (default 7)
#   -n ROUNDS             timed rounds in each turn, of at least 0.1 s (default 3)
#   -o FILE               the raw results (default: benches/results/DATE-PROCESSOR.json)
#   FILE                  one puzzle per line, with an optional label (default: datasets/sample_10k.txt and the sets of
#                         scripts/datasets/generate.sh)
#
# If taskset exists, all processes are pinned to the last core. With UPDATE_FIGURES=1, the test `figures` of the package
# rapidoku-cli then writes the tables and the plot of the documents.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
turns=7 rounds=3 output=''
declare -A programs=() builds=()
rivals=()
# Solvers that take milliseconds per puzzle get this many records of a set, spread evenly.
slow_records=50

refuse() { echo "$1" >&2 && exit 2; }
usage() { sed -n '2,18s/^# \{0,1\}//p' "$0"; }
while [[ ${1:-} == -* ]]; do
    if [[ $1 == -h || $1 == --help ]]; then usage && exit 0; fi
    [ $# -gt 1 ] || refuse "$(usage)"
    case $1 in
    --rival)
        name=${2%%=*} command=${2#*=}
        [[ $name =~ ^[a-zA-Z][a-zA-Z0-9_.-]*$ && $command == *'{input}'*'{limit}'*'{rounds}'* ]] ||
            refuse "'$2' is not NAME=COMMAND with {input} {limit} {rounds}"
        [[ ! $name =~ ^(rapidoku|sudoku|rustoku-lib)$ && ! -v programs[$name] ]] || refuse "the name $name is taken"
        programs[$name]=$command
        rivals+=("$name")
        ;;
    --build) builds[${2%%=*}]=${2#*=} ;;
    -p) turns=$2 ;;
    -n) rounds=$2 ;;
    -o) output=$2 ;;
    *) refuse "$(usage)" ;;
    esac
    shift 2
done
for operand; do [ -r "${operand#*=}" ] || refuse "cannot read '${operand#*=}'"; done

pin=(env)
if command -v taskset >/dev/null; then pin=(taskset -c "$(($(getconf _NPROCESSORS_ONLN) - 1))"); fi
cargo build --release --locked --quiet --manifest-path "$root/Cargo.toml"
binary=${CARGO_TARGET_DIR:-$root/target}/release/rapidoku
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sets=("$@")
if [ $# -eq 0 ]; then
    "$root/scripts/datasets/generate.sh" -d "$work/generated" -p "$binary" >&2
    # The other solvers accept no invalid records.
    rm "$work/generated/invalid.txt"
    sets=("$root/datasets/sample_10k.txt" "$work"/generated/*.txt)
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
    *) # as `rapidoku bench --rival` runs it
        local command=${programs[$1]//'{input}'/$(printf %q "$2")}
        command=${command//'{limit}'/$3}
        "${pin[@]}" sh -c "${command//'{rounds}'/$rounds}"
        ;;
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
