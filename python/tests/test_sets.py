"""`dedup`, `overlap` and `minimize` give the rows of the program, for every kind of column."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.typing import NDArray

import rapidoku
from conftest import CLASH, PUZZLE, ROOT, SOLUTION, program

TWO = PUZZLE[:-2] + ".."
BAD = "<" * 81


def arrow(result: Any) -> dict[str, list[Any]]:
    table = pa.table(result)
    table.validate(full=True)
    assert pa.table(pickle.loads(pickle.dumps(result))) == table
    columns: dict[str, list[Any]] = table.to_pydict()
    return columns


def cells(puzzles: list[str]) -> NDArray[np.int64]:
    """The digits of puzzles, beyond 9 for characters of rows that are not puzzles."""
    text = "".join(puzzles).replace(".", "0").encode()
    return np.frombuffer(text, np.uint8).astype(np.int64).reshape(-1, 81) - ord("0")


def arrays(result: Any) -> dict[str, list[Any]]:
    """The columns of arrays as those of lists."""
    copy = pickle.loads(pickle.dumps(result))
    columns = {}
    for name, array in result._asdict().items():
        assert (getattr(copy, name) == array).all()
        if name == "minimized":
            texts = ["".join(map(str, row)).replace("0", ".") for row in array.reshape(-1, 81).tolist()]
            columns[name] = [None if text == "." * 81 else text for text in texts]
        elif name == "status":
            columns[name] = [str(rapidoku.Status(code)) for code in array.tolist()]
        elif array.dtype == np.bool_:
            columns[name] = array.tolist()
        else:
            assert array.dtype == np.int64
            columns[name] = [None if number < 0 else number for number in array.tolist()]
    return columns


def lists(result: Any) -> dict[str, list[Any]]:
    assert pickle.loads(pickle.dumps(result)) == result
    columns: dict[str, list[Any]] = result._asdict()
    return columns


def pandas(puzzles: list[str]) -> Any:
    return pd.Series(puzzles)


KINDS: dict[str, tuple[Callable[[list[str]], Any], Callable[[Any], dict[str, list[Any]]]]] = {
    "list": (list, lists),
    "tuple": (tuple, lists),
    "string": (pa.array, arrow),
    "string_view": (lambda puzzles: pa.array(puzzles, pa.string_view()), arrow),
    "dictionary": (lambda puzzles: pa.array(puzzles).dictionary_encode(), arrow),
    "chunks": (lambda puzzles: pa.chunked_array([puzzles[:5], [], puzzles[5:]], pa.large_string()), arrow),
    "table": (lambda puzzles: pa.table({"puzzle": puzzles}), arrow),
    "slice": (lambda puzzles: pa.array([BAD, *puzzles, BAD]).slice(1, len(puzzles)), arrow),
    "polars": (pl.Series, arrow),
    "pandas": (pandas, arrow),
    "(N, 81)": (lambda puzzles: cells(puzzles).astype(np.uint8), arrays),
    "(N, 9, 9)": (lambda puzzles: cells(puzzles).reshape(-1, 9, 9), arrays),
    "Fortran order": (lambda puzzles: np.asfortranarray(cells(puzzles)), arrays),
}


@pytest.fixture(scope="module")
def puzzles() -> list[str]:
    """Puzzles of every status with copies: equal, equivalent, and equal except for the characters of blanks."""
    lines = (ROOT / "datasets" / "sample_10k.txt").read_text().split()
    # Arrays have no place for lines of another length.
    some = [line for line in lines if len(line) == 81][::7]
    some += [TWO, CLASH, "." * 81, SOLUTION]
    copies = [copy for copy in rapidoku.permute(some[::3], seed=3).puzzle if copy is not None]
    equal = [puzzle.replace(".", "0") for puzzle in some[::5]]
    mixed = [*some, BAD, *copies, *some[::11], BAD, *equal, CLASH, CLASH.replace("1", "2")]
    # Equal puzzles come in other chunks than the first ones, and before them in the order of a file.
    return mixed[1::2] + mixed[::2]


@pytest.fixture(scope="module")
def firsts(puzzles: list[str]) -> dict[str, list[int | None]]:
    """The column `first` of the program, from 0."""
    return {
        by: [int(row["first"]) - 1 if row["first"] else None for row in rows]
        for by in ["symmetry", "exact"]
        for rows in [program(["dedup", "--mark", f"--{by}", "--columns", "first"], puzzles)]
    }


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("by", ["symmetry", "exact"])
def test_dedup(puzzles: list[str], firsts: dict[str, list[int | None]], kind: str, by: Any) -> None:
    column, columns = KINDS[kind]
    found = columns(rapidoku.dedup(column(puzzles), by=by, threads=2))
    assert found == {
        "first": firsts[by],
        "keep": [first is None or first == row for row, first in enumerate(firsts[by])],
    }
    # Bad rows are kept, and belong to no class.
    assert [found["first"][row] for row, puzzle in enumerate(puzzles) if puzzle == BAD] == [None, None]
    assert found["keep"].count(False) > 100


def test_dedup_by_symmetry_finds_more(firsts: dict[str, list[int | None]]) -> None:
    assert len(set(firsts["symmetry"])) < len(set(firsts["exact"])) - 100


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_do_not_matter(puzzles: list[str], firsts: dict[str, list[int | None]], threads: int) -> None:
    assert rapidoku.dedup(puzzles, threads=threads).first == firsts["symmetry"]
    assert rapidoku.minimize(puzzles, threads=threads) == rapidoku.minimize(puzzles)
    train, test = puzzles[::2], puzzles[1::2]
    assert rapidoku.overlap(train, test, threads=threads) == rapidoku.overlap(train, test)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("by", ["symmetry", "exact"])
def test_overlap(puzzles: list[str], kind: str, by: Any, tmp_path: Path) -> None:
    column, columns = KINDS[kind]
    train, test = puzzles[::2], puzzles[1::2]
    (tmp_path / "test.txt").write_text("\n".join(test))
    command = ["overlap", f"--{by}", "--columns", "record,first", "-", "--in", str(tmp_path / "test.txt")]
    expected: list[int | None] = [None] * len(test)
    for row in program(command, train):
        expected[int(row["record"]) - 1] = int(row["first"]) - 1
    assert len(set(expected)) > 50
    found = {"first": expected, "found": [first is not None for first in expected]}
    # The kind of the result is that of the second column.
    assert columns(rapidoku.overlap(train, column(test), by=by)) == found
    other: Any = rapidoku.overlap(column(train), test, by=by)
    assert lists(other) == found


@pytest.mark.parametrize("kind", KINDS)
def test_minimize(puzzles: list[str], kind: str) -> None:
    column, columns = KINDS[kind]
    rows = program(["minimize", "--seed", "7", "--columns", "minimized,removed,status"], puzzles)
    assert columns(rapidoku.minimize(column(puzzles), seed=7)) == {
        "minimized": [row["minimized"] or None for row in rows],
        "removed": [int(row["removed"]) if row["removed"] else None for row in rows],
        "status": [row["status"] for row in rows],
    }


def test_minimal_puzzles() -> None:
    minimal = rapidoku.minimize([PUZZLE, SOLUTION, TWO, None, CLASH], seed=1)
    assert minimal.status == ["unique", "unique", "multiple", "invalid", "invalid"]
    assert minimal.minimized[2:] == [None] * 3
    assert minimal.removed[2:] == [None] * 3
    for puzzle, found, removed in zip([PUZZLE, SOLUTION], minimal.minimized, minimal.removed):
        assert found is not None
        assert found.count(".") - puzzle.count(".") == removed
        assert all(cell in (clue, ".") for cell, clue in zip(found, puzzle))
        clues = [cell for cell in range(81) if found[cell] != "."]
        without = [found[:cell] + "." + found[cell + 1 :] for cell in clues]
        assert rapidoku.check([found, *without]).status == ["unique"] + ["multiple"] * len(clues)
    assert rapidoku.minimize([SOLUTION], seed=2).minimized != rapidoku.minimize([SOLUTION], seed=3).minimized
    words = pa.table(rapidoku.minimize(pa.array([PUZZLE]), dictionary=True))
    assert words.schema.field("status").type == pa.dictionary(pa.int8(), pa.string())


def test_a_relation(puzzles: list[str]) -> None:
    rows = pa.table({"puzzle": puzzles})
    assert len(rows) == len(puzzles)
    relation: Any = duckdb.sql("select puzzle from rows")
    assert arrow(rapidoku.dedup(relation))["keep"] == rapidoku.dedup(puzzles).keep


def test_masks_select_rows(puzzles: list[str]) -> None:
    frame = pl.DataFrame({"puzzle": puzzles})
    kept = frame.filter(pl.DataFrame(rapidoku.dedup(frame["puzzle"]))["keep"])
    assert rapidoku.dedup(kept["puzzle"].to_list()).keep == [True] * len(kept)
    series = pandas(puzzles)
    from_arrow: Any = pd.DataFrame
    mask = from_arrow.from_arrow(rapidoku.dedup(series))["keep"]
    assert series[mask].tolist() == kept["puzzle"].to_list()


def test_empty_columns_and_nulls() -> None:
    assert rapidoku.dedup([]) == ([], [])
    assert rapidoku.overlap([], [PUZZLE, None]) == ([None, None], [False, False])
    assert rapidoku.overlap([PUZZLE, None], []) == ([], [])
    assert rapidoku.minimize([]) == ([], [], [])
    assert rapidoku.dedup([None, PUZZLE, None]) == ([None, 1, None], [True] * 3)
    nulls: Any = pa.nulls(3000)
    assert arrow(rapidoku.dedup(nulls)) == {"first": [None] * 3000, "keep": [True] * 3000}
    assert arrow(rapidoku.overlap(nulls, nulls))["found"] == [False] * 3000
    assert arrow(rapidoku.minimize(nulls))["status"] == ["invalid"] * 3000
    empty = np.zeros((0, 9, 9), np.uint8)
    assert rapidoku.minimize(empty).minimized.shape == (0, 9, 9)
    assert rapidoku.dedup(empty).first.shape == (0,)


@pytest.mark.parametrize("text, reason", [(CLASH, "digit 1 twice in row 1: r1c1 and r1c2"), (None, "null")])
@pytest.mark.parametrize("by", ["symmetry", "exact"])
def test_the_first_invalid_row_is_named(text: str | None, reason: str, by: Any) -> None:
    good, bad = [PUZZLE] * 3000, [PUZZLE] * 3000 + [text, "oops"] + [PUZZLE] * 3000 + [text]
    calls: list[Callable[[], object]] = [
        lambda: rapidoku.dedup(bad, by=by, errors="raise"),
        lambda: rapidoku.overlap(bad, good, by=by, errors="raise"),
        lambda: rapidoku.overlap(good, bad, by=by, errors="raise"),
        lambda: rapidoku.minimize(bad, errors="raise"),
    ]
    for call in calls:
        with pytest.raises(rapidoku.InvalidPuzzleError) as raised:
            call()
        assert (raised.value.row, raised.value.reason) == (3000, reason)
    assert rapidoku.dedup(good, by=by, errors="raise").keep.count(True) == 1


def test_options_and_columns_of_other_types() -> None:
    wrong: Any = "rotation"
    message = "by must be 'symmetry' or 'exact', not 'rotation'"
    with pytest.raises(ValueError, match=message):
        rapidoku.dedup([PUZZLE], by=wrong)
    with pytest.raises(ValueError, match=message):
        rapidoku.overlap([PUZZLE], [PUZZLE], by=wrong)
    text: Any = PUZZLE
    calls: list[Callable[[], object]] = [
        lambda: rapidoku.dedup(text),
        lambda: rapidoku.overlap([PUZZLE], text),
        lambda: rapidoku.overlap(text, [PUZZLE]),
        lambda: rapidoku.minimize(text),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="expected a column"):
            call()
    with pytest.raises(ValueError, match="expected shape"):
        rapidoku.dedup(np.zeros((3, 80), np.uint8))
    with pytest.raises(OverflowError):
        rapidoku.minimize([PUZZLE], seed=-1)
