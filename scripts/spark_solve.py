#!/usr/bin/env python3
"""Solves the puzzles of a dataset with Spark. Writes Parquet: the columns of the input, and those of the solutions.

    spark-submit scripts/spark_solve.py puzzles.parquet solved.parquet
    spark-submit --archives environment.tar.gz#environment scripts/spark_solve.py --limit 2 's3a://bucket/*.csv' s3a://bucket/solved

INPUT and OUTPUT are anything that Spark reads and writes, such as folders and patterns. The columns solution, status,
solutions and guesses, or some of them (--columns), follow those of the input; one of the input with such a name gets the
prefix input_. A row that is not a puzzle has the status invalid. Text has a puzzle at the start of each line. docs/cluster.md
tells how executors get the package rapidoku.
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import LongType, StringType, StructField, StructType

ADDED = StructType([
    StructField("solution", StringType()),
    StructField("status", StringType()),
    StructField("solutions", LongType()),
    StructField("guesses", LongType()),
])


def read(spark: SparkSession, path: str, form: str, column: str) -> DataFrame:
    """A dataset whose puzzles are in this column."""
    if form == "text":
        lines = spark.read.text(path).filter(~F.col("value").rlike(r"^(#|\s*$)"))
        return lines.select(F.substring_index(F.regexp_replace("value", r"[\s,;]", " "), " ", 1).alias(column))
    if form == "csv":
        return spark.read.csv(path, header=True, multiLine=True, escape='"')
    return spark.read.parquet(path)


def solve(
    frame: DataFrame, column: str, limit: int, max_guesses: int | None = None, columns: Sequence[str] = ADDED.names
) -> DataFrame:
    """Adds these columns of the solutions."""
    for name in columns:
        if name in frame.columns:
            frame = frame.withColumnRenamed(name, "input_" + name)
            column = "input_" + name if column == name else column

    def solve_batches(batches: Iterable) -> Iterator:
        import pyarrow as pa
        import rapidoku

        for batch in batches:
            # A task has one core.
            options = {"limit": limit, "max_guesses": max_guesses, "threads": 1}
            solved = pa.table(rapidoku.solve(batch.column(column), **options))
            added = [solved[name].combine_chunks() for name in columns]
            yield pa.RecordBatch.from_arrays([*batch.columns, *added], [*batch.schema.names, *columns])

    return frame.mapInArrow(solve_batches, StructType([*frame.schema.fields, *(ADDED[name] for name in columns)]))


def arguments(description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--format", choices=["parquet", "csv", "text"], help="format of the input; by default that of its extension")
    parser.add_argument("--column", default="puzzle", help="column of the puzzles (puzzle)")
    return parser


def form_of(path: str, given: str | None) -> str:
    """The format of a path, by its extension before that of a compression."""
    name = path.rstrip("/").removesuffix(".gz").removesuffix(".zst").removesuffix("*").lower()
    return given or {"csv": "csv", "txt": "text"}.get(name.rpartition(".")[2], "parquet")


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--limit", type=int, default=1, help="stop at this number of solutions (1); 2 proves that there is one")
    parser.add_argument("--max-guesses", type=int, help="give up on a puzzle after this number of guesses")
    parser.add_argument(
        "--columns", type=lambda names: names.split(","), default=ADDED.names, metavar="NAME,...",
        help=f"columns to add, fewer of them in less time ({','.join(ADDED.names)})",
    )
    parser.add_argument("--mode", default="error", choices=["error", "overwrite", "append"], help="what to do if OUTPUT exists")
    parser.add_argument("input")
    parser.add_argument("output")
    args = parser.parse_args()
    if unknown := set(args.columns) - set(ADDED.names):
        parser.error(f"no column '{min(unknown)}' to add, only {', '.join(ADDED.names)}")
    session = SparkSession.builder.appName("rapidoku solve").getOrCreate()
    puzzles = read(session, args.input, form_of(args.input, args.format), args.column)
    if args.column not in puzzles.columns:
        parser.error(f"no column '{args.column}' in {args.input}, which has {', '.join(puzzles.columns)}")
    solved = solve(puzzles, args.column, args.limit, args.max_guesses, args.columns)
    solved.write.mode(args.mode).parquet(args.output)
    session.stop()
