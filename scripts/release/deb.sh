#!/usr/bin/env bash
# Builds a Debian package from a release archive of scripts/release/archive.sh, with the same bytes each time.
#
#   scripts/release/deb.sh ARCHIVE DIR
#
# DEBFULLNAME and DEBEMAIL name the maintainer. Needs dpkg-deb, and objdump from binutils.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# -eq 2 ] || { sed -n '4s/^# \{0,1\}//p' "$0" >&2; exit 2; }
archive=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
name=$(basename "$archive" .tar.gz)
target=${name#rapidoku-*-}
version=${name#rapidoku-}
version=${version%"-$target"}
case $target in
x86_64-*-linux-gnu) architecture=amd64 ;;
aarch64-*-linux-gnu) architecture=arm64 ;;
*) echo "there is no Debian architecture for $target" >&2; exit 2 ;;
esac
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar --extract --file "$archive" --directory "$work"
from=$work/$name root=$work/root

install -D -m 755 "$from/rapidoku" "$root/usr/bin/rapidoku"
for page in "$from"/man/*.1; do
    install -D -m 644 "$page" "$root/usr/share/man/man1/$(basename "$page")"
done
install -D -m 644 "$from/completions/rapidoku.bash" "$root/usr/share/bash-completion/completions/rapidoku"
install -D -m 644 "$from/completions/rapidoku.fish" "$root/usr/share/fish/vendor_completions.d/rapidoku.fish"
install -D -m 644 "$from/completions/_rapidoku" "$root/usr/share/zsh/vendor-completions/_rapidoku"
documents=$root/usr/share/doc/rapidoku
install -D -m 644 "$from/CHANGELOG.md" "$documents/changelog"
install -m 644 "$from/README.md" "$from/docs/guide.md" "$from/docs/inputs.md" "$documents"
{
    printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: rapidoku\n\n'
    printf 'Files: *\nCopyright: %s\nLicense: Expat or Apache-2.0\n\n' \
        "$(sed -n 's/^Copyright (c) //p' "$from/LICENSE-MIT")"
    printf 'License: Expat\n'
    sed -e '1,/^Copyright/d' -e '/./!d' -e 's/^/ /' "$from/LICENSE-MIT"
    printf '\nLicense: Apache-2.0\n On Debian systems, the licence is in /usr/share/common-licenses/Apache-2.0.\n'
} >"$documents/copyright"
chmod 644 "$documents/copyright"
gzip -9n "$root"/usr/share/man/man1/*.1 "$documents/changelog"

# The newest symbol of the C library that the program needs.
libc=$(objdump -T "$from/rapidoku" | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1)
mkdir "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<CONTROL
Package: rapidoku
Version: $version-1
Architecture: $architecture
Maintainer: ${DEBFULLNAME:-The rapidoku authors}${DEBEMAIL:+ <$DEBEMAIL>}
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f1)
Depends: libc6 (>= ${libc#GLIBC_}), libgcc-s1
Section: games
Priority: optional
Description: solve, check and rate Sudoku puzzles by the million
 Reads sets of 9x9 puzzles as lines, tables, grids or pencilmarks, plain or
 compressed, solves them on all cores, one puzzle in each lane of a SIMD
 vector, and writes one row per record, in input order, with a status.
CONTROL
(cd "$root" && find usr -type f | LC_ALL=C sort | xargs md5sum) >"$root/DEBIAN/md5sums"
find "$root" -type d -exec chmod 755 {} +
chmod 644 "$root"/DEBIAN/*
find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
package=$out/rapidoku_$version-1_$architecture.deb
dpkg-deb --build --root-owner-group -Zxz "$root" "$package" >/dev/null
echo "$package"
