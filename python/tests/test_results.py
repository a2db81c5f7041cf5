"""What results of all kinds have: columns by name, data frames, text."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rapidoku
from conftest import CLASH, PUZZLE, SOLUTION

PUZZLES = [PUZZLE, CLASH, "." * 81]


def cells(puzzles: list[str]) -> Any:
    text = "".join(puzzles).replace(".", "0").encode()
    return (np.frombuffer(text, np.uint8) - ord("0")).reshape(-1, 81)


KINDS: dict[str, Any] = {
    "list": list,
    "arrow": pa.array,
    "numpy": cells,
    "(N, 9, 9)": lambda puzzles: cells(puzzles).reshape(-1, 9, 9),
}


@pytest.mark.parametrize("kind", KINDS)
def test_all_kinds_have_the_same_content(kind: str) -> None:
    puzzles = KINDS[kind](PUZZLES)
    solved = rapidoku.solve(puzzles, limit=2)
    expected = {
        "solution": [SOLUTION, None, rapidoku.solve(["." * 81]).solution[0]],
        "status": ["unique", "invalid", "multiple"],
        "solutions": [1, 0, 2],
        "guesses": solved.to_pydict()["guesses"],
    }
    rated = {
        "status": ["unique", "invalid", "multiple"],
        "clues": [30, None, 0],
        "er": [1.2, None, None],
        "ep": [1.2, None, None],
        "ed": [1.2, None, None],
        "hardest": ["hidden single", None, None],
        # An array of flags has no missing ones.
        "singles_only": [True, *([None] * 2 if kind in ["list", "arrow"] else [False] * 2)],
    }
    for result, columns in [(solved, expected), (rapidoku.rate(puzzles), rated)]:
        assert result.column_names == list(columns)
        assert result.to_pydict() == columns
        assert result.to_polars().to_dict(as_series=False) == columns
        frame = result.to_pandas()
        assert frame.columns.tolist() == list(columns)
        for name, values in columns.items():
            assert [None if pd.isna(value) else value for value in frame[name].tolist()] == values
        assert result.to_pandas(index=[5, 6, 9]).index.tolist() == [5, 6, 9]
        copy = pickle.loads(pickle.dumps(result))
        assert type(copy) is type(result)
        assert copy.to_pydict() == columns
        with pytest.raises(KeyError, match="no column 'Status', but"):
            result["Status"]


@pytest.mark.parametrize("kind", KINDS)
def test_repr(kind: str) -> None:
    result = rapidoku.count(KINDS[kind](PUZZLES), limit=7)
    head, heading, *rows = repr(result).splitlines()
    assert head == f"{type(result).__name__}: 3 rows"
    assert heading.split() == ["solutions", "status"]
    assert [row.split() for row in rows] == [["0", "1", "unique"], ["1", "0", "invalid"], ["2", "7", "multiple"]]
    many = repr(rapidoku.check(KINDS[kind](PUZZLES * 1000))).splitlines()
    assert len(many) == 1 + 1 + 5 + 1 + 5
    assert (many[0].split(": ")[1], many[7], many[-1].split()) == ("3000 rows", "…", ["2999", "multiple"])
    solved = repr(rapidoku.solve(KINDS[kind](PUZZLES)))
    assert SOLUTION[:15] in solved
    assert max(map(len, solved.splitlines())) < 80
    assert repr(rapidoku.check(KINDS[kind](PUZZLES)[:0])).endswith(": 0 rows, columns status")


def test_columns_of_tuples() -> None:
    result = rapidoku.solve(PUZZLES, limit=2)
    solution, status, solutions, guesses = result
    assert status is result.status is result["status"] is result[1]
    assert result[:2] == (solution, status)
    assert result == (solution, status, solutions, guesses)
    assert "guesses" in dir(result)
    with pytest.raises(AttributeError, match="no column 'Status', but solution, "):
        getattr(result, "Status")


def test_columns_of_arrow() -> None:
    puzzles = pa.chunked_array([PUZZLES[:1], PUZZLES[1:]])
    table = rapidoku.rate(puzzles)
    whole = pa.table(table)
    for name in table.column_names:
        column = table[name]
        assert (column.name, len(column)) == (name, 3)
        assert list(column) == column.to_list() == whole[name].to_pylist()
        assert [column[-1], column[-3]] == [column[2], column[0]]
        for row in [3, -4]:
            with pytest.raises(IndexError, match=f"no row {row}"):
                column[row]
        assert pa.array(column) == whole[name].combine_chunks()
        assert pl.Series(column).to_list() == column.to_list()
    assert repr(table["status"]) == "ArrowColumn status: 3 rows ['unique', 'invalid', 'multiple']"
    many = rapidoku.check(pa.array(PUZZLES * 20))["status"]
    assert repr(many).count("'") == 20
    assert "…" in repr(many)
    empty = rapidoku.check(pa.array([], pa.string()))["status"]
    assert (list(empty), pa.array(empty).type) == ([], pa.large_string())


def test_a_column_is_a_column_of_puzzles() -> None:
    made = rapidoku.generate(100, output="arrow")
    assert rapidoku.solve(made["puzzle"])["solution"].to_list() == made["solution"].to_list()
    assert rapidoku.solve(made["puzzle"], errors="raise")
    assert set(rapidoku.verify(made["puzzle"], made["solution"])["correct"]) == {True}


def test_all_names_but_those_of_python_are_imported() -> None:
    import builtins

    assert not set(rapidoku.__all__) & set(dir(builtins))
    assert rapidoku.enumerate is rapidoku.solutions
    names: dict[str, Any] = {}
    exec("from rapidoku import *", names)
    assert list(eval("enumerate('ab')", names)) == [(0, "a"), (1, "b")]
