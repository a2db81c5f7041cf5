"""Results and exceptions, which the extension module makes."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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
    """A solving technique, from the simplest. Arrays hold the numbers, and -1 for none.

    >>> str(Technique(4))
    'naked pair'
    """

    NAKED_SINGLE = 0
    HIDDEN_SINGLE = 1
    POINTING = 2
    CLAIMING = 3
    NAKED_PAIR = 4
    HIDDEN_PAIR = 5
    NAKED_TRIPLE = 6
    HIDDEN_TRIPLE = 7
    NAKED_QUAD = 8
    HIDDEN_QUAD = 9
    GUESS = 10

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


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


class SolveLists(NamedTuple):
    solution: list[str | None]
    status: list[str]
    solutions: list[int]
    guesses: list[int]


class SolveArrays(NamedTuple):
    solution: NDArray[np.uint8]
    status: NDArray[np.int8]
    solutions: NDArray[np.int64]
    guesses: NDArray[np.int64]


class CheckLists(NamedTuple):
    status: list[str]


class CheckArrays(NamedTuple):
    status: NDArray[np.int8]


class CountLists(NamedTuple):
    solutions: list[int]
    status: list[str]


class CountArrays(NamedTuple):
    solutions: NDArray[np.int64]
    status: NDArray[np.int8]


class RateLists(NamedTuple):
    status: list[str]
    clues: list[int | None]
    singles_only: list[bool | None]
    hardest: list[str | None]
    guesses: list[int | None]
    backtracks: list[int | None]


class RateArrays(NamedTuple):
    status: NDArray[np.int8]
    clues: NDArray[np.int64]
    singles_only: NDArray[np.bool_]
    hardest: NDArray[np.int8]
    guesses: NDArray[np.int64]
    backtracks: NDArray[np.int64]


class VerifyLists(NamedTuple):
    correct: list[bool]
    fault: list[str | None]
    reason: list[str | None]


class VerifyArrays(NamedTuple):
    correct: NDArray[np.bool_]
    fault: NDArray[np.int8]
    reason: list[str | None]


class CanonLists(NamedTuple):
    canonical: list[str | None]
    automorphisms: list[int | None]
    status: list[str]


class CanonArrays(NamedTuple):
    canonical: NDArray[np.uint8]
    automorphisms: NDArray[np.int64]
    status: NDArray[np.int8]


class DedupLists(NamedTuple):
    first: list[int | None]
    keep: list[bool]


class DedupArrays(NamedTuple):
    first: NDArray[np.int64]
    keep: NDArray[np.bool_]


class OverlapLists(NamedTuple):
    first: list[int | None]
    found: list[bool]


class OverlapArrays(NamedTuple):
    first: NDArray[np.int64]
    found: NDArray[np.bool_]


class MinimizeLists(NamedTuple):
    minimized: list[str | None]
    removed: list[int | None]
    status: list[str]


class MinimizeArrays(NamedTuple):
    minimized: NDArray[np.uint8]
    removed: NDArray[np.int64]
    status: NDArray[np.int8]


class PermuteLists(NamedTuple):
    puzzle: list[str | None]
    solution: list[str | None]


class PermuteArrays(NamedTuple):
    puzzle: NDArray[np.uint8]
    solution: NDArray[np.uint8]


class GenerateLists(NamedTuple):
    puzzle: list[str]
    solution: list[str]


class GenerateArrays(NamedTuple):
    puzzle: NDArray[np.uint8]
    solution: NDArray[np.uint8]


class GenerateGridsLists(NamedTuple):
    solution: list[str]


class GenerateGridsArrays(NamedTuple):
    solution: NDArray[np.uint8]
