"""Puzzles of every status, and what the program says about them."""

from __future__ import annotations

import csv
import io
import os
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
CLASH = "11" + "." * 79


class Expected(NamedTuple):
    """Lines of a file, and the columns of ``rapidoku solve --limit 2`` for them."""

    puzzles: list[str]
    solution: list[str | None]
    status: list[str]
    solutions: list[int]
    guesses: list[int]


def program_path() -> str:
    """The program to compare with. Skips the test if there is none."""
    path = os.environ.get("RAPIDOKU")
    if path is None:
        pytest.skip("RAPIDOKU does not name the program to compare with")
    return path


def program(arguments: list[str], puzzles: list[str]) -> list[dict[str, str]]:
    """The rows that the program writes as CSV for these lines."""
    command = [program_path(), *arguments, "--format", "csv", "-q"]
    run = subprocess.run(command, input="\n".join(puzzles), capture_output=True, text=True)
    rows = list(csv.DictReader(io.StringIO(run.stdout)))
    assert rows, run.stderr
    return rows


@pytest.fixture(scope="session")
def sample() -> Expected:
    """The sample with 10,000 puzzles of every status, and some that are not puzzles."""
    puzzles = (ROOT / "datasets" / "sample_10k.txt").read_text().split()
    for row, text in [(3, "oops"), (4000, PUZZLE[:80]), (9999, PUZZLE + "1")]:
        puzzles[row] = text
    rows = program(["solve", "--limit", "2", "--columns", "solution,status,solutions,guesses", "-"], puzzles)
    assert len(rows) == len(puzzles)
    return Expected(
        puzzles,
        [row["solution"] if int(row["solutions"]) else None for row in rows],
        [row["status"] for row in rows],
        [int(row["solutions"]) for row in rows],
        [int(row["guesses"]) for row in rows],
    )
