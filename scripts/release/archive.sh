#!/usr/bin/env bash
# Builds a release archive for Linux, with its checksum: program, manual pages, completions, licences and documents.
#
#   scripts/release/archive.sh [--target TARGET] [--binary FILE] DIR
#
#   --target  platform of the program (default: this one); its standard library and C compiler must be installed
#   --binary  pack this program instead of building one; its paths are not checked
#
# Writes DIR/rapidoku-VERSION-TARGET.tar.gz and its line in DIR/SHA256SUMS. The same commit and compiler give the same
# bytes, in any folder: paths are replaced in the program, and times are those of the commit (or of SOURCE_DATE_EPOCH).
# Needs GNU tar, and strings from binutils.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
target=$(rustc -vV | sed -n 's/^host: //p')
binary=''
while [ $# -gt 1 ]; do
    case $1 in
    --target) target=$2 ;;
    --binary) binary=$(realpath "$2") ;;
    *) break ;;
    esac
    shift 2
done
[ $# -eq 1 ] || { sed -n '4,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
out=$(realpath "$1")
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
name=rapidoku-$version-$target
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}"
revision=${RAPIDOKU_REVISION-$(git rev-parse --short=12 HEAD)}
if [ -n "$(git status --porcelain 2>/dev/null)" ]; then
    echo "note: there are changes that are not part of revision $revision" >&2
fi

folder=$(realpath -m "${CARGO_TARGET_DIR:-target}")
if [ -z "$binary" ]; then
    cargo_home=$(realpath -m "${CARGO_HOME:-$HOME/.cargo}")
    sysroot=$(rustc --print sysroot)
    # Of several prefixes that match, the last one counts.
    flags=("-Cstrip=symbols" "--remap-path-prefix=$sysroot=/rust" "--remap-path-prefix=$cargo_home=/cargo"
        "--remap-path-prefix=$root=/rapidoku" "--remap-path-prefix=$folder=/target")
    prefixes="-ffile-prefix-map=$cargo_home=/cargo -ffile-prefix-map=$root=/rapidoku -ffile-prefix-map=$folder=/target"
    # Flags are separated by this character, because paths may contain spaces.
    printf -v encoded '%s\x1f' "${flags[@]}"
    # At level 0, the default, the program has two megabytes more.
    CARGO_ENCODED_RUSTFLAGS=${encoded%$'\x1f'} CFLAGS="${CFLAGS-} $prefixes" CARGO_TARGET_DIR="$folder/archive" \
        RAPIDOKU_REVISION=$revision \
        cargo build --release --locked --package rapidoku-cli --target "$target" \
        --config 'profile.release.package.rapidoku-cli.opt-level="s"'
    binary=$folder/archive/$target/release/rapidoku
    # `strings` reads the whole file, so that grep must not end it early.
    if found=$(strings -a "$binary" | grep -F -e "$root" -e "$cargo_home" -e "$folder" -e "$HOME/"); then
        printf 'the program contains paths of this machine:\n%s\n' "$found" | head -n 20 >&2
        exit 1
    fi
fi

stage=$work/$name
mkdir -p "$stage"
install -m 755 "$binary" "$stage/rapidoku"
# With the profile of the program, whose compiled code is used again. All three packages, because cargo would compile the library
# with other features for xtask alone; without the time, because zstd and what depends on it would be compiled again.
env --unset=SOURCE_DATE_EPOCH cargo build --quiet --locked --release --package rapidoku --package rapidoku-cli --package xtask
"$folder/release/xtask" man "$stage/man"
"$folder/release/xtask" completions "$stage/completions"
mkdir "$stage/docs"
cp README.md CHANGELOG.md SECURITY.md LICENSE-MIT LICENSE-APACHE "$stage"
cp docs/guide.md docs/inputs.md "$stage/docs"
find "$stage" -type d -exec chmod 755 {} +
find "$stage" -type f ! -name rapidoku -exec chmod 644 {} +

tar --create --format=gnu --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --directory "$work" "$name" | gzip -9n >"$work/archive"
install -m 644 "$work/archive" "$out/$name.tar.gz"
cd "$out"
# One line per archive: other targets may be in this folder.
{ grep -v " $name.tar.gz\$" SHA256SUMS 2>/dev/null || true; sha256sum "$name.tar.gz"; } | sort -k 2 >"$work/sums"
install -m 644 "$work/sums" SHA256SUMS
echo "$out/$name.tar.gz"
