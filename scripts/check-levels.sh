#!/usr/bin/env bash
# Fails if this machine has an instruction set that the tests of the lane engine did not use.
# Reads the output of the tests. Asks the operating system for the instruction sets of the machine, not the program.
set -euo pipefail
tested=$(grep -m 1 -o 'levels tested: .*' "${1:?usage: scripts/check-levels.sh TEST_OUTPUT}" || true)
[ -n "$tested" ] || { echo "the tests did not say which levels they ran on" >&2; exit 1; }
flags=$(grep -m 1 '^flags' /proc/cpuinfo 2>/dev/null || true)
need() { # need LEVEL FLAG...
    local level=$1 flag
    shift
    for flag; do [[ " $flags " == *" $flag "* ]] || return 0; done
    [[ "$tested " == *" $level "* ]] || { echo "this machine has $level, but $tested" >&2; exit 1; }
}
need avx512 avx512f avx512bw avx512dq avx512vl bmi1 bmi2
need avx2 avx2 bmi1 bmi2
need portable
echo "$tested"
