"""Solves Sudoku puzzles by the million: one puzzle per SIMD lane.

A column of puzzles is one of these; a result has the same kind:

- Arrow strings from pyarrow, Polars, pandas or DuckDB: anything with ``__arrow_c_stream__`` or ``__arrow_c_array__``
  that is an array or a table with one column; and a Series of pandas of any version, with or without pyarrow. The result is
  an :class:`ArrowTable`.
- A list or a NumPy array of ``str`` or ``bytes``. The result is a tuple of lists.
- A NumPy array of integers with shape ``(N, 81)`` or ``(N, 9, 9)``, 0 for blanks. Masked cells are blanks. The result is a
  tuple of arrays.

All results have ``result["name"]``, ``result.to_pandas()``, ``result.to_polars()`` and ``result.to_pydict()``. Columns of
tuples are attributes as well.

A row that is not a puzzle is no error: its status is ``invalid``. With ``errors="raise"`` the first such row raises
:class:`InvalidPuzzleError`. Calls release the GIL, use ``threads`` threads (0 means all cores) and end soon after
Ctrl-C. They may be used after ``os.fork``. An array must not change during a call.
A call that needs more memory than there is raises ``MemoryError``.

>>> import rapidoku
>>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
>>> rapidoku.solve([puzzle, "oops"], limit=2).status
['unique', 'invalid']
"""

from . import _frames
from ._one import solve_one
from ._rapidoku import (
    VERSION as __version__,
    ArrowColumn,
    ArrowTable,
    Solutions,
    canon,
    check,
    convert,
    count,
    dedup,
    explain,
    generate,
    generate_grids,
    minimize,
    overlap,
    permute,
    rate,
    read_puzzles,
    solutions,
    solve,
    split,
    verify,
)
from ._results import Columns, Explanation, Fault, InvalidPuzzleError, Solved, Status, Technique

# Methods that are written in Python.
ArrowTable.__repr__, ArrowColumn.__repr__ = _frames.preview, _frames.preview_column
ArrowTable.to_pandas, ArrowTable.to_polars, ArrowTable.to_pydict = _frames.to_pandas, _frames.to_polars, _frames.to_pydict

enumerate = solutions
"""The name of the command. It is not in ``__all__``, because it would replace the function of Python."""

__all__ = [
    "ArrowColumn",
    "ArrowTable",
    "Columns",
    "Explanation",
    "Fault",
    "InvalidPuzzleError",
    "Solutions",
    "Solved",
    "Status",
    "Technique",
    "__version__",
    "canon",
    "check",
    "convert",
    "count",
    "dedup",
    "explain",
    "generate",
    "generate_grids",
    "minimize",
    "overlap",
    "permute",
    "rate",
    "read_puzzles",
    "solutions",
    "solve",
    "solve_one",
    "split",
    "verify",
]
