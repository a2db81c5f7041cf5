#!/usr/bin/env bash
# Fails when an intrinsic was left a function of its own in the release binary: some helper of the
# lane engine was not inlined then, and each of its instructions became a call.
set -euo pipefail
binary=${1:?usage: scripts/check-inlining.sh BINARY}
command -v nm >/dev/null || { echo "skipped: no nm to look into the binary with"; exit 0; }
pattern='core_arch::.*::(sse|avx|bmi|neon)|_mm[0-9]*_'
left=$(nm --demangle "$binary" | grep -c -E "$pattern" || true)
if [ "$left" -ne 0 ]; then
    nm --demangle "$binary" | grep -E "$pattern" | head >&2
    echo "$left intrinsics are functions of their own" >&2
    exit 1
fi
echo "all intrinsics are inlined"
