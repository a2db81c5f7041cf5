"""The job of scripts/cluster/spark_solve.py with a pause before each batch: slow_job.py INPUT OUTPUT"""

import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts" / "cluster"))

from pyspark.sql import SparkSession
from spark_solve import solve


def wait(batches: Iterable) -> Iterator:
    for batch in batches:
        time.sleep(0.3)
        yield batch


session = SparkSession.builder.getOrCreate()
puzzles = session.read.parquet(sys.argv[1])
solve(puzzles.mapInArrow(wait, puzzles.schema)).write.parquet(sys.argv[2])
