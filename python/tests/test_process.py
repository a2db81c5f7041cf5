"""Signals, forks, threads of Python, and processes without NumPy."""

from __future__ import annotations

import faulthandler
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pyarrow as pa
import pytest

import rapidoku
from rapidoku import _rapidoku
from conftest import PUZZLE, SOLUTION

EMPTY = "." * 81
# Functions that prepare a call, and the seconds after which it is interrupted. A long list is copied first, which takes a second, and
# a signal waits for the end of that.
LONG_CALLS: list[tuple[Callable[[], Callable[[], object]], float]] = [
    (lambda: partial(rapidoku.count, [EMPTY], limit=10**15), 0.5),
    (lambda: partial(rapidoku.count, pa.array([EMPTY] * 5000), limit=10**15, threads=2), 0.5),
    (lambda: partial(rapidoku.rate, [EMPTY] * 10_000_000, threads=2), 2.0),
    (lambda: partial(rapidoku.canon, [SOLUTION] * 50_000, minlex=True), 0.5),
    (lambda: partial(rapidoku.generate, 10_000_000), 0.5),
    # No minimal puzzle has so many clues.
    (lambda: partial(rapidoku.generate, 1, clues=60), 0.5),
    (lambda: partial(rapidoku.split, pa.repeat(PUZZLE, 20_000_000), {"train": 100}, threads=1), 0.5),
    (lambda: partial(rapidoku.solve, pa.repeat(PUZZLE, 20_000_000), threads=1), 0.5),
    (lambda: partial(rapidoku.dedup, pa.repeat(PUZZLE, 20_000_000), threads=1), 0.5),
    (lambda: partial(rapidoku.minimize, pa.repeat(SOLUTION, 3_000_000)), 0.5),
]


@pytest.fixture
def sigint() -> Iterator[None]:
    """Python's own handler. A shell ignores SIGINT in the processes that it runs in the background, and Python leaves that."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    # A call that misses the signal would take years.
    faulthandler.dump_traceback_later(60, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("sigint")
@pytest.mark.parametrize(("prepare", "delay"), LONG_CALLS)
def test_ctrl_c(prepare: Callable[[], Callable[[], object]], delay: float) -> None:
    sent = 0.0

    def send() -> None:
        nonlocal sent
        sent = time.monotonic()
        os.kill(os.getpid(), signal.SIGINT)

    call = prepare()
    timer = threading.Timer(delay, send)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
            pytest.fail("the call ended before the signal")
        waited = time.monotonic() - sent
    finally:
        timer.cancel()
        timer.join()
    # 0.2 seconds on an idle machine, of which the time between two looks for signals is 0.05.
    assert waited < (0.2 if os.getloadavg()[0] < 1 else 1.0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_fork() -> None:
    puzzles = [PUZZLE] * 10_000
    assert rapidoku.check(puzzles, threads=2).status == ["unique"] * 10_000
    child = os.fork()
    if child == 0:
        ok = rapidoku.check(puzzles, threads=2).status == ["unique"] * 10_000
        os._exit(0 if ok else 1)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid == child:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the child hangs")


def test_the_gil_is_released() -> None:
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    rapidoku.count([EMPTY] * 4, limit=3_000_000)
    seconds = time.monotonic() - start
    done.set()
    thread.join()
    assert seconds > 0.05
    assert ticks > 50 * seconds


def test_calls_from_several_threads() -> None:
    with ThreadPoolExecutor(4) as pool:
        calls = [pool.submit(rapidoku.solve, [PUZZLE] * n, threads=2) for n in range(4000, 4008)]
    assert [len(call.result().solution) for call in calls] == list(range(4000, 4008))


def test_objects_are_shared_by_threads() -> None:
    """All classes of the extension module."""
    classes = {name for name, value in vars(_rapidoku).items() if isinstance(value, type)}
    assert classes == {"ArrowColumn", "ArrowTable", "Solutions"}

    several = PUZZLE.replace("53", "..").replace("98", "..")
    expected = sorted(rapidoku.solutions(several))
    solutions = rapidoku.solutions(several)
    table = rapidoku.solve(pa.array([PUZZLE] * 1000))
    start = threading.Barrier(8)

    def use() -> list[str]:
        start.wait()
        assert len(pa.table(table)) == len(table) == len(table["status"].to_list()) == 1000
        found = []
        for solution in solutions:
            assert solutions.status in ["solved", "multiple"]
            found.append(solution)
        return found

    faulthandler.dump_traceback_later(60, exit=True)
    with ThreadPoolExecutor(8) as pool:
        found = [call.result() for call in [pool.submit(use) for _ in range(8)]]
    faulthandler.cancel_dump_traceback_later()
    assert sorted(itertools.chain(*found)) == expected
    assert solutions.status == "multiple"


def test_numpy_is_not_needed() -> None:
    code = f"""
import sys
sys.modules["numpy"] = None
import rapidoku
assert rapidoku.solve_one({PUZZLE!r}).solution == {SOLUTION!r}
assert rapidoku.check([{PUZZLE!r}]).status == ["unique"]
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_threads_end_with_their_call() -> None:
    def threads() -> int:
        return len(os.listdir("/proc/self/task")) if os.path.isdir("/proc") else 0

    before = threads()
    for _ in range(20):
        rapidoku.check([PUZZLE] * 20_000, threads=4)
    # The system removes a thread a moment after it has ended.
    deadline = time.monotonic() + 5
    while threads() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threads() <= before
