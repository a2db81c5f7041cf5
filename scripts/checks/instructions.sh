#!/usr/bin/env bash
# Counts the instructions of the steps of the library (benches/instructions.rs). The counts depend only on the code and the
# compiler, not on the load of the machine, so commits can be compared even if timings are unreliable.
#
#   scripts/checks/instructions.sh [COMMIT]
#
#   COMMIT   commit to compare with, built by the same compiler, because counts differ between compilers;
#            without it, the script only counts
#
# The exit code is 1 if a count grew by more than 2 %, unless the message of a commit since COMMIT justifies it with a line
# `Instructions: REASON`.
#
# Needs valgrind and the runner of gungraun in the version from Cargo.lock: cargo install gungraun-runner@VERSION
set -euo pipefail
cd "$(dirname "$0")/../.."

commit=${1-}
version=$(cargo pkgid --locked gungraun | sed 's/.*@//')
command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2 && exit 2; }
[ "$(gungraun-runner --version 2>/dev/null)" = "gungraun-runner $version" ] ||
    { echo "the runner is not installed: cargo install gungraun-runner@$version" >&2 && exit 2; }

target=${CARGO_TARGET_DIR:-$PWD/target}
count() { cargo bench --locked --quiet --package rapidoku-benches --bench instructions -- --home="$target/gungraun" "$@"; }

if [ -z "$commit" ]; then count && exit; fi
commit=$(git rev-parse --verify --quiet "$commit^{commit}") || { echo "no such commit: $1" >&2 && exit 2; }
earlier=$target/instructions
rm -rf "$earlier/tree" && mkdir -p "$earlier/tree"
# Sets the modification times to now: cargo considers older files as already built.
git archive "$commit" | tar -x -m -C "$earlier/tree"
echo "== $(git log -1 --format='%h %s' "$commit")"
# Uses a separate target directory: for cargo both trees are the same package.
(export CARGO_TARGET_DIR=$earlier/target && cd "$earlier/tree" && count --save-baseline=earlier)
echo "== this tree, compared with it"
if count --baseline=earlier --callgrind-limits="ir=2%"; then exit; fi
reason=$(git log --format='%(trailers:key=Instructions,valueonly)' "$commit..HEAD")
[ -n "$reason" ] || exit 1
echo "Known: $reason"
