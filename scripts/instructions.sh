#!/usr/bin/env bash
# Counts the instructions of the library's pieces (benches/instructions.rs): the same numbers each time for the same
# code and compiler, whatever else the machine does, so that commits can be compared where no clock can be trusted.
#
#   scripts/instructions.sh [-t PERCENT] [COMMIT]
#
#   -t PERCENT  how much more than in COMMIT is no regression (default 2)
#   COMMIT      to compare with, built here and now by the same compiler, since counts differ between compilers;
#               without one, counts only
#
# Exit code 1 if a count grew by more than that, unless a commit since then owns up to it with a line in its message:
# `Instructions: why there are more`.
#
# Needs valgrind and the runner of gungraun, of the version in Cargo.lock: cargo install gungraun-runner@VERSION
set -euo pipefail
cd "$(dirname "$0")/.."

percent=2
usage() { sed -n '5,14s/^# \{0,1\}//p' "$0"; }
while getopts 't:h' option; do
    case $option in
    t) percent=$OPTARG ;;
    h) usage && exit 0 ;;
    *) usage >&2 && exit 2 ;;
    esac
done
shift $((OPTIND - 1))
commit=${1-}

version=$(cargo pkgid --locked gungraun | sed 's/.*@//')
command -v valgrind >/dev/null || { echo "scripts/instructions.sh needs valgrind" >&2 && exit 2; }
if [ "$(gungraun-runner --version 2>/dev/null)" != "gungraun-runner $version" ]; then
    echo "scripts/instructions.sh needs the runner: cargo install gungraun-runner@$version" >&2
    exit 2
fi

target=${CARGO_TARGET_DIR:-$PWD/target}
count() { cargo bench --locked --quiet --package rapidoku --all-features --bench instructions -- --home="$target/gungraun" "$@"; }

if [ -z "$commit" ]; then
    count
    exit
fi
commit=$(git rev-parse --verify --quiet "$commit^{commit}") || { echo "no such commit: $1" >&2 && exit 2; }
earlier=$target/instructions
rm -rf "$earlier/tree" && mkdir -p "$earlier/tree"
# With the time of now: to cargo an older file is one that it has built already.
git archive "$commit" | tar -x -m -C "$earlier/tree"
if [ ! -e "$earlier/tree/benches/instructions.rs" ]; then
    echo "$commit counts no instructions: nothing to compare with"
    count
    exit
fi
echo "== $(git log -1 --format='%h %s' "$commit")"
# In a folder of its own: to cargo both trees are the same package.
(export CARGO_TARGET_DIR=$earlier/target && cd "$earlier/tree" && count --save-baseline=earlier)
echo "== this tree, compared with it"
if count --baseline=earlier --callgrind-limits="ir=$percent%"; then exit; fi
reason=$(git log --format='%(trailers:key=Instructions,valueonly)' "$commit..HEAD")
[ -n "$reason" ] || exit 1
echo "Known: $reason"
