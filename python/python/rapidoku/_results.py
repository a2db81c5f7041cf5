"""Results and exceptions, which the extension module makes."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, SupportsIndex, overload

from . import _frames

if TYPE_CHECKING:
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
    GAVE_UP = 5
    """The search reached ``max_guesses`` before it had an answer."""

    def __str__(self) -> str:
        return self.name.lower().replace("_", "-")


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
    MISSING = 1
    """There is no solution."""
    SOLUTION = 2
    """The solution is not a complete grid."""
    CLUE = 3
    """The solution contradicts a clue."""
    HOUSE = 4
    """A row, column or box of the solution lacks a digit."""
    MULTIPLE = 5
    """The puzzle has another solution."""
    GAVE_UP = 6
    """The search for another solution reached ``max_guesses``."""

    def __str__(self) -> str:
        return self.name.lower().replace("_", "-")


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
    Columns: 2 rows
       solutions  status
    0          5  multiple
    1          0  invalid
    >>> solutions, status = checked
    >>> status is checked.status is checked["status"]
    True
    """

    column_names: list[str]
    """The names of the columns."""
    # The words of columns that hold numbers in arrays.
    _words: ClassVar[dict[str, type[IntEnum]]] = {"status": Status, "fault": Fault, "hardest": Technique}

    def __new__(cls, names: Sequence[str], columns: Sequence[Any]) -> Self:
        this = super().__new__(cls, columns)
        this.column_names = list(names)
        return this

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.column_names, tuple(self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self.column_names:
            raise AttributeError(f"no column '{name}', but {', '.join(self.column_names)}")
        return self[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.column_names]

    @overload
    def __getitem__(self, key: SupportsIndex | str) -> Any: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Any, ...]: ...
    def __getitem__(self, key: SupportsIndex | slice | str) -> Any:
        """A column by its name or its number."""
        if not isinstance(key, str):
            return super().__getitem__(key)
        if key not in self.column_names:
            raise KeyError(f"no column '{key}', but {', '.join(self.column_names)}")
        return super().__getitem__(self.column_names.index(key))

    __repr__ = _frames.preview

    def to_pydict(self) -> dict[str, list[Any]]:
        """A dictionary with a list for each column. Numbers of arrays become words, and grids text of 81 characters."""
        return {name: _frames.to_list(self[name], self._words.get(name)) for name in self.column_names}

    to_pandas = _frames.to_pandas
    to_polars = _frames.to_polars
