"""Batch by batch in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, overload

from ._rapidoku import solve

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._rapidoku import ArrowTable, SolveArrays, SolveLists
    from ._types import TextColumn


@overload
def iter_solve(batches: Iterable[list[str]], **options: Any) -> Iterator[SolveLists]: ...
@overload
def iter_solve(batches: Iterable[NDArray[np.integer[Any]]], **options: Any) -> Iterator[SolveArrays]: ...
@overload
def iter_solve(batches: Iterable[TextColumn], **options: Any) -> Iterator[ArrowTable]: ...
def iter_solve(batches: Iterable[Any], **options: Any) -> Iterator[Any]:
    """Solve batches one by one: a generator with the result of each.

    Memory is bounded by the largest batch. Small batches are slower: each call starts threads.

    Args:
        batches: columns of puzzles as for :func:`solve`, such as the record batches of a
            ``pyarrow.RecordBatchReader`` with one column.
        options: those of :func:`solve`.

    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> [batch.status for batch in iter_solve([[puzzle], [puzzle, "oops"]], limit=2)]
    [['unique'], ['unique', 'invalid']]
    """
    for batch in batches:
        yield solve(batch, **options)
