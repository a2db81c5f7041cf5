"""Results and exceptions, which the extension module makes."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from enum import IntEnum
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, SupportsIndex, overload

from . import _frames

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import polars as pl
    from numpy.typing import NDArray
    from typing_extensions import Self


class Status(IntEnum):
    """The verdict on a puzzle. Arrays hold the numbers; Arrow and lists hold the words, which are ``str(status)``.

    >>> Status(1), str(Status.UNIQUE)
    (<Status.UNIQUE: 1>, 'unique')
    """

    SOLVED = 0
    """A solution was found, and the search stopped there (``limit=1``). There may be others."""
    UNIQUE = 1
    """There is exactly one solution."""
    MULTIPLE = 2
    """There are at least two solutions."""
    NONE = 3
    """There is no solution."""
    INVALID = 4
    """The row is not a puzzle, or its clues clash."""
    LIMIT = 5
    """The search reached ``max_guesses`` before it had an answer."""

    def __str__(self) -> str:
        return self.name.lower()


class Technique(IntEnum):
    """A solving technique, in the order in which :func:`rapidoku.rate` tries them. Arrays hold the numbers, and -1 for none.

    >>> str(Technique.X_WING)
    'X-wing'
    """

    HIDDEN_SINGLE = 0
    DIRECT_LOCKED_CANDIDATES = 1
    DIRECT_HIDDEN_PAIR = 2
    NAKED_SINGLE = 3
    DIRECT_HIDDEN_TRIPLET = 4
    LOCKED_CANDIDATES = 5
    NAKED_PAIR = 6
    X_WING = 7
    HIDDEN_PAIR = 8
    NAKED_TRIPLET = 9
    SWORDFISH = 10
    HIDDEN_TRIPLET = 11
    XY_WING = 12
    XYZ_WING = 13
    UNIQUE_LOOP = 14
    NAKED_QUAD = 15
    JELLYFISH = 16
    HIDDEN_QUAD = 17
    BIVALUE_UNIVERSAL_GRAVE = 18
    ALIGNED_PAIR_EXCLUSION = 19
    FORCING_CHAIN = 20
    ALIGNED_TRIPLET_EXCLUSION = 21
    NISHIO = 22
    MULTIPLE_FORCING_CHAIN = 23
    DYNAMIC_FORCING_CHAIN = 24
    DYNAMIC_FORCING_CHAIN_PLUS = 25
    NESTED_FORCING_CHAIN_2 = 26
    NESTED_FORCING_CHAIN_3 = 27
    NESTED_FORCING_CHAIN_4 = 28
    NESTED_FORCING_CHAIN_5 = 29

    def __str__(self) -> str:
        return _TECHNIQUES[self]


_TECHNIQUES = [
    "hidden single",
    "direct locked candidates",
    "direct hidden pair",
    "naked single",
    "direct hidden triplet",
    "locked candidates",
    "naked pair",
    "X-wing",
    "hidden pair",
    "naked triplet",
    "swordfish",
    "hidden triplet",
    "XY-wing",
    "XYZ-wing",
    "unique loop",
    "naked quad",
    "jellyfish",
    "hidden quad",
    "bivalue universal grave",
    "aligned pair exclusion",
    "forcing chain",
    "aligned triplet exclusion",
    "Nishio",
    "multiple forcing chain",
    "dynamic forcing chain",
    "dynamic forcing chain plus",
    "nested forcing chain 2",
    "nested forcing chain 3",
    "nested forcing chain 4",
    "nested forcing chain 5",
]


class Fault(IntEnum):
    """The kind of error that :func:`rapidoku.verify` found. Arrays hold the numbers, and -1 for none."""

    INVALID = 0
    """The row is not a puzzle."""
    SOLUTION = 1
    """The solution is not a complete grid."""
    CLUE = 2
    """The solution contradicts a clue."""
    HOUSE = 3
    """A row, column or box of the solution lacks a digit."""
    MULTIPLE = 4
    """The puzzle has another solution."""
    LIMIT = 5
    """The search for another solution reached ``max_guesses``."""

    def __str__(self) -> str:
        return self.name.lower()


class InvalidPuzzleError(ValueError):
    """A row is not a puzzle, or its clues clash; raised with ``errors="raise"``."""

    row: int
    """The index of the first such row, from 0."""
    reason: str
    """What is wrong with it."""

    def __init__(self, row: int, reason: str) -> None:
        super().__init__(row, reason)
        self.row = row
        self.reason = reason

    def __str__(self) -> str:
        return f"row {self.row}: {self.reason}"


class Solved(NamedTuple):
    """The outcome of one puzzle."""

    solution: str | None
    status: str
    solutions: int
    guesses: int


class Explanation(NamedTuple):
    """Why a puzzle has its status."""

    status: str
    text: str
    details: dict[str, Any]


class Columns(tuple[Any, ...]):
    """A result for a list or for arrays: a tuple of columns, which are attributes as well, and are found by name.

    >>> import rapidoku
    >>> checked = rapidoku.count(["." * 81, "oops"], limit=5)
    >>> checked
    CountLists: 2 rows
       solutions  status
    0          5  multiple
    1          0  invalid
    >>> solutions, status = checked
    >>> status is checked.status is checked["status"]
    True
    """

    _fields: ClassVar[tuple[str, ...]]
    # The words of columns that hold numbers in arrays.
    _words: ClassVar[dict[str, type[IntEnum]]] = {"status": Status, "fault": Fault, "hardest": Technique}

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(inspect.get_annotations(cls))
        for k, name in enumerate(cls._fields):
            setattr(cls, name, property(itemgetter(k)))

    def __new__(cls, *columns: Sequence[Any]) -> Self:
        if len(columns) != len(cls._fields):
            raise TypeError(f"{cls.__name__} has the columns {', '.join(cls._fields)}")
        return super().__new__(cls, columns)

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)

    @overload
    def __getitem__(self, key: SupportsIndex | str) -> Any: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Any, ...]: ...
    def __getitem__(self, key: SupportsIndex | slice | str) -> Any:
        """A column by its name or its number."""
        if not isinstance(key, str):
            return super().__getitem__(key)
        if key not in self._fields:
            raise KeyError(f"no column '{key}', but {', '.join(self._fields)}")
        return super().__getitem__(self._fields.index(key))

    def __repr__(self) -> str:
        return _frames.preview(self)

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        return list(self._fields)

    def to_pydict(self) -> dict[str, list[Any]]:
        """A dictionary with a list for each column. Numbers of arrays become words, and grids text of 81 characters."""
        return {name: _frames.to_list(self[name], self._words.get(name)) for name in self._fields}

    def to_pandas(self, index: Any = None) -> pd.DataFrame:
        """A pandas data frame with the rows of ``index``, as :meth:`ArrowTable.to_pandas` makes it."""
        return _frames.to_pandas(self, index)

    def to_polars(self) -> pl.DataFrame:
        """A Polars data frame."""
        return _frames.to_polars(self)


class SolveLists(Columns):
    solution: list[str | None]
    status: list[str]
    solutions: list[int]
    guesses: list[int]


class SolveArrays(Columns):
    solution: NDArray[np.uint8]
    status: NDArray[np.int8]
    solutions: NDArray[np.int64]
    guesses: NDArray[np.int64]


class CheckLists(Columns):
    status: list[str]


class CheckArrays(Columns):
    status: NDArray[np.int8]


class CountLists(Columns):
    solutions: list[int]
    status: list[str]


class CountArrays(Columns):
    solutions: NDArray[np.int64]
    status: NDArray[np.int8]


class RateLists(Columns):
    status: list[str]
    clues: list[int | None]
    er: list[float | None]
    ep: list[float | None]
    ed: list[float | None]
    hardest: list[str | None]
    singles_only: list[bool | None]


class RateArrays(Columns):
    status: NDArray[np.int8]
    clues: NDArray[np.int64]
    er: NDArray[np.float64]
    ep: NDArray[np.float64]
    ed: NDArray[np.float64]
    hardest: NDArray[np.int8]
    singles_only: NDArray[np.bool_]


class VerifyLists(Columns):
    correct: list[bool]
    fault: list[str | None]
    reason: list[str | None]


class VerifyArrays(Columns):
    correct: NDArray[np.bool_]
    fault: NDArray[np.int8]
    reason: list[str | None]


class CanonLists(Columns):
    canonical: list[str | None]
    automorphisms: list[int | None]
    status: list[str]


class CanonArrays(Columns):
    canonical: NDArray[np.uint8]
    automorphisms: NDArray[np.int64]
    status: NDArray[np.int8]


class DedupLists(Columns):
    first: list[int | None]
    keep: list[bool]


class DedupArrays(Columns):
    first: NDArray[np.int64]
    keep: NDArray[np.bool_]


class OverlapLists(Columns):
    first: list[int | None]
    found: list[bool]


class OverlapArrays(Columns):
    first: NDArray[np.int64]
    found: NDArray[np.bool_]


class MinimizeLists(Columns):
    minimized: list[str | None]
    removed: list[int | None]
    status: list[str]


class MinimizeArrays(Columns):
    minimized: NDArray[np.uint8]
    removed: NDArray[np.int64]
    status: NDArray[np.int8]


class PermuteLists(Columns):
    puzzle: list[str | None]
    solution: list[str | None]


class PermuteArrays(Columns):
    puzzle: NDArray[np.uint8]
    solution: NDArray[np.uint8]


class GenerateLists(Columns):
    puzzle: list[str]
    solution: list[str]


class GenerateArrays(Columns):
    puzzle: NDArray[np.uint8]
    solution: NDArray[np.uint8]


class GenerateGridsLists(Columns):
    solution: list[str]


class GenerateGridsArrays(Columns):
    solution: NDArray[np.uint8]


class ReadLists(Columns):
    puzzle: list[str | None]
    solution: list[str | None]
    reason: list[str | None]


class ReadArrays(Columns):
    puzzle: NDArray[np.uint8]
    solution: NDArray[np.uint8]
    reason: list[str | None]


class ConvertLists(Columns):
    puzzle: list[str | None]


class ConvertArrays(Columns):
    puzzle: Any
    """Cells, or a list of texts of another format than lines."""


class SplitLists(Columns):
    part: list[str]


class SplitArrays(Columns):
    part: list[str]


class SampleLists(Columns):
    keep: list[bool]


class SampleArrays(Columns):
    keep: NDArray[np.bool_]
