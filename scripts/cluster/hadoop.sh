#!/usr/bin/env bash
# A mapper of Hadoop streaming: puzzles in lines on standard input, JSON lines on standard output.
#
#   mapred streaming -files rapidoku,scripts/cluster/hadoop.sh -D mapreduce.job.reduces=0 \
#       -input puzzles -output solved -mapper hadoop.sh
#
# Each output has the rows of one split. It has no header, which would be repeated in each of them. All lines are read, and a
# bad record is a row, so no task fails because of the data.
set -euo pipefail
PATH=$PATH:$PWD
exec rapidoku solve --limit 2 --quiet --threads 1 --input-format lines --format jsonl
