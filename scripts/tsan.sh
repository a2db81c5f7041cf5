#!/usr/bin/env bash
# Runs the tests of everything that uses threads under ThreadSanitizer: the pipeline of `rapidoku::file`, batches on all
# cores, cancellation, and the program as a child process. Needs a nightly toolchain with rust-src on x86-64 Linux, and
# takes about ten minutes. A data race makes its test fail.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! rust_src=$(rustc +nightly --print sysroot 2>/dev/null)/lib/rustlib/src/rust/library || [ ! -d "$rust_src" ]; then
    echo "skipped: ThreadSanitizer needs a nightly toolchain with rust-src"
    exit 0
fi
host=$(rustc -vV | sed -n 's/^host: //p')
export RUSTFLAGS=-Zsanitizer=thread
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/tsan"
export CARGO_PROFILE_TEST_DEBUG=1
# The sanitizer does not see openat, nor system calls that bypass the C library, such as the one that closes an output. When a
# test removes its folder, the descriptor of that folder may have the number of a file that another thread has closed. The
# sanitizer takes both for the same descriptor and reports a race.
suppressions=$(mktemp)
trap 'rm -f "$suppressions"' EXIT
echo "race:remove_dir_all" >"$suppressions"
export TSAN_OPTIONS="suppressions=$suppressions"
# The standard library must be instrumented too: otherwise its locks and channels look like races.
test=(cargo +nightly test -Zbuild-std --locked --target "$host")
"${test[@]}" -p rapidoku --features file,gzip,zip,zstd --lib -- file:: solver:: cancel::
"${test[@]}" -p rapidoku --features file,gzip,zip,zstd --test it -- file:: solver:: record::
# ThreadSanitizer holds signals back until the interrupted thread calls a function of the C library. The locks of the
# standard library call the kernel directly, so signals to blocked threads never arrive.
skipped=(--skip interrupted --skip under_nohup --skip ended_at_any_time --skip shrinks)
# Waits until all threads of the program are blocked, which the thread of the sanitizer never is.
skipped+=(--skip a_blocked_output)
"${test[@]}" -p rapidoku-cli --bin rapidoku --test it -- pipeline:: failures:: packed:: output:: input:: "${skipped[@]}"
