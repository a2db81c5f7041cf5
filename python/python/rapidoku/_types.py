"""What the functions take."""

from __future__ import annotations

from typing import Any, Protocol, Union


class ArrowStream(Protocol):
    """An object with an Arrow stream: a pyarrow table or chunked array, a Polars or pandas column, a DuckDB relation."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class ArrowArray(Protocol):
    """An object with one Arrow array: a pyarrow array or record batch."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...


class Pandas(Protocol):
    """A Series or a data frame of pandas, which has an Arrow stream in some versions only."""

    @property
    def iloc(self) -> Any: ...


TextColumn = Union[ArrowStream, ArrowArray, Pandas]
"""A column of strings in Arrow: plain, large, view, binary or dictionary; or a table with one such column."""
