#!/usr/bin/env bash
# Checks the packages for the registry: their files, their sizes, and that they can be packed.
#
#   scripts/release/packages.sh [--verify]
#
#   --verify  also compile the packages alone, which takes a minute
set -euo pipefail
cd "$(dirname "$0")/../.."
verify=--no-verify
[ "${1-}" != --verify ] || verify=''

# check PACKAGE ALLOWED REQUIRED...: fails if the package has a file that does not match ALLOWED, or lacks one of REQUIRED.
check() {
    local package=$1 allowed=$2 files unexpected
    shift 2
    files=$(cargo package --locked --allow-dirty --list --package "$package" 2>/dev/null | tr '\\' '/')
    if unexpected=$(grep -vE "^($allowed)\$" <<<"$files"); then
        printf '%s: these files do not belong into the package:\n%s\n' "$package" "$unexpected" >&2
        exit 1
    fi
    for file in README.md LICENSE-MIT LICENSE-APACHE "$@"; do
        grep -qxF "$file" <<<"$files" || { echo "$package: the package lacks $file" >&2; exit 1; }
    done
    echo "$package: $(wc -l <<<"$files") files"
}
packages=(rapidoku rapidoku-cli)
common='\.cargo_vcs_info\.json|Cargo\.(lock|toml|toml\.orig)|README\.md|LICENSE-(MIT|APACHE)|build\.rs'
check rapidoku "$common|CHANGELOG\.md|docs/library\.md|examples/[a-z_]+\.rs|src/[a-z0-9_/]+\.rs" \
    docs/library.md src/lib.rs
check rapidoku-cli "$common|datasets/(classics|sample_10k)\.txt|src/[a-z0-9_/]+\.(rs|css|js)" \
    build.rs datasets/classics.txt datasets/sample_10k.txt src/main.rs
for name in engine file generate jobs rating; do
    check "rapidoku-$name" "$common|(src|tests)/[a-z0-9_/]+\.rs" src/lib.rs
    packages+=("rapidoku-$name")
done

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
target=${CARGO_TARGET_DIR:-target}
# Packing needs the index of the registry, to make a lock file.
if ! message=$(cargo package --allow-dirty $verify "${packages[@]/#/--package=}" 2>&1); then
    if grep -qE 'failed to (download|query|fetch)|[Cc]ould not resolve' <<<"$message"; then
        echo "skipped: packing, it needs the index of the registry"
        exit 0
    fi
    printf '%s\n' "$message" >&2
    exit 1
fi
for package in "${packages[@]}"; do
    archive=$target/package/$package-$version.crate
    size=$(wc -c <"$archive")
    # The built-in datasets are most of the larger one.
    [ "$size" -le 700000 ] || { echo "$archive has $size bytes" >&2; exit 1; }
    echo "$package: $size bytes${verify:+, not compiled}"
done
