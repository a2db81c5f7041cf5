#!/usr/bin/env bash
# Solves a file of lines with GNU parallel, one process for each core: parallel.sh puzzles.txt > solutions.txt
#
# The rows are in the order of the input. With --sshloginfile NODES, the cores are those of other machines.
set -euo pipefail
parallel --keep-order --pipepart --arg-file "$1" --block -1 'rapidoku solve --quiet --threads 1 --input-format lines'
