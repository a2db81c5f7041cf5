"""Measures the package against the program: python python/benches/ratios.py PROGRAM FILE...

Each way takes turns with ``PROGRAM bench --limit 2 -j 1`` on the same rows, which goes from text in memory to outcomes in memory.
The median of the ratios of their rates is printed. 1 means that the package is as fast as the program. The lines of a file are
repeated: with fewer rows than the cache has room for, the program would not read memory as the package does. Pin the process to
a core, for example with ``taskset -c 1``. The last line is CPU time with two threads against one, which needs two cores.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

import rapidoku

BATCH = 1 << 16
ROUNDS = 7


def library_rate(program: str, file: str) -> float:
    """Puzzles per second of wall time."""
    command = [program, "bench", "--limit", "2", "-j", "1", "--rounds", "3", "--format", "json", file]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(json.loads(run.stdout)["datasets"][0]["results"][0]["puzzles_per_second"]["median"])


def rate(call: Callable[[], object], rows: int, clock: Callable[[], float] = time.perf_counter) -> float:
    start = clock()
    call()
    return rows / (clock() - start)


def ways(lines: list[str]) -> dict[str, tuple[Callable[[], object], list[str]]]:
    """Calls by name, each with its rows."""
    array: Any = pa.array(lines)
    batches = [array.slice(k, BATCH) for k in range(0, len(lines), BATCH)]
    cells = np.array([list(line.replace(".", "0").encode()) for line in lines], np.uint8) - ord("0")
    million = (lines * -(-1_000_000 // len(lines)))[:1_000_000]
    column: Any = pa.array(million)
    options: dict[str, Any] = {"limit": 2, "threads": 1}
    return {
        "Arrow, batches of 65,536": (lambda: [len(rapidoku.solve(b, **options)) for b in batches], lines),
        "Arrow, one million rows": (lambda: rapidoku.solve(column, **options), million),
        "NumPy, (N, 81)": (lambda: rapidoku.solve(cells, **options), lines),
        "list[str]": (lambda: rapidoku.solve(lines, **options), lines),
    }


def main(program: str, files: list[str]) -> None:
    for file in files:
        lines = [line[:81] for line in open(file).read().split("\n") if len(line) >= 81 and line[0] != "#"]
        lines *= -(-300_000 // len(lines))
        print(f"{file}: {len(lines)} rows")
        for name, (call, rows) in ways(lines).items():
            with tempfile.NamedTemporaryFile("w", suffix=".txt") as same:
                same.writelines(f"{row}\n" for row in rows)
                same.flush()
                call()
                ratios = []
                for _ in range(ROUNDS):
                    library = library_rate(program, same.name)
                    ratios.append(statistics.median(rate(call, len(rows)) for _ in range(3)) / library)
            print(f"  {name:26} {statistics.median(ratios):.2f}  ({min(ratios):.2f} to {max(ratios):.2f})")
        array = pa.array(lines)
        ratios = []
        for _ in range(ROUNDS):
            one, two = (
                rate(lambda: rapidoku.solve(array, limit=2, threads=n), len(lines), time.process_time) for n in (1, 2)
            )
            ratios.append(one / two)
        print(f"  {'CPU time, 2 threads to 1':26} {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
