# Functions and variables that the benchmark scripts share. Sourced by them.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
sample=$root/datasets/sample_10k.txt
cpu=$(($(getconf _NPROCESSORS_ONLN) - 1))

# prepare [LABEL=]FILE...: checks that all files are readable, builds the program and sets `pin` (a command prefix that pins
# to the core `cpu`, if taskset exists), `binary` (the program) and `work` (a folder that is removed at exit).
prepare() {
    for operand; do
        [ -r "${operand#*=}" ] || { echo "cannot read '${operand#*=}'" >&2 && exit 2; }
    done
    pin=(env)
    if command -v taskset >/dev/null; then pin=(taskset -c "$cpu"); fi
    cargo build --profile dist --locked --quiet --manifest-path "$root/Cargo.toml"
    binary=${CARGO_TARGET_DIR:-$root/target}/dist/rapidoku
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
}

# Prints the median of the numbers on standard input.
median() { sort -g | awk '{ v[NR] = $1 } END { printf "%.6f\n", (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }

# Prints a number, rounded to an integer, with commas as thousands separators.
grouped() { printf '%.0f\n' "$1" | sed ':a; s/\B[0-9]\{3\}\>/,&/; ta'; }

# Runs a rival as `rapidoku bench --rival` does: {input}, {limit} and {rounds} stand for the arguments.
run_rival() { # run_rival COMMAND FILE LIMIT ROUNDS: prints the puzzles per second of each round
    local command=${1//'{input}'/$(printf %q "$2")}
    command=${command//'{limit}'/$3}
    "${pin[@]}" sh -c "${command//'{rounds}'/$4}"
}
