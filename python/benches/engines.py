"""Measures what solving adds to a job of Spark, Ray or Dask: the same job with and without it, from Parquet to Parquet.

    python python/benches/engines.py [ROWS [ROUNDS]]

Prints the CPU and wall time of whole jobs, in turns, and the median of the ratios of CPU time.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import rapidoku

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
FILES = 16


def spark(solves: bool, source: str, target: str) -> None:
    from pyspark.sql import SparkSession
    from spark_solve import solve

    def same(batches: Iterable) -> Iterator:
        yield from batches

    session = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", False).getOrCreate()
    puzzles = session.read.parquet(source)
    frame = solve(puzzles, "puzzle", 2) if solves else puzzles.mapInArrow(same, puzzles.schema)
    frame.write.parquet(target)


def ray(solves: bool, source: str, target: str) -> None:
    import ray
    from ray_solve import solve

    ray.init(num_cpus=2, include_dashboard=False, runtime_env={"env_vars": {"PYTHONPATH": str(ROOT / "scripts")}})
    job = solve if solves else lambda table: table
    puzzles = ray.data.read_parquet(source)
    puzzles.map_batches(job, batch_format="pyarrow", batch_size=None).write_parquet(target)


def dask(solves: bool, source: str, target: str) -> None:
    import dask.dataframe as dd
    from dask.distributed import Client
    from dask_solve import solve

    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None):
        puzzles = dd.read_parquet(source)
        frame = puzzles.map_partitions(solve if solves else lambda frame: frame)
        frame.to_parquet(target, write_index=False)


JOBS = {"spark": spark, "ray": ray, "dask": dask}


class Watch(threading.Thread):
    """The CPU time of all processes with a mark in their environment, also of those that outlive their parents.

    The times that the system keeps for ended children are not enough: Ray's processes do not wait for theirs. So the
    processes are looked at ten times a second.
    """

    def __init__(self, mark: str) -> None:
        super().__init__(daemon=True)
        self.mark = mark.encode()
        self.ticks: dict[tuple[str, str], int] = {}
        self.alive = 0
        self.ended = threading.Event()

    def look(self) -> None:
        alive = 0
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if self.mark not in (process / "environ").read_bytes():
                    continue
                # The name of the program, in parentheses, may contain spaces.
                fields = (process / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            alive += 1
            user, system, start = fields[11], fields[12], fields[19]
            self.ticks[process.name, start] = int(user) + int(system)
        self.alive = alive

    def run(self) -> None:
        while not self.ended.wait(0.1):
            self.look()

    def seconds(self) -> float:
        return sum(self.ticks.values()) / os.sysconf("SC_CLK_TCK")


def measure(engine: str, solves: bool, source: str) -> tuple[float, float]:
    """CPU and wall time in seconds of a job in a process of its own, with everything that the engine starts."""
    mark = f"RAPIDOKU_JOB={uuid.uuid4()}"
    watch = Watch(mark)
    with tempfile.TemporaryDirectory() as folder:
        command = ["env", mark, sys.executable, __file__, engine, str(int(solves)), source, folder + "/out"]
        start = time.perf_counter()
        watch.start()
        subprocess.run(
            command,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYSPARK_PYTHON": sys.executable},
        )
        wall = time.perf_counter() - start
        deadline = time.monotonic() + 60
        while watch.alive and time.monotonic() < deadline:
            time.sleep(0.1)
        watch.ended.set()
        watch.join()
    return watch.seconds(), wall


def main(rows: int = 1_000_000, rounds: int = 3) -> None:
    sample = (ROOT / "datasets" / "sample_10k.txt").read_text().split()
    with tempfile.TemporaryDirectory() as source:
        # All rows differ, as in a real set: Parquet stores equal rows once, so that reading and writing them is cheap.
        copies = rapidoku.permute(pa.array(sample), copies=rows // len(sample), seed=1)
        table = pa.table({"puzzle": pa.table(copies)["puzzle"]})
        for k in range(FILES):
            part = table.slice(k * len(table) // FILES, len(table) // FILES)
            pq.write_table(part, f"{source}/{k}.parquet", use_dictionary=False, compression="zstd")
        for engine in JOBS:
            ratios = []
            for _ in range(rounds):
                times = [measure(engine, solves, source) for solves in (False, True)]
                ratios.append(times[1][0] / times[0][0])
                print(engine, *(f"{name}: CPU {cpu:.1f} s, wall {wall:.1f} s;" for name, (cpu, wall) in zip(["identity", "solve"], times)))
            print(f"{engine}: solve / identity = {statistics.median(ratios):.2f} of CPU time", flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 5:
        JOBS[sys.argv[1]](sys.argv[2] == "1", *sys.argv[3:])
    else:
        main(*map(int, sys.argv[1:]))
