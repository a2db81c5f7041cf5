"""Results as data frames and as text. All results have ``column_names``, columns by name and ``to_pydict``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum
from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

SHOWN = 5
"""Rows at the start and at the end of a preview."""
WIDTH = 33
"""Characters of a value in a preview."""
GRID_WIDTH = 20
"""The same for grids."""


def to_list(column: Any, words: type[IntEnum] | None) -> list[Any]:
    """The values of a list or an array as those of a list."""
    if isinstance(column, list):
        return column
    if words is not None:
        names = [str(word) for word in words]
        return [names[number] if number >= 0 else None for number in column.tolist()]
    if column.dtype.kind == "b":
        return list(column.tolist())
    if column.ndim == 1:
        return [number if number >= 0 else None for number in column.tolist()]
    text = (column.reshape(-1, 81) + ord("0")).tobytes().decode().replace("0", ".")
    grids = (text[start : start + 81] for start in range(0, len(text), 81))
    return [grid if grid.strip(".") else None for grid in grids]


def to_pydict(table: Any) -> dict[str, list[Any]]:
    """A dictionary with a list for each column."""
    return {name: table[name].to_list() for name in table.column_names}


def to_pandas(result: Any, index: Any = None) -> pd.DataFrame:
    """A pandas data frame with the rows of ``index``, which is that of the frame with the puzzles if rows are to be joined.

    Columns of integers and flags with missing values have the types ``Int64`` and ``boolean``.
    """
    import pandas as pd

    frame = pd.DataFrame(pandas_columns(result), columns=result.column_names)
    return frame if index is None else frame.set_axis(pd.Index(index), axis=0)


def pandas_columns(result: Any) -> dict[str, Any]:
    """The columns. Integers and flags of which some are missing would become floats and objects with the default types."""
    import pandas as pd

    if hasattr(result, "__arrow_c_stream__"):
        try:
            import pyarrow as pa
        except ImportError:
            pass
        else:
            types = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}
            arrays = [pa.array(result[name]) for name in result.column_names]
            series = [array.to_pandas(types_mapper=types.get if array.null_count else None) for array in arrays]
            return dict(zip(result.column_names, series))
    columns = {}
    for name, values in result.to_pydict().items():
        kind = type(next((value for value in values if value is not None), None))
        dtype = {int: "Int64", bool: "boolean"}.get(kind) if None in values else None
        columns[name] = pd.Series(values, dtype=dtype)
    return columns


def to_polars(result: Any) -> pl.DataFrame:
    """A Polars data frame."""
    import polars as pl

    return pl.DataFrame(result if hasattr(result, "__arrow_c_stream__") else result.to_pydict())


def preview(result: Any) -> str:
    """The number of rows, and the first and the last ones."""
    names = result.column_names
    columns = [result[name] for name in names]
    n = len(columns[0]) if columns else 0
    rows = shown(n)
    lines = [f"{type(result).__name__}: {count(n)}"]
    if not rows:
        return f"{lines[0]}, columns {', '.join(names)}"
    cells = [[str(row) for row in rows]]
    cells += [[cell(value) for value in values(result, name, rows)] for name in names]
    right = [all(text.lstrip("-").isdigit() for text in column) for column in cells]
    for heading, column in zip(["", *names], cells):
        column.insert(0, heading)
    widths = [max(map(len, column)) for column in cells]
    for k, line in enumerate(zip(*cells)):
        if rows[-1] >= len(rows) and k == SHOWN + 1:
            lines.append("…")
        parts = [t.rjust(w) if r else t.ljust(w) for t, w, r in zip(line, widths, right)]
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines)


def values(result: Any, name: str, rows: list[int]) -> Iterable[Any]:
    column = result[name]
    if hasattr(column, "dtype"):
        return to_list(column[rows], result._words.get(name))
    return (column[row] for row in rows)


def preview_column(column: Any) -> str:
    """The number of values, and the first and the last ones."""
    n = len(column)
    texts: Iterator[str] = (repr(column[row]) for row in shown(n))
    if n > 2 * SHOWN:
        items = list(texts)
        texts = chain(items[:SHOWN], ["…"], items[SHOWN:])
    return f"ArrowColumn {column.name}: {count(n)} [{', '.join(texts)}]"


def shown(n: int) -> list[int]:
    return list(range(n)) if n <= 2 * SHOWN else [*range(SHOWN), *range(n - SHOWN, n)]


def count(n: int) -> str:
    return "1 row" if n == 1 else f"{n} rows"


def cell(value: object) -> str:
    text = str(value).replace("\n", " ")
    width = GRID_WIDTH if len(text) >= 81 else WIDTH
    return text if len(text) <= width else text[: width - 1] + "…"
