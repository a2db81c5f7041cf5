"""The examples in docstrings, and that everything has a docstring and a type."""

from __future__ import annotations

import ast
import doctest
import inspect
import runpy
from pathlib import Path

import pytest

import rapidoku
from conftest import ROOT
from rapidoku import _one, _rapidoku, _results

MODULES = {"": rapidoku, "_one": _one, "_rapidoku": _rapidoku, "_results": _results}


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    failed, attempted = doctest.testmod(MODULES[name])
    assert failed == 0
    assert attempted > (20 if name == "_rapidoku" else 0)


def test_everything_public_is_documented() -> None:
    for name in rapidoku.__all__:
        if name != "__version__":
            assert inspect.getdoc(getattr(rapidoku, name)), name


def test_the_stub_is_that_of_the_table() -> None:
    table = runpy.run_path(str(ROOT / "python" / "stubs.py"))
    assert Path(_rapidoku.__file__).with_name("_rapidoku.pyi").read_text() == table["stub"]()


def test_the_stub_has_the_parameters_of_each_function() -> None:
    stub = ast.parse(Path(_rapidoku.__file__).with_name("_rapidoku.pyi").read_text())
    functions = [node for node in stub.body if isinstance(node, ast.FunctionDef) and node.name != "unpickle"]
    assert {node.name for node in functions} == {n for n in dir(_rapidoku) if n.islower() and n[0] != "_"} - {"unpickle"}
    for node in functions:
        parameters = inspect.signature(getattr(_rapidoku, node.name)).parameters
        assert [a.arg for a in node.args.args + node.args.kwonlyargs] == list(parameters), node.name
        pairs = zip(node.args.kwonlyargs, node.args.kw_defaults)
        defaults = {arg.arg: ast.literal_eval(default) for arg, default in pairs if default}
        assert defaults == {name: parameters[name].default for name in defaults}, node.name
