#!/usr/bin/env python3
"""Solves the puzzles in the column `puzzle` of Parquet files with Spark: spark_solve.py INPUT OUTPUT"""

import sys
from collections.abc import Iterable, Iterator

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import LongType, StringType, StructField, StructType

ADDED = [
    StructField("solution", StringType()),
    StructField("status", StringType()),
    StructField("solutions", LongType()),
    StructField("guesses", LongType()),
]


def solve(frame: DataFrame) -> DataFrame:
    def solve_batches(batches: Iterable) -> Iterator:
        import pyarrow as pa
        import rapidoku

        for batch in batches:
            # A task has one core.
            solved = pa.table(rapidoku.solve(batch.column("puzzle"), limit=2, threads=1))
            added = [column.combine_chunks() for column in solved.columns]
            yield pa.RecordBatch.from_arrays([*batch.columns, *added], [*batch.schema.names, *solved.column_names])

    return frame.mapInArrow(solve_batches, StructType([*frame.schema.fields, *ADDED]))


if __name__ == "__main__":
    session = SparkSession.builder.appName("rapidoku solve").getOrCreate()
    solve(session.read.parquet(sys.argv[1])).write.parquet(sys.argv[2])
    session.stop()
