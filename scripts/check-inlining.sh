#!/usr/bin/env bash
# Fails when an intrinsic is a function of its own in the release binary: some helper of the lane engine is not inlined
# then, and each of its instructions is a call. Fails too when the symbols to tell by are not there.
set -euo pipefail
binary=${1:?usage: scripts/check-inlining.sh BINARY}
command -v nm >/dev/null || { echo "nm is needed to look into $binary; it is part of binutils" >&2; exit 1; }
symbols=$(nm --demangle "$binary") || { echo "nm cannot read $binary" >&2; exit 1; }

# The entries to the engine, one for each instruction set that is chosen at run time.
case $(uname -m) in
x86_64 | amd64) tokens=(Avx512 Avx2) ;;
*) tokens=() ;;
esac
for token in "${tokens[@]}"; do
    grep -qE " [tT] .*rapidoku::simd::x86::.*$token.*::entry" <<<"$symbols" ||
        { echo "$binary has no entry of $token: it is stripped, or this script is out of date" >&2; exit 1; }
done
grep -qE ' [tT] .*rapidoku::' <<<"$symbols" || { echo "$binary has no symbols of rapidoku" >&2; exit 1; }

# The standard library detects instruction sets with `_xgetbv`, `__cpuid` and the like, which are not vectors.
pattern='core_arch::.*::(sse|avx|bmi|neon)|_mm[0-9]*_'
if left=$(grep -E "$pattern" <<<"$symbols"); then
    head <<<"$left" >&2
    echo "$(wc -l <<<"$left") intrinsics are functions of their own" >&2
    exit 1
fi
echo "all intrinsics are inlined"
