#!/usr/bin/env bash
# Downloads public Sudoku datasets and converts each to one puzzle per line.
#
#   scripts/get-datasets.sh [-d DIR] [-y] NAME...
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
# puzzles are compared.
#
#   -d DIR   output folder (default: datasets/public, which git ignores)
#   -y       do not ask for confirmation
#
# `kaggle` is the command line tool of that site and needs an account and its API key. `hf` is part of the Python package
# huggingface_hub. Each dataset has its own terms of use: read its page first.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
dir=$root/datasets/public ask=yes
usage() { sed -n '4,17s/^# \{0,1\}//p' "$0"; }
while getopts 'd:yh' option; do
    case $option in
    d) dir=$OPTARG ;;
    y) ask=no ;;
    h) usage && exit 0 ;;
    *) usage >&2 && exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { usage >&2 && exit 2; }

# name -> tool, source, file in the source, column of the puzzle, expected number of puzzles
describe() {
    case $1 in
    kaggle-1m) set -- kaggle bryanpark/sudoku sudoku.csv 1 1000000 ;;
    kaggle-9m) set -- kaggle rohanrao/sudoku sudoku.csv 1 9000000 ;;
    kaggle-3m) set -- kaggle radcliffe/3-million-sudoku-puzzles-with-ratings sudoku-3m.csv 2 3000000 ;;
    extreme) set -- hf sapientinc/sudoku-extreme train.csv 2 3831994 ;;
    extreme-test) set -- hf sapientinc/sudoku-extreme test.csv 2 422786 ;;
    tdoku) set -- curl https://github.com/t-dillon/tdoku/raw/af426180dc53aef89b82868e7b3fdfcf42165654/data.zip data.zip - 2ae6e4f8d021d2198069814c7db18bf11fcd9591 ;;
    *) echo "unknown set: $1" >&2 && exit 2 ;;
    esac
    tool=$1 source=$2 file=$3 column=$4 expected=$5
}

for name; do
    describe "$name"
    echo "$name: $file of $source, with $tool, into $dir"
    command -v "$tool" >/dev/null || { echo "$tool is not installed" >&2 && exit 2; }
    if [ "$tool" != hf ]; then command -v unzip >/dev/null || { echo "unzip is not installed" >&2 && exit 2; }; fi
done
if [ "$ask" = yes ]; then
    read -r -p 'Fetch these? [y/N] ' answer
    [ "$answer" = y ] || exit 1
fi

mkdir -p "$dir"
work=$(mktemp -d "$dir/.download.XXXXXX")
trap 'rm -rf "$work"' EXIT
for name; do
    describe "$name"
    case $tool in
    kaggle) kaggle datasets download -d "$source" -p "$work" --unzip ;;
    hf) hf download --repo-type dataset "$source" "$file" --local-dir "$work" ;;
    curl)
        curl --fail --location --output "$work/$file" "$source"
        # The expected value is the hash that git has for this file.
        if [ "$(git hash-object --no-filters "$work/$file")" != "$expected" ]; then
            echo "$name: the checksum of $file is wrong; nothing kept" >&2
            exit 1
        fi
        unzip -o -q "$work/$file" -d "$dir/$name"
        find "$dir/$name" -type f -exec wc -l {} +
        continue
        ;;
    esac
    # Drops the header and all columns except the puzzle.
    tail -n +2 "$work/$file" | tr -d '"\r' | cut -d, -f"$column" >"$work/$name.txt"
    found=$(grep -cE '^[0-9.]{81}$' "$work/$name.txt" || true)
    lines=$(wc -l <"$work/$name.txt")
    if [ "$found" -ne "$expected" ] || [ "$lines" -ne "$expected" ]; then
        echo "$name: $found puzzles on $lines lines instead of $expected; nothing kept" >&2
        exit 1
    fi
    mv "$work/$name.txt" "$dir/$name.txt"
    echo "$dir/$name.txt: $found puzzles"
done
