"""The jobs for Spark: the same rows as the program, also if a worker or an executor is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import ROOT, SCRIPTS, Rows, program

SPARK_SUBMIT = str(Path(sys.executable).with_name("spark-submit"))
QUIET = ["--conf", "spark.ui.enabled=false", "--conf", "spark.sql.shuffle.partitions=4"]


def submit(master: str, *args: object, **environment: str) -> subprocess.Popen[str]:
    command = [SPARK_SUBMIT, "--master", master, *QUIET, *map(str, args)]
    variables = {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable, **environment}
    # A session of its own, so that none of its processes survives a failed test.
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **variables},
        start_new_session=True,
    )


def finish(job: subprocess.Popen[str]) -> str:
    """Waits for a job and returns its messages."""
    try:
        messages, _ = job.communicate(timeout=300)
    finally:
        if job.poll() is None:
            os.killpg(job.pid, signal.SIGKILL)
    assert job.returncode == 0, messages[-5000:]
    return messages


def descendants(root: int) -> dict[int, str]:
    """The processes that a process has started, directly or not, with their command lines."""
    parents, commands = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
                commands[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    found = {root}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return {pid: commands[pid] for pid in found - {root} if pid in commands}


def kill_one(job: subprocess.Popen[str], is_wanted: Callable[[dict[int, str], int], bool]) -> None:
    """Kills a process of a job once it has worked for a second."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and job.poll() is None:
        processes = descendants(job.pid)
        wanted = [pid for pid in processes if is_wanted(processes, pid)]
        if wanted:
            time.sleep(1)
            try:
                os.kill(wanted[0], signal.SIGKILL)
            except ProcessLookupError:
                continue
            return
        time.sleep(0.05)
    finish(job)
    pytest.fail("there was no process to kill")


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def is_worker(processes: dict[int, str], pid: int) -> bool:
    """Whether it is a child of the daemon that forks a worker for each task."""
    if "pyspark.daemon" not in processes[pid]:
        return False
    try:
        return "pyspark.daemon" in processes.get(parent_of(pid), "")
    except OSError:
        return False


def is_executor(processes: dict[int, str], pid: int) -> bool:
    # Not the shell that starts it.
    return "CoarseGrainedExecutorBackend" in processes[pid] and "java" in processes[pid].split()[0]


@pytest.mark.parametrize(
    ("master", "is_wanted"), [("local[2,4]", is_worker), ("local-cluster[2,1,2048]", is_executor)]
)
def test_a_killed_process_changes_no_row(
    master: str,
    is_wanted: Callable[[dict[int, str], int], bool],
    dataset: str,
    expected: Rows,
    rows_of: Callable[[Path], Rows],
    tmp_path: Path,
) -> None:
    small_batches = ["--conf", "spark.sql.execution.arrow.maxRecordsPerBatch=500"]
    job = submit(master, *small_batches, ROOT / "python/engines/slow_job.py", dataset, tmp_path / "out")
    kill_one(job, is_wanted)
    messages = finish(job)
    assert "Lost task" in messages or "Lost executor" in messages
    assert rows_of(tmp_path / "out") == expected


def test_executors_get_the_package_from_an_archive(
    dataset: str, expected: Rows, rows_of: Callable[[Path], Rows], tmp_path: Path
) -> None:
    archive = os.environ.get("RAPIDOKU_ENVIRONMENT")
    if archive is None:
        pytest.skip("RAPIDOKU_ENVIRONMENT does not name a packed environment")
    options = ["--archives", f"{archive}#environment"]
    environment = {"PYSPARK_PYTHON": "./environment/bin/python"}
    job = submit(
        "local-cluster[2,1,2048]", *options, SCRIPTS / "spark_solve.py", dataset, tmp_path / "out", **environment
    )
    finish(job)
    assert rows_of(tmp_path / "out") == expected


def test_a_leak_check_finds_the_rows_of_the_program(puzzles: list[str], tmp_path: Path) -> None:
    train, half = puzzles[:3000], "\n".join(puzzles[1000:2000])
    copies = program("permute", "--seed", "1", "--copies", "1", "-q", "-", text=half).split("\n")[:-1]
    test = copies + puzzles[5000:7000] + ["oops", "." * 81]
    for name, column in [("train", train), ("test", test)]:
        pq.write_table(pa.table({"puzzle": column, "id": range(len(column))}), tmp_path / f"{name}.parquet")
    files = [tmp_path / f"{name}.parquet" for name in ["train", "test", "leaks"]]
    finish(submit("local[2]", SCRIPTS / "spark_overlap.py", *files))
    leaks = pq.read_table(files[2])
    assert leaks.column_names == ["puzzle", "id"]

    def forms(column: list[str]) -> list[str]:
        text = "\n".join(column)
        by_solution, minlex = (
            program("canon", *options, "-q", "-", text=text).split("\n")[:-1] for options in ([], ["--minlex"])
        )
        return [form or other for form, other in zip(by_solution, minlex, strict=True)]

    known = {form for form in forms(train) if form}
    wanted = [k for k, form in enumerate(forms(test)) if form in known]
    assert sorted(leaks["id"].to_pylist()) == wanted
    assert set(range(900)) & set(wanted)

    (tmp_path / "train.txt").write_text("\n".join(train))
    (tmp_path / "test.txt").write_text("\n".join(test))
    overlap = program("overlap", str(tmp_path / "train.txt"), "--in", str(tmp_path / "test.txt"), "-q")
    assert [int(line.split()[0]) - 1 for line in overlap.splitlines()] == wanted
