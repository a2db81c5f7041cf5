"""`read_puzzles` reads what the program reads."""

from __future__ import annotations

import csv
import gzip
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import rapidoku
from conftest import CLASH, PUZZLE, SOLUTION, program_path

ZEROS = PUZZLE.replace(".", "0")


def lines(count: int) -> list[tuple[str, str]]:
    made = rapidoku.generate(count, seed=3)
    return list(zip(made.puzzle, made.solution))


def grid(puzzle: str) -> str:
    return "".join(puzzle[start : start + 9] + "\n" for start in range(0, 81, 9))


@pytest.mark.parametrize("threads", [1, 2, 0])
def test_rows_are_in_order(tmp_path: Path, threads: int) -> None:
    rows = lines(50_000)
    path = tmp_path / "sudoku.csv"
    path.write_text("quizzes,solutions\n" + "".join(f"{p.replace('.', '0')},{s}\n" for p, s in rows))
    read = rapidoku.read_puzzles(path, threads=threads, output="list")
    assert read.puzzle == [puzzle for puzzle, _ in rows]
    assert read.solution == [solution for _, solution in rows]
    assert read.reason == [None] * len(rows)
    arrow = rapidoku.read_puzzles(str(path), threads=threads)
    pa.table(arrow).validate(full=True)
    assert arrow.to_pydict() == read.to_pydict()
    arrays = rapidoku.read_puzzles(path, threads=threads, output="numpy")
    assert arrays.to_pydict() == read.to_pydict()
    assert arrays.puzzle.shape == (len(rows), 81)


FILES: dict[str, bytes] = {
    "lines.txt": f"{PUZZLE}\n".encode(),
    "lines.sdm": f"{ZEROS}\n".encode(),
    "table.csv": f"id,puzzle,solution\n1,{ZEROS},{SOLUTION}\n".encode(),
    "table.tsv": f"question\tanswer\n{PUZZLE}\t{SOLUTION}\n".encode(),
    "objects.jsonl": f'{{"puzzle": "{PUZZLE}", "solution": "{SOLUTION}"}}\n'.encode(),
    "array.json": f'["{PUZZLE}"]'.encode(),
    "grid.sdk": f"[Puzzle]\n{grid(PUZZLE)}".encode(),
    "solved.txt": f"{PUZZLE},{SOLUTION}\n".encode(),
}


@pytest.mark.parametrize("packed", ["", ".gz", ".zip", ".zst"])
@pytest.mark.parametrize("name", FILES)
def test_formats(name: str, packed: str, tmp_path: Path) -> None:
    path = tmp_path / (name + packed)
    if packed == ".gz":
        path.write_bytes(gzip.compress(FILES[name]))
    elif packed == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(name, FILES[name])
    elif packed == ".zst":
        path.write_bytes(pa.compress(FILES[name], codec="zstd", asbytes=True))
    else:
        path.write_bytes(FILES[name])
    solution = SOLUTION if SOLUTION.encode() in FILES[name] else None
    read = rapidoku.read_puzzles(path)
    assert read.to_pydict() == {"puzzle": [PUZZLE], "solution": [solution], "reason": [None]}


@pytest.mark.parametrize("to", ["sdk", "ss", "grid", "pencilmarks", "sdm", "lines"])
def test_what_convert_writes(to: Any, tmp_path: Path) -> None:
    puzzles = [puzzle for puzzle, _ in lines(50)]
    path = tmp_path / "puzzles.txt"
    texts = rapidoku.convert(puzzles, to).puzzle
    end = "\n" if to in ["lines", "sdm", "pencilmarks"] else ""
    text = "".join(text + end for text in texts if text is not None)
    path.write_text(text)
    assert rapidoku.read_puzzles(path)["puzzle"].to_list() == puzzles


def test_arrays_of_numpy(tmp_path: Path) -> None:
    cells = rapidoku.convert([PUZZLE, SOLUTION], output="numpy").puzzle
    np.save(tmp_path / "cells.npy", cells)
    assert rapidoku.read_puzzles(tmp_path / "cells.npy")["puzzle"].to_list() == [PUZZLE, SOLUTION]


def test_records_that_are_not_puzzles(tmp_path: Path) -> None:
    path = tmp_path / "some.csv"
    rows = [f"{PUZZLE},{SOLUTION}", f"{PUZZLE[:80]},12", f"{CLASH},{PUZZLE}", ",", f"{PUZZLE},{SOLUTION},x"]
    path.write_text("\n".join(["puzzle,solution", *rows]))
    read = rapidoku.read_puzzles([path, path], output="list")
    assert read.puzzle == [PUZZLE, PUZZLE[:80], CLASH, None, None] * 2
    assert read.solution[:4] == [SOLUTION, "12", PUZZLE, None]
    reasons = ["too short: 80 cells instead of 81", "digit 1 twice in row 1: r1c1 and r1c2"]
    assert read.reason[:3] == [None, *reasons]
    # A row has a reason if, and only if, it is invalid.
    statuses = rapidoku.check(read.puzzle).status
    assert [reason is not None for reason in read.reason] == [status == "invalid" for status in statuses]
    arrays = rapidoku.read_puzzles(path, output="numpy")
    assert arrays.puzzle.any(axis=1).tolist() == [True, False, True, False, False]
    # Its reasons are those of the program.
    run = subprocess.run([program_path(), "verify", "--format", "csv", "-q", path], capture_output=True, text=True)
    reasons = [row["reason"] for row in csv.DictReader(run.stdout.splitlines())]
    assert rapidoku.verify(read.puzzle[1:3], read.solution[1:3]).reason == reasons[:2]


def test_pencilmarks_that_are_more_than_clues(tmp_path: Path) -> None:
    path = tmp_path / "marks.txt"
    marks = rapidoku.convert([PUZZLE], "pencilmarks").puzzle[0]
    assert marks is not None
    more = "12......." + "123456789" * 80
    path.write_text(f"{marks}\n{more}\n")
    read = rapidoku.read_puzzles(path, output="list")
    assert read.puzzle == [PUZZLE, more]
    assert read.reason[1] == "pencilmarks that no clues stand for"


def test_options(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(f"{SOLUTION};{ZEROS};x\n{SOLUTION};{ZEROS.lstrip('0')};x\n")
    for column, solution_column in [(1, 0)]:
        read = rapidoku.read_puzzles(
            path, column=column, solution_column=solution_column, delimiter=";", no_header=True, input_format="csv"
        )
        assert read.to_pydict()["puzzle"] == [PUZZLE] * 2
        assert read.to_pydict()["solution"] == [SOLUTION] * 2
    path.write_text(f"a,b\n{ZEROS},{ZEROS[::-1]}\n")
    assert rapidoku.read_puzzles(path, column="b")["puzzle"].to_list() == [PUZZLE[::-1]]
    lost = "0" * 3 + ZEROS[3:]
    path.write_text(f"puzzle\n{lost.lstrip('0')}\n")
    assert rapidoku.read_puzzles(path, pad=True)["puzzle"].to_list() == [lost.replace("0", ".")]
    np.save(tmp_path / "from_minus_one.npy", rapidoku.convert([PUZZLE], output="numpy").puzzle.astype(np.int8) - 1)
    read = rapidoku.read_puzzles(tmp_path / "from_minus_one.npy", blank_number=-1)
    assert read["puzzle"].to_list() == [PUZZLE]


def test_errors(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        rapidoku.read_puzzles(tmp_path / "missing.txt")
    assert (raised.value.filename, raised.value.errno) == (str(tmp_path / "missing.txt"), 2)
    with pytest.raises(IsADirectoryError):
        rapidoku.read_puzzles(tmp_path)
    path = tmp_path / "text.csv"
    path.write_text(f"a,b\n{PUZZLE},{PUZZLE}\n")
    for options, match in [
        ({"input_format": "word"}, "input_format must be one of auto, lines, csv"),
        ({"column": "c"}, "no column 'c'"),
        ({"delimiter": "ü"}, "delimiter must be one ASCII character"),
        ({"output": "pandas"}, "output must be"),
    ]:
        arguments: Any = options
        with pytest.raises(ValueError, match=match):
            rapidoku.read_puzzles(path, **arguments)
    number: Any = 7
    for paths in [number, [path, number]]:
        with pytest.raises(TypeError, match="expected str, bytes or os.PathLike object, not int"):
            rapidoku.read_puzzles(paths)
    assert len(rapidoku.read_puzzles([])) == 0


def test_the_program_reads_the_same(tmp_path: Path) -> None:
    path = tmp_path / "sample.txt"
    rows = [*(puzzle for puzzle, _ in lines(2000)), "oops", CLASH]
    path.write_text("\n".join(rows))
    run = subprocess.run([program_path(), "convert", "--format", "lines", "--blank", ".", "-q", path], capture_output=True, text=True)
    read = rapidoku.read_puzzles(path, output="list")
    converted = run.stdout.splitlines()
    assert (read.puzzle[:2000], read.puzzle[2001:]) == (converted[:2000], converted[2001:])
    assert (read.puzzle[2000], rapidoku.check(converted[2000:]).status) == ("oops", ["invalid"] * 2)
