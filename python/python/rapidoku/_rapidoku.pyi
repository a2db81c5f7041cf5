from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, final, overload

import numpy as np
import pandas as pd
import polars as pl
from numpy.typing import NDArray

from ._results import (
    CanonArrays,
    CanonLists,
    CheckArrays,
    CheckLists,
    ConvertArrays,
    ConvertLists,
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
    ReadArrays,
    ReadLists,
    SampleArrays,
    SampleLists,
    SolveArrays,
    Solved,
    SolveLists,
    SplitArrays,
    SplitLists,
    Technique,
    VerifyArrays,
    VerifyLists,
)
from ._types import TextColumn

VERSION: str

_List = list[str] | list[str | None] | list[bytes] | tuple[str, ...] | NDArray[np.str_ | np.bytes_ | np.object_]
_Array = NDArray[np.integer[Any]]
_Errors = Literal["status", "raise"]
_By = Literal["symmetry", "exact"]
_Range = int | tuple[int | None, int | None]
_Path = str | PathLike[str]
_Format = Literal["lines", "pencilmarks", "sdk", "sdm", "ss", "sdx", "grid", "candidates", "opensudoku"]
_Symmetry = Literal[
    "none", "half-turn", "quarter-turn", "horizontal", "vertical", "diagonal", "both-diagonals", "full"
]

@final
class ArrowTable:
    @property
    def column_names(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, name: str) -> ArrowColumn: ...
    def to_pandas(self, index: Any = None) -> pd.DataFrame: ...
    def to_polars(self) -> pl.DataFrame: ...
    def to_pydict(self) -> dict[str, list[Any]]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class ArrowColumn(Sequence[Any]):
    @property
    def name(self) -> str: ...
    def __len__(self) -> int: ...
    def __getitem__(self, row: int) -> Any: ...  # type: ignore[override]
    def to_list(self) -> list[Any]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Solutions:
    @property
    def status(self) -> str: ...
    def __iter__(self) -> Solutions: ...
    def __next__(self) -> str: ...

def solve_one(puzzle: str, *, limit: int = 1, max_guesses: int | None = None) -> Solved: ...
def solutions(puzzle: str, *, limit: int | None = None, max_guesses: int | None = None) -> Solutions: ...
def explain(puzzle: str, *, max_guesses: int | None = None) -> Explanation: ...
def stats(
    puzzles: _List | _Array | TextColumn,
    *,
    rate: bool = True,
    equal: bool = True,
    equivalent: bool = True,
    threads: int = 0,
) -> dict[str, Any]: ...
def unpickle(fields: Sequence[Any], batches: Sequence[Any]) -> ArrowTable: ...
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
    puzzles: TextColumn,
    *,
    limit: int = 1,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> ArrowTable: ...
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
    puzzles: _List,
    *,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> CheckLists: ...
@overload
def check(
    puzzles: TextColumn,
    *,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> ArrowTable: ...
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
    puzzles: TextColumn,
    *,
    limit: int = 1_000_000,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> ArrowTable: ...
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
    puzzles: _List,
    *,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> RateLists: ...
@overload
def rate(
    puzzles: TextColumn,
    *,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> ArrowTable: ...
@overload
def verify(
    puzzles: _Array,
    solutions: _List | _Array | TextColumn,
    *,
    unique: bool = False,
    max_guesses: int | None = None,
    threads: int = 0,
    dictionary: bool = False,
) -> VerifyArrays: ...
@overload
def verify(
    puzzles: _List,
    solutions: _List | _Array | TextColumn,
    *,
    unique: bool = False,
    max_guesses: int | None = None,
    threads: int = 0,
    dictionary: bool = False,
) -> VerifyLists: ...
@overload
def verify(
    puzzles: TextColumn,
    solutions: _List | _Array | TextColumn,
    *,
    unique: bool = False,
    max_guesses: int | None = None,
    threads: int = 0,
    dictionary: bool = False,
) -> ArrowTable: ...
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
    puzzles: TextColumn,
    *,
    minlex: bool = False,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> ArrowTable: ...
@overload
def dedup(
    puzzles: _Array, *, by: _By = "symmetry", threads: int = 0, errors: _Errors = "status"
) -> DedupArrays: ...
@overload
def dedup(
    puzzles: _List, *, by: _By = "symmetry", threads: int = 0, errors: _Errors = "status"
) -> DedupLists: ...
@overload
def dedup(
    puzzles: TextColumn, *, by: _By = "symmetry", threads: int = 0, errors: _Errors = "status"
) -> ArrowTable: ...
@overload
def overlap(
    puzzles: _List | _Array | TextColumn,
    within: _Array,
    *,
    by: _By = "symmetry",
    threads: int = 0,
    errors: _Errors = "status",
) -> OverlapArrays: ...
@overload
def overlap(
    puzzles: _List | _Array | TextColumn,
    within: _List,
    *,
    by: _By = "symmetry",
    threads: int = 0,
    errors: _Errors = "status",
) -> OverlapLists: ...
@overload
def overlap(
    puzzles: _List | _Array | TextColumn,
    within: TextColumn,
    *,
    by: _By = "symmetry",
    threads: int = 0,
    errors: _Errors = "status",
) -> ArrowTable: ...
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
    puzzles: TextColumn,
    *,
    seed: int = 0,
    max_guesses: int | None = None,
    threads: int = 0,
    errors: _Errors = "status",
    dictionary: bool = False,
) -> ArrowTable: ...
@overload
def permute(
    puzzles: _Array,
    solutions: _List | _Array | TextColumn | None = None,
    *,
    copies: int = 1,
    seed: int = 0,
    start: int = 0,
    threads: int = 0,
) -> PermuteArrays: ...
@overload
def permute(
    puzzles: _List,
    solutions: _List | _Array | TextColumn | None = None,
    *,
    copies: int = 1,
    seed: int = 0,
    start: int = 0,
    threads: int = 0,
) -> PermuteLists: ...
@overload
def permute(
    puzzles: TextColumn,
    solutions: _List | _Array | TextColumn | None = None,
    *,
    copies: int = 1,
    seed: int = 0,
    start: int = 0,
    threads: int = 0,
) -> ArrowTable: ...
@overload
def generate(
    n: int,
    *,
    seed: int = 0,
    start: int = 0,
    symmetry: _Symmetry | None = None,
    pattern: str | None = None,
    uniform: bool = False,
    unbiased: bool = False,
    clues: _Range | None = None,
    singles_only: bool = False,
    guesses: _Range | None = None,
    hardest: Technique | str | Sequence[Technique | str] | None = None,
    er: float | tuple[float | None, float | None] | None = None,
    max_tries: int | None = None,
    threads: int = 0,
    output: Literal["list"] = "list",
) -> GenerateLists: ...
@overload
def generate(
    n: int,
    *,
    seed: int = 0,
    start: int = 0,
    symmetry: _Symmetry | None = None,
    pattern: str | None = None,
    uniform: bool = False,
    unbiased: bool = False,
    clues: _Range | None = None,
    singles_only: bool = False,
    guesses: _Range | None = None,
    hardest: Technique | str | Sequence[Technique | str] | None = None,
    er: float | tuple[float | None, float | None] | None = None,
    max_tries: int | None = None,
    threads: int = 0,
    output: Literal["numpy"],
) -> GenerateArrays: ...
@overload
def generate(
    n: int,
    *,
    seed: int = 0,
    start: int = 0,
    symmetry: _Symmetry | None = None,
    pattern: str | None = None,
    uniform: bool = False,
    unbiased: bool = False,
    clues: _Range | None = None,
    singles_only: bool = False,
    guesses: _Range | None = None,
    hardest: Technique | str | Sequence[Technique | str] | None = None,
    er: float | tuple[float | None, float | None] | None = None,
    max_tries: int | None = None,
    threads: int = 0,
    output: Literal["arrow"],
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
@overload
def read_puzzles(
    paths: _Path | list[_Path] | list[str] | list[Path] | tuple[_Path, ...],
    *,
    column: str | int | None = None,
    solution_column: str | int | None = None,
    input_format: str = "auto",
    delimiter: str | None = None,
    no_header: bool = False,
    pad: bool = False,
    blank_number: int | None = None,
    threads: int = 0,
    output: Literal["arrow"] = "arrow",
) -> ArrowTable: ...
@overload
def read_puzzles(
    paths: _Path | list[_Path] | list[str] | list[Path] | tuple[_Path, ...],
    *,
    column: str | int | None = None,
    solution_column: str | int | None = None,
    input_format: str = "auto",
    delimiter: str | None = None,
    no_header: bool = False,
    pad: bool = False,
    blank_number: int | None = None,
    threads: int = 0,
    output: Literal["list"],
) -> ReadLists: ...
@overload
def read_puzzles(
    paths: _Path | list[_Path] | list[str] | list[Path] | tuple[_Path, ...],
    *,
    column: str | int | None = None,
    solution_column: str | int | None = None,
    input_format: str = "auto",
    delimiter: str | None = None,
    no_header: bool = False,
    pad: bool = False,
    blank_number: int | None = None,
    threads: int = 0,
    output: Literal["numpy"],
) -> ReadArrays: ...
@overload
def convert(
    puzzles: _Array,
    to: _Format = "lines",
    *,
    blank: str | None = None,
    output: None = None,
    threads: int = 0,
    errors: _Errors = "status",
) -> ConvertArrays: ...
@overload
def convert(
    puzzles: _List,
    to: _Format = "lines",
    *,
    blank: str | None = None,
    output: None = None,
    threads: int = 0,
    errors: _Errors = "status",
) -> ConvertLists: ...
@overload
def convert(
    puzzles: TextColumn,
    to: _Format = "lines",
    *,
    blank: str | None = None,
    output: None = None,
    threads: int = 0,
    errors: _Errors = "status",
) -> ArrowTable: ...
@overload
def convert(
    puzzles: _List | _Array | TextColumn,
    to: _Format = "lines",
    *,
    blank: str | None = None,
    output: Literal["list"],
    threads: int = 0,
    errors: _Errors = "status",
) -> ConvertLists: ...
@overload
def convert(
    puzzles: _List | _Array | TextColumn,
    to: _Format = "lines",
    *,
    blank: str | None = None,
    output: Literal["numpy"],
    threads: int = 0,
    errors: _Errors = "status",
) -> ConvertArrays: ...
@overload
def convert(
    puzzles: _List | _Array | TextColumn,
    to: _Format = "lines",
    *,
    blank: str | None = None,
    output: Literal["arrow"],
    threads: int = 0,
    errors: _Errors = "status",
) -> ArrowTable: ...
@overload
def split(
    puzzles: _Array,
    parts: dict[str, int] | dict[str, float],
    *,
    by: Literal["class", "record", "er"] = "class",
    max_er: float | None = None,
    seed: int = 0,
    threads: int = 0,
) -> SplitArrays: ...
@overload
def split(
    puzzles: _List,
    parts: dict[str, int] | dict[str, float],
    *,
    by: Literal["class", "record", "er"] = "class",
    max_er: float | None = None,
    seed: int = 0,
    threads: int = 0,
) -> SplitLists: ...
@overload
def split(
    puzzles: TextColumn,
    parts: dict[str, int] | dict[str, float],
    *,
    by: Literal["class", "record", "er"] = "class",
    max_er: float | None = None,
    seed: int = 0,
    threads: int = 0,
) -> ArrowTable: ...
@overload
def sample(puzzles: _Array, n: int, *, seed: int = 0) -> SampleArrays: ...
@overload
def sample(puzzles: _List, n: int, *, seed: int = 0) -> SampleLists: ...
@overload
def sample(puzzles: TextColumn, n: int, *, seed: int = 0) -> ArrowTable: ...
