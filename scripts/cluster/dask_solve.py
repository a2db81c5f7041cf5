#!/usr/bin/env python3
"""Solves the puzzles in the column `puzzle` of Parquet files with Dask: dask_solve.py INPUT OUTPUT"""

import sys

import dask.dataframe as dd
import pandas as pd
import rapidoku


def solve(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.join(rapidoku.solve(frame["puzzle"], limit=2, threads=1).to_pandas(index=frame.index))


if __name__ == "__main__":
    from dask.distributed import Client

    with Client(threads_per_worker=1):
        dd.read_parquet(sys.argv[1]).map_partitions(solve).to_parquet(sys.argv[2], write_index=False)
