"""The notebook runs, and its outputs are those of its code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rapidoku

NOTEBOOK = Path(__file__).resolve().parents[1] / "examples" / "clean_dataset.ipynb"


def texts(notebook: Any) -> list[str]:
    """What the cells print, without the spaces by which versions of pandas differ."""
    outputs = [output for cell in notebook["cells"] if cell["cell_type"] == "code" for output in cell["outputs"]]
    printed = [output.get("text") or output["data"]["text/plain"] for output in outputs]
    return [" ".join("".join(text).split()) for text in printed]


# Jupyter's packages warn of what they will change.
@pytest.mark.filterwarnings("default")
def test_notebook(tmp_path: Path) -> None:
    reason = "the notebook needs nbclient, nbformat, ipykernel and matplotlib"
    for module in ["nbformat", "ipykernel", "matplotlib"]:
        pytest.importorskip(module, reason=reason)
    nbclient = pytest.importorskip("nbclient", reason=reason)
    nbformat = pytest.importorskip("nbformat", reason=reason)

    notebook = nbformat.read(NOTEBOOK, as_version=4)
    committed = texts(notebook)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert texts(notebook) == committed
    assert list(tmp_path.iterdir()) == []


def test_the_committed_notebook() -> None:
    text = NOTEBOOK.read_text()
    assert len(text) < 200_000
    for word in ["/home", "/root", "/tmp", "/usr", "Traceback", str(Path(rapidoku.__file__).parent)]:
        assert word not in text
    cells = json.loads(text)["cells"]
    assert [cell["execution_count"] for cell in cells if cell["cell_type"] == "code"] == list(
        range(1, sum(cell["cell_type"] == "code" for cell in cells) + 1)
    )
