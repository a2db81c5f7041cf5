"""A dataset as Parquet, and its rows as the program writes them."""

from __future__ import annotations

import csv
import io
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts" / "cluster"
ADDED = ["solution", "status", "solutions", "guesses"]
# Each file is at least one task.
FILES = 8

Rows = list[tuple[object, ...]]


def program(*args: str, text: str = "") -> str:
    """The output of a command of the program."""
    command = [os.environ["RAPIDOKU"], *args]
    return subprocess.run(command, input=text, capture_output=True, text=True).stdout


@pytest.fixture(scope="session")
def puzzles() -> list[str]:
    """The sample with puzzles of every status, four times, and some rows that are not puzzles."""
    sample = (ROOT / "datasets" / "sample_10k.txt").read_text().split()
    sample[3], sample[4000] = "oops", sample[4000][:80]
    return sample * 4


@pytest.fixture(scope="session")
def dataset(puzzles: list[str], tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("dataset")
    table = pa.table({"id": range(len(puzzles)), "puzzle": puzzles})
    rows = len(puzzles) // FILES
    for k in range(FILES):
        pq.write_table(table.slice(k * rows, rows), folder / f"{k}.parquet")
    return str(folder)


@pytest.fixture(scope="session")
def expected(puzzles: list[str]) -> Rows:
    """The columns id, puzzle, solution, status, solutions and guesses."""
    names = ",".join(ADDED)
    text = program("solve", "--limit", "2", "--format", "csv", "--columns", names, "-q", "-", text="\n".join(puzzles))
    found = csv.DictReader(io.StringIO(text))
    return [
        (k, puzzle, row["solution"] or None, row["status"], int(row["solutions"]), int(row["guesses"]))
        for k, (puzzle, row) in enumerate(zip(puzzles, found, strict=True))
    ]


@pytest.fixture
def rows_of() -> Callable[[Path], Rows]:
    """The rows of a folder of Parquet files, sorted by the column ``id``."""

    def read(folder: Path) -> Rows:
        files = [str(file) for file in folder.glob("*.parquet")]
        table = pa.concat_tables(pq.read_table(file) for file in files).select(["id", "puzzle", *ADDED])
        return list(zip(*(column.to_pylist() for column in table.sort_by("id").columns), strict=True))

    return read
