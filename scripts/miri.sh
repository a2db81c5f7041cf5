#!/usr/bin/env bash
# Runs unsafe code under Miri, which finds undefined behaviour. Needs a nightly toolchain with the miri component.
#
#   scripts/miri.sh [all]
#
# Without `all`, only what the gate runs: the loads and stores of the vectors, and a small batch at every level that Miri
# supports. Miri has no files mapped into memory and no signal handlers; AddressSanitizer and ThreadSanitizer run those.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! cargo +nightly miri --version >/dev/null 2>&1; then
    echo "skipped: Miri needs a nightly toolchain with the miri component"
    exit 0
fi
export MIRIFLAGS=-Zmiri-disable-isolation
# For Miri the machine has the instruction sets that the compiler is told. It implements all of AVX2 that is used here.
avx2=-Ctarget-feature=+avx2,+bmi1,+bmi2,+popcnt,+lzcnt
case $(uname -m) in x86_64 | amd64) ;; *) avx2='' ;; esac
miri() { RUSTFLAGS=$avx2 cargo +nightly miri test --locked -p rapidoku --features file "$@"; }

if [ "${1-}" = all ]; then
    miri --lib -- simd::
    if [ -n "$avx2" ]; then
        # Miri lacks the permutations of AVX-512, which have no access to memory.
        avx2=$avx2,+avx512f,+avx512bw,+avx512dq,+avx512vl miri --lib -- simd::tests::{all_masks,arithmetic,bitwise} \
            simd::tests::{blocks_of_bytes,comparisons,digits_of_text}
    fi
else
    miri --lib -- simd::tests::memory simd::tests::blocks_of_bytes simd::tests::a_prefetch
fi
miri --test it -- lanes::miri record::miri
