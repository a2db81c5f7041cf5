"""The recipes of the documents run on a file like many published ones: digits, 0 for blanks, zeros at the start."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

import rapidoku
from conftest import ROOT

DOCUMENTS = ["README.md", "docs/python.md", "python/README.md"]
RECIPES = {
    f"{name}:{text[: match.start()].count(chr(10)) + 1}": match[1]
    for name in DOCUMENTS
    for text in [(ROOT / name).read_text()]
    for match in re.finditer(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
}
ROWS = 300


@pytest.fixture
def csv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table with two duplicates and a bad row, in the current folder."""
    monkeypatch.chdir(tmp_path)
    made = rapidoku.generate(ROWS, seed=5)
    rows = [(puzzle.replace(".", "0"), solution) for puzzle, solution in zip(made.puzzle, made.solution)]
    assert sum(puzzle[0] == "0" for puzzle, _ in rows) > 100
    rows += [*rows[:2], ("0", rows[0][1])]
    path = tmp_path / "sudoku.csv"
    path.write_text("quizzes,solutions\n" + "".join(f"{puzzle},{solution}\n" for puzzle, solution in rows))
    return path


def imported(code: str) -> set[str]:
    nodes = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Import)]
    modules = {alias.name.split(".")[0] for node in nodes for alias in node.names}
    # What the methods of results import.
    return modules | {name for name in ["pandas", "polars"] if f".to_{name}(" in code}


@pytest.mark.parametrize("name", RECIPES)
def test_recipe(name: str, csv: Path) -> None:
    code = RECIPES[name]
    for module in sorted(imported(code) | ({"numpy"} if "numpy" in code else set())):
        pytest.importorskip(module)
    names: dict[str, Any] = {}
    exec(compile(code, name, "exec"), names)

    count = ROWS + 3
    heading = code.splitlines()[0]
    if heading == "# Any file that the program reads":
        assert (names["wrong"][:-1], names["wrong"][-1] is None) == ([None] * (count - 1), False)
    elif heading == "# pandas: new columns":
        assert names["frame"]["status"].tolist() == ["unique"] * (count - 1) + ["invalid"]
        assert names["frame"]["clues"].isna().tolist() == [False] * (count - 1) + [True]
    elif heading == "# Polars: new columns":
        assert names["frame"]["status"].to_list() == ["unique"] * (count - 1) + ["invalid"]
        assert names["frame"]["solution"][:-1].equals(names["frame"]["solutions"][:-1])
    elif heading == "# pyarrow":
        assert names["table"]["status"].to_pylist() == ["unique"] * (count - 1) + ["invalid"]
    elif heading.startswith("# DuckDB"):
        assert sorted(names["counts"]) == [("invalid", 1), ("unique", count - 1)]
    elif heading.startswith("# Training data"):
        assert names["x"].shape == names["y"].shape == (10 * (count - 1), 9, 9)
        assert rapidoku.verify(names["x"], names["y"]).correct.all()
    elif heading.startswith("# Training and test"):
        assert len(names["train"]) + len(names["test"]) == ROWS + 1
        assert 0 < len(names["test"]) < ROWS / 4
    elif heading.startswith("# CSV to Parquet"):
        assert names["pq"].read_table("solved.parquet")["status"].to_pylist().count("unique") == count - 1
    else:
        assert heading == "import rapidoku"
        assert len(names["puzzles"]) == len(names["solved"]) == count


def test_all_libraries_have_recipes() -> None:
    modules = set().union(*map(imported, RECIPES.values()))
    assert modules == {"duckdb", "pandas", "polars", "pyarrow", "rapidoku"}


@pytest.mark.parametrize("reader", ["pandas", "polars", "pyarrow", "duckdb"])
def test_files_that_were_read_as_numbers(reader: str, csv: Path) -> None:
    """Each library without the advice of its recipe: a message that has the type and the advice."""
    library = pytest.importorskip(reader)
    if reader == "pandas":
        column = library.read_csv(csv)["quizzes"]
        if library.__version__.startswith("2."):
            # It keeps numbers of that length as text.
            assert rapidoku.check(column)["status"].to_list() == ["unique"] * (ROWS + 2) + ["invalid"]
            return
    elif reader == "polars":
        column = library.read_csv(csv, schema_overrides=dict.fromkeys(["quizzes", "solutions"], library.Float64))["quizzes"]
    elif reader == "pyarrow":
        column = pytest.importorskip("pyarrow.csv").read_csv(csv)["quizzes"]
    else:
        column = library.sql(f"select quizzes from read_csv('{csv}', types={{'quizzes': 'DOUBLE'}})")
    with pytest.raises(TypeError, match="expected puzzles as text, not .*(int|float)") as raised:
        rapidoku.check(column)
    for advice in ["read_puzzles(path)", "dtype=str", "infer_schema=False", "column_types=", "all_varchar=true"]:
        assert advice in str(raised.value)
