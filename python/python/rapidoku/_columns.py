"""What the extension module reads for a column of pandas or NumPy, and the exceptions for columns of numbers."""

from __future__ import annotations

import sys
from typing import Any


def prepare(column: Any) -> tuple[str, Any]:
    """A kind with its object: ``cells`` in an array of bytes, ``texts`` in a list, the same of a ``series``, or ``arrow``."""
    # Only if a module is imported, an object can be of one of its classes.
    np, pd = sys.modules.get("numpy"), sys.modules.get("pandas")
    if np is not None and isinstance(column, np.ndarray):
        return array(np, column)
    if pd is not None and isinstance(column, (pd.DataFrame, pd.Series, pd.Index)):
        return series(pd, column)
    return "arrow", column


def array(np: Any, cells: Any) -> tuple[str, Any]:
    """Integers with the shape ``(N, 81)`` or ``(N, 9, 9)``, or N strings. Masked cells are blanks, masked strings are missing."""
    found, kind = f"a NumPy array of {cells.dtype}", cells.dtype.kind
    if kind in "USOT" and cells.ndim == 1:
        return "texts", cells.tolist()
    # A single puzzle has the shape (81,).
    if cells.ndim == 1 and (kind not in "iu" or cells.shape != (81,)):
        raise not_text(found)
    if kind not in "iu":
        raise TypeError(
            f"expected a NumPy array of integers, or of strings with one dimension, not {found} with {cells.ndim} dimensions; "
            "array.astype('uint8') converts numbers"
        )
    if cells.shape[1:] not in [(81,), (9, 9)]:
        raise ValueError(f"expected a NumPy array of shape (N, 81) or (N, 9, 9), not {list(cells.shape)}")
    if hasattr(cells, "filled"):
        cells = cells.filled(0)
    if cells.dtype != np.uint8:
        # Negative numbers are large ones. None above 9 is a cell.
        cells = np.minimum(cells.view(cells.dtype.str.replace("i", "u")), 10).astype(np.uint8)
    return "cells", np.ascontiguousarray(cells)


def series(pd: Any, column: Any) -> tuple[str, Any]:
    """A Series, an Index, or a data frame with one column. A Series offers Arrow since pandas 3, and only with pyarrow."""
    name = type(column).__name__
    if isinstance(column, pd.DataFrame):
        if len(column.columns) != 1:
            raise not_one_column(", ".join(map(str, column.columns)))
        column = column.squeeze("columns")
    if getattr(column.dtype, "kind", "O") in "bcfiu":
        raise not_text(f"a pandas {name} of {column.dtype}")
    # Arrow has no type for mixed objects.
    if column.dtype != "object" and hasattr(column, "__arrow_c_stream__"):
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            pass
        else:
            return "arrow", column
    return "series", column.tolist()


def not_one_column(names: str) -> ValueError:
    return ValueError(f"expected a table with one column, not several ({names}); select the column of the puzzles")


def not_text(found: str) -> TypeError:
    """The exception for numbers, which other readers make of puzzles that consist of digits."""
    return TypeError(
        f"expected puzzles as text, not {found}: digits that are read as a number lose zeros and precision. Read the file with "
        "rapidoku.read_puzzles(path), or the column as text: pandas.read_csv(path, dtype=str), polars.read_csv(path, "
        "infer_schema=False), pyarrow.csv.ConvertOptions(column_types={name: pyarrow.string()}), or read_csv(path, "
        "all_varchar=true) in DuckDB"
    )
