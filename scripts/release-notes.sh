#!/usr/bin/env bash
# Prints the section of a version in CHANGELOG.md. Fails if there is none, or if Cargo.toml has another version.
#
#   scripts/release-notes.sh VERSION
set -euo pipefail
cd "$(dirname "$0")/.."
version=${1:?usage: scripts/release-notes.sh VERSION}
version=${version#v}
actual=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
[ "$version" = "$actual" ] || { echo "the version in Cargo.toml is $actual, not $version" >&2; exit 1; }
notes=$(awk -v heading="## [$version] - " '/^## / { inside = index($0, heading) == 1; next } inside' CHANGELOG.md)
[ -n "$notes" ] || { echo "CHANGELOG.md has no section '## [$version] - DATE'" >&2; exit 1; }
printf '%s\n' "$notes" | sed '/./,$!d'
