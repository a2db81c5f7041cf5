"""Calls for which there is not enough memory raise an exception, and the interpreter goes on."""

from __future__ import annotations

import atexit
import inspect
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import rapidoku
from conftest import PUZZLE, SOLUTION

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the address space")

MIB = 1 << 20
FORMS = ["list", "numpy", "arrow"]

# Functions with memory for each row: a call with a column, its form and its number of rows, and that number. Expensive functions get
# fewer rows, others so many that results are larger than the memory of threads.
CALLS: dict[str, tuple[Callable[[Any, Any, int], object], int]] = {
    "canon": (lambda column, _, __: rapidoku.canon(column), 20_000),
    "check": (lambda column, _, __: rapidoku.check(column), 1_000_000),
    "convert": (lambda column, _, __: rapidoku.convert(column, "grid"), 100_000),
    "count": (lambda column, _, __: rapidoku.count(column), 1_000_000),
    "dedup": (lambda column, _, __: rapidoku.dedup(column, by="exact"), 400_000),
    "generate": (lambda _, form, n: rapidoku.generate(n, output=form), 5000),
    "generate_grids": (lambda _, form, n: rapidoku.generate_grids(n, output=form), 200_000),
    "minimize": (lambda column, _, __: rapidoku.minimize(column), 1000),
    "overlap": (lambda column, _, __: rapidoku.overlap(column, column, by="exact"), 200_000),
    "permute": (lambda column, _, n: rapidoku.permute(column[: n // 4], copies=4), 200_000),
    "rate": (lambda column, _, __: rapidoku.rate(column), 50_000),
    "read_puzzles": (lambda _, form, n: rapidoku.read_puzzles(file_with(n), output=form), 200_000),
    "solve": (lambda column, _, __: rapidoku.solve(column), 400_000),
    "split": (lambda column, _, __: rapidoku.split(column, {"a" * 100: 50, "b": 50}, by="record"), 300_000),
    # Each row has a reason.
    "verify": (lambda column, _, n: rapidoku.verify(column, ["bad"] * n), 100_000),
}
ONE_PUZZLE: dict[str, Callable[[], object]] = {
    "explain": lambda: rapidoku.explain(PUZZLE),
    "solutions": lambda: next(rapidoku.solutions(PUZZLE)),
    "solve_one": lambda: rapidoku.solve_one(PUZZLE),
}


def test_there_is_a_call_of_each_function() -> None:
    names = {name for name in rapidoku.__all__ if inspect.isroutine(getattr(rapidoku, name))}
    assert names == {*CALLS, *ONE_PUZZLE}


def column(form: str, n: int) -> Any:
    """``n`` rows of a solution, in which other puzzles and rows that are not puzzles occur."""
    texts: list[Any] = [SOLUTION, SOLUTION, SOLUTION, PUZZLE, SOLUTION, "oops", SOLUTION, None] * (n // 8)
    if form == "list":
        return texts
    if form == "arrow":
        return pa.array(texts)
    rows = [text if text and len(text) == 81 else "<" * 81 for text in texts[:8]]
    digits = np.frombuffer("".join(rows).replace(".", "0").encode(), np.uint8) - ord("0")
    return np.tile(digits.reshape(8, 81), (n // 8, 1))


def file_with(n: int) -> str:
    """A table with this number of rows. Half of them are not puzzles."""
    path = os.path.join(tempfile.gettempdir(), f"rapidoku-{os.getpid()}-{n}.csv")
    if not os.path.exists(path):
        atexit.register(os.remove, path)
        with open(path, "w") as file:
            file.write("puzzle,solution\n" + f"{PUZZLE},{SOLUTION}\noops,oops\n" * (n // 2))
    return path


def columns(result: Any, form: str) -> list[Any]:
    if isinstance(result, dict):
        return [np.array(str(result))]
    if form == "arrow":
        return [pa.table(result)]
    return [np.array(values) for values in result]


def outcome(call: Callable[[], Any], available: int) -> Any:
    """The result of a call that gets this much more address space than is in use, or ``None`` for a ``MemoryError``."""
    import resource

    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + available, before[1]))
    try:
        return call()
    except MemoryError:
        return None
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def try_limits(name: str, form: str) -> None:
    """Calls a function with limits from no memory to enough memory."""
    function, n = CALLS[name]
    rows = column(form, n)

    def call() -> Any:
        return function(rows, form, n)

    expected = columns(call(), form)
    enough = MIB
    while outcome(call, enough) is None:
        enough *= 2
    assert enough > MIB
    failures = 0
    for k in range(6):
        result = outcome(call, enough * k // 6)
        if result is None:
            failures += 1
        else:
            for got, wanted in zip(columns(result, form), expected, strict=True):
                assert got.equals(wanted) if isinstance(got, pa.Table) else ((got == wanted) | (got != got)).all()
        assert rapidoku.check([PUZZLE] * 300).status == ["unique"] * 300
    assert failures > 0


def in_subprocess(code: str, **environment: str) -> None:
    command = [sys.executable, "-W", "error", "-c", f"from test_memory import *\n{code}"]
    folder = Path(__file__).parent
    environment = {**os.environ, **environment}
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert (run.returncode, run.stderr) == (0, ""), run.stdout


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CALLS)
def test_every_limit(name: str, form: str) -> None:
    in_subprocess(f"try_limits({name!r}, {form!r})")


def test_pickles() -> None:
    in_subprocess("try_pickles()")


def try_pickles() -> None:
    table = rapidoku.solve(column("arrow", 500_000))
    expected = pa.table(table)
    dump = pickle.dumps(table)
    for available in range(0, 200 * MIB, 20 * MIB):
        assert outcome(lambda: pickle.dumps(table), available) in [None, dump]
        copy = outcome(lambda: pickle.loads(dump), available)
        assert copy is None or pa.table(copy).equals(expected)
    assert copy is not None


@pytest.mark.parametrize("name", ONE_PUZZLE)
def test_one_puzzle_without_memory(name: str) -> None:
    in_subprocess(f"try_one_puzzle({name!r})")


def try_one_puzzle(name: str) -> None:
    call = ONE_PUZZLE[name]
    results = [outcome(call, available) for available in range(0, 20 * MIB, MIB)]
    assert results[0] is None
    assert {str(result) for result in results} == {"None", str(call())}


# Many more rows than there is memory for. Nulls take a bit.
HUGE = [
    ("generate(2**40)", "MemoryError"),
    ("generate(2**36, output='numpy')", "MemoryError"),
    ("generate(2**63, output='arrow')", "MemoryError"),
    ("generate(2**64)", "OverflowError"),
    ("generate(1, start=2**64)", "OverflowError"),
    ("generate(2, start=2**64 - 1)", "ValueError"),
    ("generate_grids(2**40)", "MemoryError"),
    ("generate_grids(2**40, output='numpy')", "MemoryError"),
    ("generate_grids(2**64 - 1)", "MemoryError"),
    ("permute([PUZZLE], copies=2**40)", "MemoryError"),
    ("permute([PUZZLE], copies=2**64 - 1)", "MemoryError"),
    ("permute([PUZZLE] * 2, copies=2**63)", "ValueError"),
    ("permute([PUZZLE], copies=2**64)", "OverflowError"),
    *(
        (f"{name}(pa.nulls(2**31))", "MemoryError")
        for name in ["canon", "check", "convert", "count", "dedup", "minimize", "permute", "rate", "solve"]
    ),
    ("split(pa.nulls(2**31), {'train': 100})", "MemoryError"),
    ("generate(2**40, clues=24)", "MemoryError"),
    ("generate(2**64 - 1, unbiased=True)", "MemoryError"),
    ("overlap(pa.nulls(2**31), [])", "MemoryError"),
    ("overlap([], pa.nulls(2**31))", "MemoryError"),
    ("verify(pa.nulls(2**31), pa.nulls(2**31))", "MemoryError"),
    ("check([None] * 2**27)", "MemoryError"),
    ("check(np.broadcast_to(np.uint8(0), (2**33, 81)))", "MemoryError"),
    ("check(np.ma.masked_equal(np.broadcast_to(np.uint8(0), (2**33, 81)), 0))", "MemoryError"),
]


@pytest.mark.parametrize("first", range(4))
def test_huge_numbers_of_rows(first: int) -> None:
    in_subprocess(f"for call, exception in HUGE[{first}::4]: raises(call, exception)")


def raises(call: str, exception: str) -> None:
    import resource

    print(call)
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, before[1]))
    names = {**vars(rapidoku), "np": np, "pa": pa, "PUZZLE": PUZZLE}
    with pytest.raises(Exception) as raised:
        eval(call, names)
    # NumPy has a class of its own.
    assert exception in [kind.__name__ for kind in raised.type.__mro__], raised.value
    # pyarrow keeps the address space of what it has freed: nearly all that the limit allows.
    resource.setrlimit(resource.RLIMIT_AS, before)
    assert rapidoku.solve_one(PUZZLE).solution == SOLUTION
    assert rapidoku.check([PUZZLE] * 300).status == ["unique"] * 300


@pytest.mark.parametrize(("name", "form"), [("canon", "arrow"), ("dedup", "arrow"), ("solve", "arrow"), ("solve", "list")])
def test_twenty_million_rows_in_three_gigabytes(name: str, form: str) -> None:
    rows = "[PUZZLE] * 20_000_000"
    if form == "arrow":
        rows = "pa.repeat(PUZZLE, 20_000_000)"
    in_subprocess(f"raises({f'{name}({rows})'!r}, 'MemoryError')")


def test_many_threads() -> None:
    in_subprocess("too_many_threads()")


def too_many_threads() -> None:
    """Memory for some of the threads."""
    rows = [PUZZLE] * 2_000_000
    assert outcome(lambda: rapidoku.check(rows, threads=400), 1500 * MIB) is None
    assert rapidoku.check(rows[:10_000], threads=4).status == ["unique"] * 10_000


def test_a_thread_that_cannot_be_started() -> None:
    """The size of stacks is more than the address space."""
    code = "with pytest.raises(RuntimeError, match='cannot start a thread'): rapidoku.check([PUZZLE] * 10_000)"
    in_subprocess(f"{code}\nassert rapidoku.solve_one(PUZZLE).solution == SOLUTION", RUST_MIN_STACK=str(1 << 60))
