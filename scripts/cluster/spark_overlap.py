#!/usr/bin/env python3
"""Finds the puzzles of a dataset that are equivalent to one of another dataset, with Spark: a leak check.

    spark-submit scripts/cluster/spark_overlap.py train.parquet test.parquet leaks.parquet

Writes the rows of the second one whose `puzzle` becomes one of the first by renaming digits and by moving rows, columns, bands and stacks. Rows that
are not puzzles are ignored. Canonical forms are compared by a hash of 128 bits: that two of a billion different forms have
the same one has a probability of 10^-21.
"""

import sys
from collections.abc import Iterable, Iterator

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StringType, StructField, StructType

FORM = "rapidoku_form"


def with_hashes(frame: DataFrame) -> DataFrame:
    """Adds a column with a hash of the canonical form of each puzzle; null for rows that are not puzzles."""

    def add_forms(batches: Iterable) -> Iterator:
        import pyarrow as pa
        import pyarrow.compute as pc
        import rapidoku

        for batch in batches:
            puzzles = batch.column("puzzle")
            found = pa.table(rapidoku.canon(puzzles, threads=1))
            forms = found["canonical"].combine_chunks()
            # Puzzles without exactly one solution. No puzzle with one has their form.
            is_other = pc.and_(pc.is_null(forms), pc.not_equal(found["status"].combine_chunks(), "invalid"))
            if pc.any(is_other).as_py():
                others = pa.table(rapidoku.canon(puzzles.filter(is_other), minlex=True, threads=1))
                forms = pc.replace_with_mask(forms, is_other, others["canonical"].combine_chunks())
            yield pa.RecordBatch.from_arrays([*batch.columns, forms], [*batch.schema.names, FORM])

    schema = StructType([*frame.schema.fields, StructField(FORM, StringType())])
    return frame.mapInArrow(add_forms, schema).withColumn(FORM, F.unhex(F.md5(FORM)))


def overlap(train: DataFrame, test: DataFrame) -> DataFrame:
    """The rows of `test` whose puzzle is equivalent to one of `train`."""
    forms = with_hashes(train.select("puzzle")).select(FORM).distinct()
    return with_hashes(test).join(forms, FORM, "left_semi").drop(FORM)


if __name__ == "__main__":
    session = SparkSession.builder.appName("rapidoku overlap").getOrCreate()
    train, test, output = sys.argv[1:]
    overlap(session.read.parquet(train), session.read.parquet(test)).write.parquet(output)
    session.stop()
