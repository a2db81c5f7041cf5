#!/usr/bin/env bash
# Fuzzes every target for so many seconds (60 by default). Needs a nightly toolchain, and cargo-fuzz or else nothing
# but that: without it the targets are built with coverage but no address sanitizer.
set -euo pipefail
cd "$(dirname "$0")/../fuzz"
seconds=${1:-60}

if ! cargo +nightly --version >/dev/null 2>&1; then
    echo "skipped: no nightly toolchain"
    exit 0
fi
for target in $(sed -n 's/^name = "\(.*\)"/\1/p' Cargo.toml | grep -v '^rapidoku-fuzz$'); do
    mkdir -p "corpus/$target" "artifacts/$target"
    echo "== fuzz $target, $seconds s"
    options=("corpus/$target" -max_total_time="$seconds" -print_final_stats=1)
    if [ -d "seeds/$target" ]; then
        options+=("seeds/$target")
    fi
    if cargo +nightly fuzz --version >/dev/null 2>&1; then
        cargo +nightly fuzz run "$target" "${options[@]:0:1}" -- "${options[@]:1}"
    else
        flags='--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4'
        flags+=' -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table'
        flags+=' -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1'
        RUSTFLAGS=$flags cargo +nightly build --release --bin "$target" --target-dir target
        "target/release/$target" "${options[@]}" -artifact_prefix="artifacts/$target/"
    fi
done
