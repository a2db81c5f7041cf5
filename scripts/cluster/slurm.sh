#!/usr/bin/env bash
#SBATCH --array=1-16
#SBATCH --cpus-per-task=4
#
# A job array of Slurm that solves one table, a shard for each task:
#
#   sbatch scripts/cluster/slurm.sh puzzles.csv solved
#   cat solved/part-* > solved.csv       # when all tasks have ended
#
# A task that is repeated replaces its own part.
set -euo pipefail
input=$1 folder=$2
mkdir -p "$folder"
printf -v part '%s/part-%05d.csv' "$folder" "$SLURM_ARRAY_TASK_ID"
rapidoku solve "$input" --limit 2 --quiet --threads "${SLURM_CPUS_PER_TASK:-1}" \
    --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --output "$part"
