#!/usr/bin/env bash
# Fails if the release binary contains an intrinsic as a separate function: then a helper of the lane engine is not inlined,
# and each of its instructions is a call. Also fails if the binary lacks the symbols that this check needs.
set -euo pipefail
binary=${1:?usage: scripts/check-inlining.sh BINARY}
command -v nm >/dev/null || { echo "nm is needed to look into $binary; it is part of binutils" >&2; exit 1; }
symbols=$(nm --demangle "$binary") || { echo "nm cannot read $binary" >&2; exit 1; }

# The entry points of the engine, one for each instruction set that is selected at run time.
case $(uname -m) in
x86_64 | amd64) tokens=(Avx512 Avx2) ;;
*) tokens=() ;;
esac
for token in "${tokens[@]}"; do
    grep -qE " [tT] .*rapidoku::simd::x86::.*$token.*::entry" <<<"$symbols" ||
        { echo "$binary has no entry of $token: it is stripped, or this script is out of date" >&2; exit 1; }
done
grep -qE ' [tT] .*rapidoku::' <<<"$symbols" || { echo "$binary has no symbols of rapidoku" >&2; exit 1; }

# Excludes intrinsics such as `_xgetbv` and `__cpuid`, which the standard library uses to detect instruction sets.
pattern='core_arch::.*::(sse|avx|bmi|neon)|_mm[0-9]*_'
if left=$(grep -E "$pattern" <<<"$symbols"); then
    head <<<"$left" >&2
    echo "$(wc -l <<<"$left") intrinsics are functions of their own" >&2
    exit 1
fi
echo "all intrinsics are inlined"
