"""The scripts for Ray Data and Dask: the same rows as the program."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import SCRIPTS, Rows


@pytest.mark.parametrize(("script", "module"), [("ray_solve.py", "ray"), ("dask_solve.py", "dask")])
def test_rows(
    script: str, module: str, dataset: str, expected: Rows, rows_of: Callable[[Path], Rows], tmp_path: Path
) -> None:
    pytest.importorskip(module)
    command = [sys.executable, str(SCRIPTS / script), dataset, str(tmp_path / "out")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr[-5000:]
    assert rows_of(tmp_path / "out") == expected
