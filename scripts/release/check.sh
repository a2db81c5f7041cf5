#!/usr/bin/env bash
# Packs a program as a release archive and as a Debian package, and checks both: the same bytes when packed again, the
# expected files, and a package that can be installed and removed without a trace.
#
#   scripts/release/check.sh PROGRAM
#
# Installs into an empty folder, with `dpkg --root`, under fakeroot if the user is not root. Changes nothing outside of it.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${1:?usage: scripts/release/check.sh PROGRAM}"
if ! tar --version 2>/dev/null | grep -q GNU || [ "$(uname -s)" != Linux ]; then
    echo "skipped: release archives need Linux and GNU tar"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Packing compiles other programs, which may replace this one.
program=$work/program
cp "$1" "$program"
fail() { echo "$0: $*" >&2; exit 1; }

# The archive.
archive=$(scripts/release/archive.sh --binary "$program" "$work/first")
scripts/release/archive.sh --binary "$program" "$work/second" >/dev/null
cmp "$archive" "$work/second/$(basename "$archive")"
(cd "$work/first" && sha256sum --check --quiet SHA256SUMS)
tar --extract --file "$archive" --directory "$work"
folder=$work/$(basename "$archive" .tar.gz)
commands=$("$folder/rapidoku" --help | sed -n '/^Options:/q; s/^  \([a-z]\+\) .*/\1/p' | grep -vx help)
[ "$(wc -w <<<"$commands")" -ge 10 ] || fail "the help names few commands: $commands"
for command in $commands; do
    grep -q '^\.SH NAME' "$folder/man/rapidoku-$command.1" || fail "$command has no manual page"
done
bash -n "$folder/completions/rapidoku.bash"
if command -v man >/dev/null; then
    warnings=$(LC_ALL=C MANROFFSEQ='' MANWIDTH=100 man --warnings --local-file "$folder/man/rapidoku-solve.1" 2>&1 >/dev/null)
    [ -z "$warnings" ] || fail "the manual page has errors: $warnings"
fi
echo "archive: $(tar --list --file "$archive" | grep -vc '/$') files, the same bytes twice"

# The package.
for tool in dpkg dpkg-deb objdump; do
    command -v "$tool" >/dev/null || { echo "skipped: Debian package, there is no $tool"; exit 0; }
done
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v fakeroot >/dev/null || { echo "skipped: Debian package, there is no fakeroot"; exit 0; }
    as_root=(fakeroot --)
fi
package=$(scripts/release/deb.sh "$archive" "$work/first")
cmp "$package" "$(scripts/release/deb.sh "$archive" "$work/second")"
root=$work/root
mkdir -p "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/info"
touch "$root/var/lib/dpkg/status"
in_root() { "${as_root[@]}" env DPKG_MAINTSCRIPT_DEBUG=0 dpkg --root="$root" --log=/dev/null --force-not-root "$@" >"$work/dpkg" 2>&1 || {
    cat "$work/dpkg" >&2
    fail "dpkg $*"
}; }
files() { (cd "$root" && find . ! -type d ! -path './var/lib/dpkg/*' | LC_ALL=C sort); }

# The empty folder has no C library.
in_root --force-depends --install "$package"
"${as_root[@]}" dpkg --root="$root" --verify rapidoku || fail 'installed files differ from the package'
cmp "$root/usr/bin/rapidoku" "$program"
solved=$("$root/usr/bin/rapidoku" solve --limit 2 --format csv --columns status datasets/sample_10k.txt |
    LC_ALL=C sort | uniq -c | tr -s ' ')
[ "$solved" = $' 500 multiple\n 500 none\n 1 status\n 9000 unique' ] || fail "the installed program prints: $solved"
gzip -dc "$root/usr/share/man/man1/rapidoku.1.gz" | cmp - "$folder/man/rapidoku.1"
[ -s "$root/usr/share/doc/rapidoku/copyright" ] || fail 'the package has no copyright file'
installed=$(files | wc -l)
in_root --purge rapidoku
left=$(files)
[ -z "$left" ] || fail "files left behind: $left"
echo "package: $installed files, installed, run and removed"
