#!/usr/bin/env bash
# Fuzzes every target for the given number of seconds, 60 by default. Needs a nightly toolchain and cargo-fuzz.
set -euo pipefail
cd "$(dirname "$0")/../fuzz"
seconds=${1:-60}

if ! cargo +nightly fuzz --version >/dev/null 2>&1; then
    echo "skipped: no nightly toolchain, or no cargo-fuzz"
    exit 0
fi
# Leak detection stops all threads after each input, which takes most of the time. It also reports false positives:
# threads of a pool that are about to exit.
export ASAN_OPTIONS=detect_leaks=0
for target in $(sed -n 's/^name = "\(.*\)"/\1/p' Cargo.toml | grep -v '^rapidoku-fuzz$'); do
    echo "== fuzz $target, $seconds s"
    folders=("corpus/$target")
    if [ -d "seeds/$target" ]; then
        folders+=("seeds/$target")
    fi
    mkdir -p "corpus/$target"
    cargo +nightly fuzz run "$target" "${folders[@]}" -- -detect_leaks=0 -max_total_time="$seconds"
done
