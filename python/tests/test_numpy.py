"""NumPy arrays of every type and layout give the rows of the program."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import rapidoku
from conftest import PUZZLE, SOLUTION, Expected

TYPES = ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", ">i2", ">u8", "longlong"]


def cells(puzzles: list[str]) -> NDArray[np.uint8]:
    """The digits of puzzles, and a row with a 12 for those that are not puzzles."""
    rows = [p if len(p) == 81 else "<" * 81 for p in puzzles]
    text = "".join(rows).replace(".", "0").encode()
    return (np.frombuffer(text, np.uint8) - ord("0")).reshape(-1, 81)


def check(array: NDArray[Any], expected: Expected) -> None:
    result = rapidoku.solve(array, limit=2)
    assert result.solution.shape == array.shape
    assert result.solution.dtype == np.uint8
    solution = ["".join(map(str, row)) for row in result.solution.reshape(-1, 81).tolist()]
    assert solution == [text or "0" * 81 for text in expected.solution]
    assert [str(rapidoku.Status(code)) for code in result.status.tolist()] == expected.status
    assert result.solutions.tolist() == expected.solutions
    assert result.guesses.tolist() == expected.guesses


@pytest.mark.parametrize("dtype", TYPES)
def test_types(sample: Expected, dtype: str) -> None:
    check(cells(sample.puzzles).astype(dtype), sample)


def test_layouts(sample: Expected) -> None:
    flat = cells(sample.puzzles)
    check(flat.reshape(-1, 9, 9), sample)
    check(np.asfortranarray(flat), sample)
    wide = np.zeros((2 * len(flat), 100), np.uint8)
    wide[::2, 7:88] = flat
    check(wide[::2, 7:88], sample)
    check(np.ascontiguousarray(flat[::-1])[::-1], sample)
    check(flat.reshape(-1, 9, 9).transpose(0, 2, 1).copy().transpose(0, 2, 1), sample)
    unaligned = np.frombuffer(b"x" + flat.astype("i4").tobytes(), np.uint8)[1:].view("i4").reshape(-1, 81)
    check(unaligned, sample)
    read_only = flat.copy()
    read_only.setflags(write=False)
    check(read_only, sample)


@pytest.mark.parametrize("dtype", ["u1", "i8"])
def test_integers_that_are_not_cells(dtype: str) -> None:
    array = np.repeat(cells([PUZZLE]), 4, axis=0).astype(dtype)
    array[1, 5] = 10
    array[2, 80] = 255
    if dtype == "i8":
        array[2, 80] = -251
        array[1, 5] = 256
    assert rapidoku.check(array).status.tolist() == [1, 4, 4, 1]
    with pytest.raises(rapidoku.InvalidPuzzleError, match="row 1: r1c6 is not a digit from 0 to 9"):
        rapidoku.check(array, errors="raise")


@pytest.mark.parametrize("dtype", ["u1", "i8"])
def test_masked_cells_are_blanks(dtype: str) -> None:
    array = cells([PUZZLE, SOLUTION, "." * 81]).astype(dtype)
    blanks = array == 0
    # The values under a mask do not count.
    masked = np.ma.array(np.where(blanks, 77, array), mask=blanks)
    plain: list[Any] = list(rapidoku.solve(array, limit=2))
    variants: list[Any] = [masked, masked.reshape(-1, 9, 9), masked[::-1][::-1], np.ma.array(array)]
    for given in variants:
        result = rapidoku.solve(given, limit=2)
        assert type(result.solution) is np.ndarray
        assert result.solution.shape == given.shape
        for got, expected in zip(result, plain, strict=True):
            assert (got.reshape(expected.shape) == expected).all()
    assert rapidoku.check(masked).status.tolist() == [1, 1, 2]
    solutions = np.ma.array(cells([SOLUTION] * 3).astype(dtype), mask=False)
    solutions[1, 2] = np.ma.masked
    verified = rapidoku.verify(masked, solutions)
    assert verified.correct.tolist() == [True, False, True]
    assert verified.reason[1] == "solution: no digit in r1c3"
    assert (rapidoku.permute(masked).puzzle == rapidoku.permute(array).puzzle).all()


def test_shapes_and_types() -> None:
    for shape in [(81,), (2, 80), (9, 9), (2, 3, 27), (1, 1, 9, 9)]:
        with pytest.raises(ValueError, match=r"expected a NumPy array of shape \(N, 81\) or \(N, 9, 9\), not \["):
            rapidoku.solve(np.zeros(shape, np.uint8))
    for dtype in ["f8", "bool", "U1"]:
        message = f"array of integers, or of strings with one dimension, not a NumPy array of {np.dtype(dtype)}"
        with pytest.raises(TypeError, match=message):
            rapidoku.solve(np.zeros((1, 81), dtype))
    assert rapidoku.solve(np.zeros((0, 9, 9), np.uint8)).solution.shape == (0, 9, 9)


def test_other_functions() -> None:
    array = np.concatenate([cells([PUZZLE]), np.full((1, 81), 77, np.uint8)])
    rated = rapidoku.rate(array)
    assert rated.hardest.tolist() == [rapidoku.Technique.HIDDEN_SINGLE, -1]
    assert rated.clues.tolist() == [30, -1]
    assert rated.er[0] == 1.2 and np.isnan(rated.er[1])
    assert rated.singles_only.tolist() == [True, False]
    solutions = np.repeat(cells([SOLUTION]), 2, axis=0)
    verified = rapidoku.verify(array, solutions)
    assert verified.correct.tolist() == [True, False]
    assert verified.fault.tolist() == [-1, rapidoku.Fault.INVALID]
    forms = rapidoku.canon(rapidoku.permute(array[:1].reshape(1, 9, 9), copies=50).puzzle)
    assert len(np.unique(forms.canonical, axis=0)) == 1
    assert forms.canonical.shape == (50, 9, 9)


def test_results_can_be_pickled() -> None:
    result = rapidoku.solve(cells([PUZZLE]))
    copy = pickle.loads(pickle.dumps(result))
    assert type(copy) is type(result)
    assert (copy.solution == result.solution).all()
    assert copy.status.tolist() == result.status.tolist()
