#!/usr/bin/env bash
# Mutation testing: changes solver, readers and writer in small ways, one at a time, and runs the tests that reach the change.
# One of them must fail. tests/mutants/survivors.txt lists the mutants that no test notices, with reasons.
#
#   scripts/mutants.sh [-r SEED] [SECONDS] [FILE]...
#
#   SEED     for the random order of the mutants (default: 0)
#   SECONDS  time after which no more mutants are tested, without that for the build (default: no limit)
#   FILE     default: the files below
#
# Prints the unexplained mutants that no test notices, and on the last line the number of each kind. Outcomes are kept in
# the target folder. The next run with the same code and data goes on from there.
set -euo pipefail
cd "$(dirname "$0")/.."
seed=0
if [ "${1-}" = -r ]; then
    seed=$2
    shift 2
fi
seconds=${1:-1000000}
shift || true
files=("$@")
if [ "${#files[@]}" -eq 0 ]; then
    files=(
        src/{outcome,solver,solutions,verify,text,cancel,restart}.rs
        src/grid/{parse,candidates,puzzle,symmetry}.rs
        src/scalar/*.rs
        src/lanes/{batch,probes,split,state,queue,guess,search,load,emit,sweep,layout,lookahead/{mod,choices}}.rs
        src/file/record/{batch,cells,choose,foreign,grids,head,layout,mod,objects,pencilmarks,quotes,recognise,rows}.rs
        src/file/read/{mod,map,decompress,unzip}.rs
        src/file/run/{mod,order,worker,writer}.rs
        src/file/write/{mod,row,row_sink,sink,compress,gzip,unfinished,preallocate}.rs
        src/file/table/{mod,columns}.rs
        src/file/solve/{mod,grids}.rs
    )
fi
exec cargo run --locked --release --quiet --manifest-path tests/mutants/Cargo.toml -- \
    -s "$seconds" -r "$seed" -o "$(realpath -m "${CARGO_TARGET_DIR:-target}")/mutants" "${files[@]}"
