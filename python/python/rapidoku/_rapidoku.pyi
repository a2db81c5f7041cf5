from collections.abc import Sequence
from typing import Any, Literal, final, overload

import numpy as np
from numpy.typing import NDArray

from ._results import (
    CanonArrays,
    CanonLists,
    CheckArrays,
    CheckLists,
    CountArrays,
    CountLists,
    DedupArrays,
    DedupLists,
    Explanation,
    GenerateArrays,
    GenerateGridsArrays,
    GenerateGridsLists,
    GenerateLists,
    MinimizeArrays,
    MinimizeLists,
    OverlapArrays,
    OverlapLists,
    PermuteArrays,
    PermuteLists,
    RateArrays,
    RateLists,
    SolveArrays,
    Solved,
    SolveLists,
    VerifyArrays,
    VerifyLists,
)
from ._types import ArrowColumn

VERSION: str

_List = list[str] | list[str | None] | tuple[str, ...]
_Array = NDArray[np.integer[Any]]
_Errors = Literal["status", "raise"]
_By = Literal["symmetry", "exact"]

@final
class ArrowTable:
    @property
    def column_names(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Solutions:
    @property
    def status(self) -> str: ...
    def __iter__(self) -> Solutions: ...
    def __next__(self) -> str: ...

def solve_one(puzzle: str, *, limit: int = 1, max_guesses: int | None = None) -> Solved: ...
def enumerate(puzzle: str, *, limit: int | None = None, max_guesses: int | None = None) -> Solutions: ...
def explain(puzzle: str, *, max_guesses: int | None = None) -> Explanation: ...
def unpickle(fields: Sequence[Any], batches: Sequence[Any]) -> ArrowTable: ...
@overload
def solve(
    puzzles: _List,
    *,
    limit: int = 1,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> SolveLists: ...
@overload
def solve(
    puzzles: _Array,
    *,
    limit: int = 1,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> SolveArrays: ...
@overload
def solve(
    puzzles: ArrowColumn,
    *,
    limit: int = 1,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> ArrowTable: ...
@overload
def check(
    puzzles: _List,
    *,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> CheckLists: ...
@overload
def check(
    puzzles: _Array,
    *,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> CheckArrays: ...
@overload
def check(
    puzzles: ArrowColumn,
    *,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> ArrowTable: ...
@overload
def count(
    puzzles: _List,
    *,
    limit: int = 1_000_000,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> CountLists: ...
@overload
def count(
    puzzles: _Array,
    *,
    limit: int = 1_000_000,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> CountArrays: ...
@overload
def count(
    puzzles: ArrowColumn,
    *,
    limit: int = 1_000_000,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> ArrowTable: ...
@overload
def rate(
    puzzles: _List,
    *,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> RateLists: ...
@overload
def rate(
    puzzles: _Array,
    *,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> RateArrays: ...
@overload
def rate(
    puzzles: ArrowColumn,
    *,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> ArrowTable: ...
@overload
def verify(
    puzzles: _List,
    solutions: _List | _Array | ArrowColumn,
    *,
    unique: bool = False,
    max_guesses: int | None = None,
    threads: int = 0,
    dictionary: bool = False,
) -> VerifyLists: ...
@overload
def verify(
    puzzles: _Array,
    solutions: _List | _Array | ArrowColumn,
    *,
    unique: bool = False,
    max_guesses: int | None = None,
    threads: int = 0,
    dictionary: bool = False,
) -> VerifyArrays: ...
@overload
def verify(
    puzzles: ArrowColumn,
    solutions: _List | _Array | ArrowColumn,
    *,
    unique: bool = False,
    max_guesses: int | None = None,
    threads: int = 0,
    dictionary: bool = False,
) -> ArrowTable: ...
@overload
def canon(
    puzzles: _List,
    *,
    minlex: bool = False,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> CanonLists: ...
@overload
def canon(
    puzzles: _Array,
    *,
    minlex: bool = False,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> CanonArrays: ...
@overload
def canon(
    puzzles: ArrowColumn,
    *,
    minlex: bool = False,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> ArrowTable: ...
@overload
def dedup(
    puzzles: _List, *, by: _By = "symmetry", threads: int = 0, errors: _Errors = "status"
) -> DedupLists: ...
@overload
def dedup(
    puzzles: _Array, *, by: _By = "symmetry", threads: int = 0, errors: _Errors = "status"
) -> DedupArrays: ...
@overload
def dedup(
    puzzles: ArrowColumn, *, by: _By = "symmetry", threads: int = 0, errors: _Errors = "status"
) -> ArrowTable: ...
@overload
def overlap(
    puzzles: _List | _Array | ArrowColumn,
    within: _List,
    *,
    by: _By = "symmetry",
    threads: int = 0,
    errors: _Errors = "status",
) -> OverlapLists: ...
@overload
def overlap(
    puzzles: _List | _Array | ArrowColumn,
    within: _Array,
    *,
    by: _By = "symmetry",
    threads: int = 0,
    errors: _Errors = "status",
) -> OverlapArrays: ...
@overload
def overlap(
    puzzles: _List | _Array | ArrowColumn,
    within: ArrowColumn,
    *,
    by: _By = "symmetry",
    threads: int = 0,
    errors: _Errors = "status",
) -> ArrowTable: ...
@overload
def minimize(
    puzzles: _List,
    *,
    seed: int = 0,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> MinimizeLists: ...
@overload
def minimize(
    puzzles: _Array,
    *,
    seed: int = 0,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> MinimizeArrays: ...
@overload
def minimize(
    puzzles: ArrowColumn,
    *,
    seed: int = 0,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> ArrowTable: ...
@overload
def permute(
    puzzles: _List,
    solutions: _List | _Array | ArrowColumn | None = None,
    *,
    copies: int = 1,
    seed: int = 0,
    start: int = 0,
    threads: int = 0,
) -> PermuteLists: ...
@overload
def permute(
    puzzles: _Array,
    solutions: _List | _Array | ArrowColumn | None = None,
    *,
    copies: int = 1,
    seed: int = 0,
    start: int = 0,
    threads: int = 0,
) -> PermuteArrays: ...
@overload
def permute(
    puzzles: ArrowColumn,
    solutions: _List | _Array | ArrowColumn | None = None,
    *,
    copies: int = 1,
    seed: int = 0,
    start: int = 0,
    threads: int = 0,
) -> ArrowTable: ...
@overload
def generate(
    n: int, *, seed: int = 0, start: int = 0, threads: int = 0, output: Literal["list"] = "list"
) -> GenerateLists: ...
@overload
def generate(
    n: int, *, seed: int = 0, start: int = 0, threads: int = 0, output: Literal["numpy"]
) -> GenerateArrays: ...
@overload
def generate(
    n: int, *, seed: int = 0, start: int = 0, threads: int = 0, output: Literal["arrow"]
) -> ArrowTable: ...
@overload
def generate_grids(
    n: int, *, seed: int = 0, start: int = 0, threads: int = 0, output: Literal["list"] = "list"
) -> GenerateGridsLists: ...
@overload
def generate_grids(
    n: int, *, seed: int = 0, start: int = 0, threads: int = 0, output: Literal["numpy"]
) -> GenerateGridsArrays: ...
@overload
def generate_grids(
    n: int, *, seed: int = 0, start: int = 0, threads: int = 0, output: Literal["arrow"]
) -> ArrowTable: ...
