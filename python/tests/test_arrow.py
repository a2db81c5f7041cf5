"""Every kind of Arrow column gives the rows of the program."""

from __future__ import annotations

import pickle
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rapidoku
from conftest import CLASH, PUZZLE, SOLUTION, Expected

TYPES = {
    "string": pa.string(),
    "large_string": pa.large_string(),
    "string_view": pa.string_view(),
    "binary": pa.binary(),
    "large_binary": pa.large_binary(),
    "binary_view": pa.binary_view(),
    "dictionary": pa.dictionary(pa.int32(), pa.string()),
}


def check(column: Any, expected: Expected, **options: Any) -> None:
    result = pa.table(rapidoku.solve(column, limit=2, **options))
    assert result["solution"].to_pylist() == expected.solution
    assert result["status"].to_pylist() == expected.status
    assert result["solutions"].to_pylist() == expected.solutions
    assert result["guesses"].to_pylist() == expected.guesses
    result.validate(full=True)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("threads", [1, 2])
def test_types(sample: Expected, kind: str, threads: int) -> None:
    check(pa.array(sample.puzzles).cast(TYPES[kind]), sample, threads=threads)


@pytest.mark.parametrize("kind", TYPES)
def test_slices_and_chunks(sample: Expected, kind: str) -> None:
    array = pa.array(["oops", None, *sample.puzzles, None]).cast(TYPES[kind])
    check(array.slice(2, len(sample.puzzles)), sample)
    chunks = [array.slice(2, 1), array.slice(3, 0), array.slice(3, 5000), array.slice(5003, 4999)]
    check(pa.chunked_array(chunks), sample)


def test_tables_and_streams(sample: Expected) -> None:
    table = pa.table({"puzzle": sample.puzzles})
    check(table, sample)
    check(table.combine_chunks().to_batches()[0], sample)
    check(table.to_reader(max_chunksize=777), sample)


def test_polars(sample: Expected) -> None:
    series = pl.Series("puzzle", sample.puzzles)
    check(series, sample)
    check(series.to_frame(), sample)
    check(pl.concat([series[:10], series[10:]], rechunk=False), sample)
    result = pl.DataFrame(rapidoku.solve(series, limit=2))
    assert result["status"].to_list() == sample.status


@pytest.mark.parametrize("dtype", ["string[pyarrow]", "string[python]", "str"])
def test_pandas(sample: Expected, dtype: str) -> None:
    # The stubs of pandas lack its Arrow interface.
    pandas: Any = pd
    series = pandas.Series(sample.puzzles, dtype=dtype)
    check(series, sample)
    result = pandas.DataFrame.from_arrow(rapidoku.solve(series, limit=2))
    assert result["solutions"].tolist() == sample.solutions


def test_duckdb(sample: Expected) -> None:
    puzzles = pa.table({"puzzle": sample.puzzles})
    check(duckdb.sql("select puzzle from puzzles"), sample)
    result = rapidoku.solve(puzzles, limit=2)
    assert len(result) == len(sample.puzzles)
    counts = duckdb.sql("select status, count(*) from result group by status")
    assert counts is not None
    assert dict(counts.fetchall()) == {word: sample.status.count(word) for word in sample.status}


@pytest.mark.parametrize("kind", [*TYPES.values(), pa.null()])
def test_nulls(kind: Any) -> None:
    nulls: Any = pa.nulls(3000, kind)
    result = pa.table(rapidoku.solve(nulls))
    assert result["status"].to_pylist() == ["invalid"] * 3000
    assert result["solution"].null_count == 3000
    some = pa.array([None, PUZZLE, None, PUZZLE])
    assert pa.table(rapidoku.check(some))["status"].to_pylist() == ["invalid", "unique"] * 2


@pytest.mark.parametrize("kind", TYPES.values())
def test_empty(kind: Any) -> None:
    for column in [pa.array([], kind), pa.chunked_array([], kind), pa.table({"p": pa.array([], kind)})]:
        result = rapidoku.solve(column)
        assert len(result) == 0
        assert pa.table(result).column_names == ["solution", "status", "solutions", "guesses"]


def test_a_result_can_be_read_twice_and_pickled() -> None:
    puzzles, solutions = pa.array([PUZZLE, None, CLASH]), pa.array([SOLUTION] * 3)
    results = [rapidoku.solve(puzzles, limit=2), rapidoku.rate(puzzles), rapidoku.verify(puzzles, solutions)]
    for result in [*results, rapidoku.solve(pa.array([], pa.string()))]:
        table = pa.table(result)
        assert pa.table(result) == table
        assert pa.table(pickle.loads(pickle.dumps(result))) == table


def test_other_types() -> None:
    with pytest.raises(TypeError, match="expected puzzles as text, not an Arrow column of int64: "):
        rapidoku.solve(pa.array([1, 2]))
    with pytest.raises(TypeError, match="expected an Arrow column of strings, not of Date32"):
        rapidoku.solve(pa.array([None], pa.date32()))
    with pytest.raises(ValueError, match=r"one column, not several \(a, b\)"):
        rapidoku.solve(pa.table({"a": [PUZZLE], "b": [PUZZLE]}))
    with pytest.raises(TypeError, match="a table with rows that are null"):
        rapidoku.solve(pa.StructArray.from_arrays([pa.array([PUZZLE])], ["p"], mask=pa.array([True])))
