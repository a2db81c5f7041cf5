#!/usr/bin/env bash
# Fails if the library without features has more than three direct dependencies, or if any of its dependencies needs a C
# compiler.
set -euo pipefail
cd "$(dirname "$0")/.."
tree() { cargo tree --locked --package rapidoku --no-default-features --prefix none --no-dedupe --format '{p}' "$@"; }

direct=$(tree --edges normal --depth 1 | tail -n +2)
count=$(grep -c . <<<"$direct" || true)
if [ "$count" -gt 3 ]; then
    printf 'the library has %d direct dependencies without features, 3 are allowed:\n%s\n' "$count" "$direct" >&2
    exit 1
fi
all=$(tree --edges normal,build | cut -d' ' -f1 | sort -u)
grep -qx rapidoku <<<"$all" || { echo "cargo tree does not list the library" >&2; exit 1; }
# Crates that build scripts use to compile or find C code, and bindings to C code.
if native=$(grep -xE 'cc|cmake|pkg-config|bindgen|.*-sys' <<<"$all"); then
    printf 'the library without features needs a C compiler for:\n%s\n' "$native" >&2
    exit 1
fi
echo "$count direct dependencies, $(($(wc -l <<<"$all") - 1)) in all, none with C code"
