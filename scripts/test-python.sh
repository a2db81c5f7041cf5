#!/usr/bin/env bash
# Builds the Python package as a wheel, installs it in a fresh virtual environment and runs its tests: pytest with the examples
# of all docstrings, and mypy.
#
#   scripts/test-python.sh [--zig] [DIR]
#
#   --zig  link with zig against an old C library: the wheel is for manylinux_2_17 instead of this system and newer ones
#   DIR    keep the wheel in this folder
#
# Needs Python 3.10 or newer with venv, and the package index of pip; without them it says so and ends with 0.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD zig=''
if [ "${1-}" = --zig ]; then
    zig=1
    shift
fi
[ $# -le 1 ] || { sed -n '5,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
dist=${1:-$work/dist}

skip() { echo "skipped: the Python package, $1"; exit 0; }
python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || skip 'it needs Python 3.10 or newer'
python3 -m venv "$work/venv" >/dev/null 2>&1 || skip 'it needs the module venv'
bin=$work/venv/bin
if ! message=$("$bin/pip" install --quiet 'maturin>=1.9.4,<2' ${zig:+ziglang} 2>&1); then
    grep -qE 'NewConnectionError|NameResolutionError|ProxyError|ConnectTimeout|No matching distribution' <<<"$message" &&
        skip 'it needs the package index of pip'
    printf '%s\n' "$message" >&2
    exit 1
fi

folder=$(realpath -m "${CARGO_TARGET_DIR:-target}")
cargo_home=$(realpath -m "${CARGO_HOME:-$HOME/.cargo}")
sysroot=$(rustc --print sysroot)
# Of several prefixes that match, the last one counts.
flags=("--remap-path-prefix=$sysroot=/rust" "--remap-path-prefix=$cargo_home=/cargo"
    "--remap-path-prefix=$root=/rapidoku" "--remap-path-prefix=$folder=/target")
# Flags are separated by this character, because paths may contain spaces.
printf -v encoded '%s\x1f' "${flags[@]}"
options=(--release --locked --manifest-path python/Cargo.toml --out "$dist")
[ -z "$zig" ] || options+=(--zig --compatibility manylinux_2_17)
PATH=$bin:$PATH CARGO_ENCODED_RUSTFLAGS=${encoded%$'\x1f'} CARGO_TARGET_DIR=$folder/python \
    "$bin/maturin" build "${options[@]}"
wheel=$(ls -t "$dist"/rapidoku-*.whl | head -n 1)

# `strings` reads the whole file, so that grep must not end it early.
"$bin/python" -m zipfile --extract "$wheel" "$work/wheel"
found=$(find "$work/wheel" -type f -exec strings -a {} + |
    grep -F -e "$root" -e "$cargo_home" -e "$folder" -e "$HOME/" -e "$work" || true)
if [ -n "$found" ]; then
    printf 'the wheel contains paths of this machine:\n%s\n' "$found" | head -n 20 >&2
    exit 1
fi

"$bin/pip" install --quiet "$wheel[test]"
cargo build --release --locked --quiet --package rapidoku-cli
cd python
export RAPIDOKU=$folder/release/rapidoku
"$bin/pytest" --quiet
"$bin/mypy"
echo "$(basename "$wheel"): $(wc -c <"$wheel") bytes"
