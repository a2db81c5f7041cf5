#!/usr/bin/env python3
"""Solves the puzzles in the column `puzzle` of Parquet files with Ray Data: ray_solve.py INPUT OUTPUT"""

import sys

import pyarrow as pa
import ray
import rapidoku


def solve(table: pa.Table) -> pa.Table:
    solved = pa.table(rapidoku.solve(table["puzzle"], limit=2, threads=1))
    for name in solved.column_names:
        table = table.append_column(name, solved[name])
    return table


if __name__ == "__main__":
    puzzles = ray.data.read_parquet(sys.argv[1])
    # Whole blocks: small batches cost more than solving them.
    puzzles.map_batches(solve, batch_format="pyarrow", batch_size=None).write_parquet(sys.argv[2])
