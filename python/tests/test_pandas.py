"""Columns of pandas 2 and 3, with and without pyarrow, and arrays of strings."""

from __future__ import annotations

from typing import Any

import pytest

import rapidoku
from conftest import CLASH, PUZZLE, SOLUTION

np: Any = pytest.importorskip("numpy")
pd: Any = pytest.importorskip("pandas")

DTYPES = ["object", "str", "string", "string[python]", "string[pyarrow]", "category"]
COLUMNS: dict[str, Any] = {
    "Series": pd.Series,
    "slice": lambda values, dtype: pd.Series(["x", *values, "y"], dtype=dtype)[1:-1],
    "Index": lambda values, dtype: pd.Index(values, dtype=dtype),
    "DataFrame": lambda values, dtype: pd.DataFrame({"quizzes": pd.Series(values, dtype=dtype)}),
}


def column(kind: str, dtype: str, values: list[Any]) -> Any:
    if dtype == "string[pyarrow]":
        pytest.importorskip("pyarrow")
    return COLUMNS[kind](values, dtype=dtype)


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_columns(kind: str, dtype: str) -> None:
    puzzles = column(kind, dtype, [PUZZLE, "oops", CLASH, PUZZLE.replace(".", "0")])
    result = rapidoku.solve(puzzles, limit=2)
    assert type(result) is rapidoku.ArrowTable
    assert result.to_pydict() == {
        "solution": [SOLUTION, None, None, SOLUTION],
        "status": ["unique", "invalid", "invalid", "unique"],
        "solutions": [1, 0, 0, 1],
        "guesses": [0, 0, 0, 0],
    }
    assert rapidoku.dedup(puzzles).to_pydict()["first"] == [0, None, 2, 0]


@pytest.mark.parametrize("dtype", ["object", "string", "category"])
@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_missing_values(dtype: str, missing: Any) -> None:
    puzzles = pd.Series([PUZZLE, missing], dtype=dtype)
    assert rapidoku.check(puzzles).to_pydict() == {"status": ["unique", "invalid"]}
    values = puzzles.tolist()
    assert rapidoku.check(values).status == ["unique", "invalid"]


def test_frames_keep_their_index() -> None:
    frame = pd.DataFrame({"quizzes": ["oops", PUZZLE, CLASH]}, index=[7, 3, 5])[1:]
    joined = frame.join(rapidoku.rate(frame["quizzes"]).to_pandas(index=frame.index))
    assert joined.index.tolist() == [3, 5]
    assert joined["status"].tolist() == ["unique", "invalid"]
    assert rapidoku.solve(frame["quizzes"]).to_pandas()["solutions"].dtype == "int64"
    assert joined["clues"].dtype == "Int64"
    assert joined["er"].dtype == "float64"
    assert joined["singles_only"].dtype == "boolean"
    assert joined["er"].isna().tolist() == [False, True]
    assert joined["hardest"].isna().tolist() == [False, True]


@pytest.mark.parametrize("dtype", ["int64", "uint8", "float64", "bool", "Int64", "Float64", "int64[pyarrow]"])
@pytest.mark.parametrize("kind", ["Series", "Index", "DataFrame"])
def test_numbers(kind: str, dtype: str) -> None:
    if dtype == "int64[pyarrow]":
        pytest.importorskip("pyarrow")
    name = "Series" if kind == "DataFrame" else kind
    with pytest.raises(TypeError, match=r"expected puzzles as text, not a pandas \w+ of .*pandas.read_csv\(path, dtype=str\)") as raised:
        rapidoku.solve(column(kind, dtype, [1, 0]))
    assert f"pandas {kind if kind == 'DataFrame' else name} of {pd.Series([1], dtype=dtype).dtype}" in str(raised.value)


def test_long_integers() -> None:
    """pandas 2 makes these of digits; Arrow has no type for them."""
    integers = pd.Series([int(SOLUTION), None], dtype=object)
    for numbers in [integers, integers.tolist(), integers.to_numpy(), [1.5], [np.int64(7)]]:
        with pytest.raises(TypeError, match="not .*(int|float|int64) in row 0: .*read_puzzles"):
            rapidoku.solve(numbers)


def test_other_values() -> None:
    with pytest.raises(TypeError, match="expected str, not list in row 0"):
        rapidoku.solve(pd.Series([["nested"]]))
    with pytest.raises(TypeError, match="Timestamp|row 0"):
        rapidoku.solve(pd.Series(pd.to_datetime(["2026-01-01"])))
    with pytest.raises(ValueError, match=r"one column, not several \(quizzes, 1\); select the column"):
        rapidoku.solve(pd.DataFrame({"quizzes": [PUZZLE], 1: [PUZZLE]}))


@pytest.mark.parametrize("dtype", ["U", "S", "O", "T"])
def test_arrays_of_strings(dtype: str) -> None:
    if dtype == "T" and not hasattr(np.dtypes, "StringDType"):
        pytest.skip("NumPy 1 has no strings of any length")
    puzzles = np.array([PUZZLE, "oops", CLASH], dtype="S" if dtype == "S" else dtype)
    result = rapidoku.check(puzzles)
    assert result.status == ["unique", "invalid", "invalid"]
    assert rapidoku.check(puzzles[::-1]).status == ["invalid", "invalid", "unique"]
    assert rapidoku.check(np.array([], dtype=dtype)).status == []
    with pytest.raises(TypeError, match="or of strings with one dimension, not a NumPy array of .* with 2 dimensions"):
        rapidoku.check(puzzles.reshape(1, 3))


def test_masked_strings_are_missing() -> None:
    masked = np.ma.array([PUZZLE, PUZZLE], mask=[False, True])
    assert rapidoku.check(masked).status == ["unique", "invalid"]


@pytest.mark.parametrize("dtype", ["int64", "uint64", "float64", "bool", "complex128"])
def test_arrays_of_numbers_with_one_dimension(dtype: str) -> None:
    with pytest.raises(TypeError, match=f"not a NumPy array of {dtype}: .*read_puzzles"):
        rapidoku.solve(np.ones(5, dtype))


def test_arrays_of_floats() -> None:
    with pytest.raises(TypeError, match=r"not a NumPy array of float64 with 2 dimensions; array.astype\('uint8'\)"):
        rapidoku.solve(np.ones((5, 81)))
