"""Functions for sets, and `minimize` and `convert`, give the rows of the program, for every kind of column."""

from __future__ import annotations

import pickle
import subprocess
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
from conftest import CLASH, PUZZLE, ROOT, SOLUTION, program, program_path

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
    for name, array in zip(result.column_names, result):
        assert np.array_equal(getattr(copy, name), array)
        if name == "minimized":
            texts = ["".join(map(str, row)).replace("0", ".") for row in array.reshape(-1, 81).tolist()]
            columns[name] = [None if text == "." * 81 else text for text in texts]
        elif name == "status":
            columns[name] = [str(rapidoku.Status(code)) for code in array.tolist()]
        elif isinstance(array, list) or array.dtype == np.bool_:
            columns[name] = np.asarray(array).tolist()
        else:
            assert array.dtype == np.int64
            columns[name] = [None if number < 0 else number for number in array.tolist()]
    return columns


def lists(result: Any) -> dict[str, list[Any]]:
    assert pickle.loads(pickle.dumps(result)) == result
    columns: dict[str, list[Any]] = result.to_pydict()
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


# How the program is told to compare.
OPTION = {"symmetry": [], "exact": ["--exact"]}


@pytest.fixture(scope="module")
def firsts(puzzles: list[str]) -> dict[str, list[int | None]]:
    """The column `first` of the program, from 0."""
    return {
        by: [int(row["first"]) - 1 if row["first"] else None for row in rows]
        for by in ["symmetry", "exact"]
        for rows in [program(["dedup", "--mark", *OPTION[by], "--columns", "first"], puzzles)]
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
    command = ["overlap", *OPTION[by], "--columns", "record,first", "-", "--in", str(tmp_path / "test.txt")]
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


PARTS = {"train": 70.0, "validation": 12.5, "prüf": 17.5}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("by", "max_er"), [("class", None), ("record", None), ("er", None), ("er", 1.4)])
def test_split(puzzles: list[str], kind: str, by: Any, max_er: float | None, tmp_path: Path) -> None:
    column, columns = KINDS[kind]
    # Each line occurs once in the parts of the program.
    rows = [puzzle for puzzle in dict.fromkeys(puzzles) if puzzle != BAD]
    found = columns(rapidoku.split(column(rows), PARTS, by=by, max_er=max_er, seed=7, threads=2))["part"]
    bound = [] if max_er is None else ["--max-er", str(max_er)]
    parts = ["--parts", ",".join(f"{name}={share}" for name, share in PARTS.items())]
    command = [program_path(), "split", "--by", by, "--seed", "7", *bound, *parts, "-o", str(tmp_path / "{}.txt"), "-q"]
    subprocess.run(command, input="\n".join(rows), text=True, check=True)
    for name in PARTS:
        part = (tmp_path / f"{name}.txt").read_text().split()
        assert part == [puzzle for puzzle, of in zip(rows, found) if of == name]
        assert len(part) > 50


def test_known_ratings(puzzles: list[str]) -> None:
    for max_er in [None, 1.4]:
        ratings = rapidoku.rate(puzzles).er
        expected = rapidoku.split(puzzles, PARTS, by="er", max_er=max_er)
        ratings[::7] = [None] * len(ratings[::7])
        columns: list[Any] = [ratings, np.array(ratings, float), pd.Series(ratings), pa.array(ratings), pl.Series(ratings)]
        for column in columns:
            assert rapidoku.split(puzzles, PARTS, by="er", max_er=max_er, ratings=column) == expected
    # They are used, whatever the puzzles are.
    assert rapidoku.split(puzzles, PARTS, by="er", ratings=[1.0] * len(puzzles)) != expected
    for wrong, message in [([1.0], "puzzles, but 1 ratings"), ([-1.0] * len(puzzles), "row 0: -1 is not a rating")]:
        with pytest.raises(ValueError, match=message):
            rapidoku.split(puzzles, PARTS, by="er", ratings=wrong)
    with pytest.raises(ValueError, match="ratings need by='er'"):
        rapidoku.split(puzzles, PARTS, ratings=ratings)


def test_parts_of_rows_that_are_not_puzzles(tmp_path: Path) -> None:
    rows = [f"bad{number}" for number in range(300)] + [" spaces "]
    parts = rapidoku.split(rows, {"a": 50, "b": 50}).part
    command = [program_path(), "split", "--parts", "a=50,b=50", "-o", str(tmp_path / "{}.txt"), "-q"]
    subprocess.run(command, input="\n".join([PUZZLE, *rows]), text=True)
    texts = {name: (tmp_path / f"{name}.txt").read_text().splitlines() for name in "ab"}
    assert [next(name for name in "ab" if row in texts[name]) for row in rows] == parts
    assert rapidoku.split(pa.array(rows), {"a": 50, "b": 50})["part"].to_list() == parts
    assert len(rapidoku.split([None, "", "x"], {"a": 100}).part) == 3


def test_equivalent_puzzles_are_in_the_same_part(puzzles: list[str]) -> None:
    parts = rapidoku.split(puzzles, PARTS).part
    classes: dict[int | None, set[str]] = {}
    for first, part in zip(rapidoku.dedup(puzzles).first, parts):
        if first is not None:
            classes.setdefault(first, set()).add(part)
    assert all(len(part) == 1 for part in classes.values())
    assert len(classes) < len(puzzles) - 100


@pytest.mark.parametrize("parts", [{}, {"a": 90}, {"a": 110, "b": -10}, {"a": float("nan")}, {"a": 0.5, "b": 0.5}])
def test_parts_without_sense(parts: Any) -> None:
    with pytest.raises(ValueError, match="the percentages"):
        rapidoku.split([PUZZLE], parts)


@pytest.mark.parametrize("max_er", [-1.0, float("nan"), 1e9])
def test_bounds_that_are_no_ratings(max_er: float) -> None:
    with pytest.raises(ValueError, match="max_er must be a rating"):
        rapidoku.split([PUZZLE], {"a": 100}, by="er", max_er=max_er)
    with pytest.raises(ValueError, match="max_er needs by='er'"):
        rapidoku.split([PUZZLE], {"a": 100}, max_er=4.5)


FORMATS: list[Any] = ["lines", "pencilmarks", "sdk", "sdm", "ss", "grid"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("to", FORMATS)
def test_convert(puzzles: list[str], kind: str, to: Any) -> None:
    rows = [puzzle for puzzle in puzzles[:300] if puzzle not in [BAD, CLASH]]
    run = subprocess.run(
        [program_path(), "convert", "--format", to, "-q"], input="\n".join(rows).replace("0", "."), capture_output=True, text=True
    )
    converted = rapidoku.convert(KINDS[kind][0](rows), to, output="list").puzzle
    end = "\n" if to in ["lines", "sdm", "pencilmarks"] else ""
    text = "".join(text + end for text in converted if text is not None)
    assert text == run.stdout


def test_kinds_of_columns() -> None:
    texts = [PUZZLE, None, "oops", CLASH]
    for column in [texts, pa.array(texts), np.array(texts, dtype=object)]:
        numbers: Any = rapidoku.convert(column, output="numpy").puzzle
        assert numbers.shape == (4, 81)
        assert numbers.any(axis=1).tolist() == [True, False, False, True]
        expected = [PUZZLE, None, None, CLASH]
        assert rapidoku.convert(column, output="arrow")["puzzle"].to_list() == expected
        assert rapidoku.convert(numbers[[0, 3]], output="list").puzzle == [PUZZLE, CLASH]
        assert rapidoku.convert(column, blank="0", output="list").puzzle[0] == PUZZLE.replace(".", "0")
    grids = cells([PUZZLE]).reshape(-1, 9, 9)
    assert rapidoku.convert(grids).puzzle.shape == (1, 9, 9)
    assert rapidoku.convert(grids, "sdk").puzzle[0].startswith("[Puzzle]\n53..7....\n")
    with pytest.raises(rapidoku.InvalidPuzzleError, match="row 1: null"):
        rapidoku.convert(texts, errors="raise")
    with pytest.raises(rapidoku.InvalidPuzzleError, match="row 0: digit 1 twice"):
        rapidoku.convert(texts[3:], errors="raise")
    options: list[tuple[dict[str, Any], str]] = [
        ({"to": "csv"}, "to must be one of lines, "),
        ({"blank": "5"}, "blank must be one of"),
        ({"output": "pandas"}, "output must be"),
    ]
    for option, message in options:
        with pytest.raises(ValueError, match=message):
            rapidoku.convert(texts, **option)


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
    message = "by must be one of symmetry, exact, not 'rotation'"
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
    with pytest.raises(ValueError, match="expected a NumPy array of shape"):
        rapidoku.dedup(np.zeros((3, 80), np.uint8))
    with pytest.raises(OverflowError):
        rapidoku.minimize([PUZZLE], seed=-1)
