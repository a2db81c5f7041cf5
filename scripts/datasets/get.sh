#!/usr/bin/env bash
# Downloads public Sudoku datasets and converts each to one puzzle per line.
#
#   scripts/datasets/get.sh [-d DIR] NAME...
#
#   -d DIR        output folder (default: datasets/public, which git ignores)
#
#   name          puzzles     from                                        needs
#   kaggle-1m     1,000,000   kaggle.com/datasets/bryanpark/sudoku        kaggle
#   kaggle-9m     9,000,000   kaggle.com/datasets/rohanrao/sudoku         kaggle
#   kaggle-3m     3,000,000   kaggle.com/datasets/radcliffe/3-million-sudoku-puzzles-with-ratings   kaggle
#   extreme       3,831,994   huggingface.co/datasets/sapientinc/sudoku-extreme, train.csv          hf
#   extreme-test    422,786   the same, test.csv                          hf
#   tdoku                     github.com/t-dillon/tdoku, data.zip (17 clues, hardest, ...)          curl, unzip
#
# data.zip is pinned to a revision and compared with its checksum. The others have no published checksum; their numbers of
# puzzles are compared. `kaggle` is the command line tool of that site and needs an account and its API key. `hf` is part of
# the Python package huggingface_hub. Each dataset has its own terms of use: read its page first.
set -euo pipefail
dir=$(cd "$(dirname "$0")/../.." && pwd)/datasets/public
if [ "${1-}" = -d ]; then dir=${2:?} && shift 2; fi
[[ $# -gt 0 && $1 != -* ]] || { sed -n '4,15s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
mkdir -p "$dir"
work=$(mktemp -d "$dir/.download.XXXXXX")
trap 'rm -rf "$work"' EXIT

# keep FILE COLUMN COUNT: the column of the puzzles, without the header, if it has this number of puzzles and nothing else.
keep() {
    local output=$work/$name.txt counts
    tail -n +2 "$work/$1" | tr -d '"\r' | cut -d, -f"$2" >"$output"
    counts="$(grep -cE '^[0-9.]{81}$' "$output" || true) puzzles, $(wc -l <"$output") lines"
    echo "$name: $counts"
    [ "$counts" = "$3 puzzles, $3 lines" ] || { echo "$name: $3 expected; nothing kept" >&2 && exit 1; }
    mv "$output" "$dir"
}
kaggle_csv() { kaggle datasets download -d "$1" -p "$work" --unzip && keep "${@:2}"; }
hf_csv() { hf download --repo-type dataset sapientinc/sudoku-extreme "$1" --local-dir "$work" && keep "$@"; }

for name; do
    case $name in
    kaggle-1m) kaggle_csv bryanpark/sudoku sudoku.csv 1 1000000 ;;
    kaggle-9m) kaggle_csv rohanrao/sudoku sudoku.csv 1 9000000 ;;
    kaggle-3m) kaggle_csv radcliffe/3-million-sudoku-puzzles-with-ratings sudoku-3m.csv 2 3000000 ;;
    extreme) hf_csv train.csv 2 3831994 ;;
    extreme-test) hf_csv test.csv 2 422786 ;;
    tdoku)
        curl --fail --location --output "$work/data.zip" \
            https://github.com/t-dillon/tdoku/raw/af426180dc53aef89b82868e7b3fdfcf42165654/data.zip
        # The hash that git has for this file.
        [ "$(git hash-object --no-filters "$work/data.zip")" = 2ae6e4f8d021d2198069814c7db18bf11fcd9591 ] ||
            { echo "$name: the checksum of data.zip is wrong; nothing kept" >&2 && exit 1; }
        unzip -o -q "$work/data.zip" -d "$dir/$name"
        ;;
    *) echo "unknown set: $name" >&2 && exit 2 ;;
    esac
done
