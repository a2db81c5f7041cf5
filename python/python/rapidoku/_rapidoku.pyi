from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, final, overload

import numpy as np
import pandas as pd
import polars as pl
from numpy.typing import NDArray

from ._results import Columns, Explanation, Technique
from ._types import TextColumn

VERSION: str

_List = list[str] | list[str | None] | list[bytes] | tuple[str, ...] | NDArray[np.str_ | np.bytes_ | np.object_]
_Array = NDArray[np.integer[Any]]
_Column = _List | _Array | TextColumn
_Errors = Literal["status", "raise"]
_By = Literal["symmetry", "exact"]
_Range = int | tuple[int | None, int | None]
_Path = str | PathLike[str]
_Paths = _Path | list[_Path] | list[str] | list[Path] | tuple[_Path, ...]
_Hardest = Technique | str | Sequence[Technique | str]
_Input = Literal["auto", "lines", "csv", "json", "grid", "npy"]
_Format = Literal["lines", "pencilmarks", "sdk", "sdm", "ss", "grid"]
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
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@final
class Solutions:
    @property
    def status(self) -> str: ...
    def __iter__(self) -> Solutions: ...
    def __next__(self) -> str: ...

def solutions(puzzle: str, *, limit: int | None = None, max_guesses: int | None = None) -> Solutions: ...
def explain(puzzle: str, *, max_guesses: int | None = None) -> Explanation: ...
def unpickle(fields: Sequence[Any], batches: Sequence[Any]) -> ArrowTable: ...

# The rest is written by python/stubs.py.

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

@overload
def solve(puzzles: _Array, *, limit: int = 1, max_guesses: int | None = None, threads: int = 0, errors: _Errors = "status") -> SolveArrays: ...
@overload
def solve(puzzles: _List, *, limit: int = 1, max_guesses: int | None = None, threads: int = 0, errors: _Errors = "status") -> SolveLists: ...
@overload
def solve(puzzles: TextColumn, *, limit: int = 1, max_guesses: int | None = None, threads: int = 0, errors: _Errors = "status") -> ArrowTable: ...

class CheckLists(Columns):
    status: list[str]

class CheckArrays(Columns):
    status: NDArray[np.int8]

@overload
def check(puzzles: _Array, *, max_guesses: int | None = None, threads: int = 0, errors: _Errors = "status") -> CheckArrays: ...
@overload
def check(puzzles: _List, *, max_guesses: int | None = None, threads: int = 0, errors: _Errors = "status") -> CheckLists: ...
@overload
def check(puzzles: TextColumn, *, max_guesses: int | None = None, threads: int = 0, errors: _Errors = "status") -> ArrowTable: ...

class CountLists(Columns):
    solutions: list[int]
    status: list[str]

class CountArrays(Columns):
    solutions: NDArray[np.int64]
    status: NDArray[np.int8]

@overload
def count(puzzles: _Array, *, limit: int = 1_000_000, max_guesses: int | None = None, threads: int = 0, errors: _Errors = "status") -> CountArrays: ...
@overload
def count(puzzles: _List, *, limit: int = 1_000_000, max_guesses: int | None = None, threads: int = 0, errors: _Errors = "status") -> CountLists: ...
@overload
def count(puzzles: TextColumn, *, limit: int = 1_000_000, max_guesses: int | None = None, threads: int = 0, errors: _Errors = "status") -> ArrowTable: ...

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

@overload
def rate(puzzles: _Array, *, max_er: float | None = None, max_work: int | None = None, max_guesses: int | None = None, threads: int = 0, errors: _Errors = "status") -> RateArrays: ...
@overload
def rate(puzzles: _List, *, max_er: float | None = None, max_work: int | None = None, max_guesses: int | None = None, threads: int = 0, errors: _Errors = "status") -> RateLists: ...
@overload
def rate(puzzles: TextColumn, *, max_er: float | None = None, max_work: int | None = None, max_guesses: int | None = None, threads: int = 0, errors: _Errors = "status") -> ArrowTable: ...

class VerifyLists(Columns):
    correct: list[bool]
    fault: list[str | None]
    reason: list[str | None]
    wrong_cells: list[int | None]

class VerifyArrays(Columns):
    correct: NDArray[np.bool_]
    fault: NDArray[np.int8]
    reason: list[str | None]
    wrong_cells: NDArray[np.int64]

@overload
def verify(puzzles: _Array, solutions: _Column, *, unique: bool = False, max_guesses: int | None = None, threads: int = 0) -> VerifyArrays: ...
@overload
def verify(puzzles: _List, solutions: _Column, *, unique: bool = False, max_guesses: int | None = None, threads: int = 0) -> VerifyLists: ...
@overload
def verify(puzzles: TextColumn, solutions: _Column, *, unique: bool = False, max_guesses: int | None = None, threads: int = 0) -> ArrowTable: ...

class CanonLists(Columns):
    canonical: list[str | None]
    automorphisms: list[int | None]
    status: list[str]

class CanonArrays(Columns):
    canonical: NDArray[np.uint8]
    automorphisms: NDArray[np.int64]
    status: NDArray[np.int8]

@overload
def canon(puzzles: _Array, *, minlex: bool = False, max_guesses: int | None = None, threads: int = 0, errors: _Errors = "status") -> CanonArrays: ...
@overload
def canon(puzzles: _List, *, minlex: bool = False, max_guesses: int | None = None, threads: int = 0, errors: _Errors = "status") -> CanonLists: ...
@overload
def canon(puzzles: TextColumn, *, minlex: bool = False, max_guesses: int | None = None, threads: int = 0, errors: _Errors = "status") -> ArrowTable: ...

class DedupLists(Columns):
    first: list[int | None]
    keep: list[bool]

class DedupArrays(Columns):
    first: NDArray[np.int64]
    keep: NDArray[np.bool_]

@overload
def dedup(puzzles: _Array, *, by: _By = "symmetry", threads: int = 0, errors: _Errors = "status") -> DedupArrays: ...
@overload
def dedup(puzzles: _List, *, by: _By = "symmetry", threads: int = 0, errors: _Errors = "status") -> DedupLists: ...
@overload
def dedup(puzzles: TextColumn, *, by: _By = "symmetry", threads: int = 0, errors: _Errors = "status") -> ArrowTable: ...

class OverlapLists(Columns):
    first: list[int | None]
    found: list[bool]

class OverlapArrays(Columns):
    first: NDArray[np.int64]
    found: NDArray[np.bool_]

@overload
def overlap(puzzles: _Column, within: _Array, *, by: _By = "symmetry", threads: int = 0, errors: _Errors = "status") -> OverlapArrays: ...
@overload
def overlap(puzzles: _Column, within: _List, *, by: _By = "symmetry", threads: int = 0, errors: _Errors = "status") -> OverlapLists: ...
@overload
def overlap(puzzles: _Column, within: TextColumn, *, by: _By = "symmetry", threads: int = 0, errors: _Errors = "status") -> ArrowTable: ...

class MinimizeLists(Columns):
    minimized: list[str | None]
    removed: list[int | None]
    status: list[str]

class MinimizeArrays(Columns):
    minimized: NDArray[np.uint8]
    removed: NDArray[np.int64]
    status: NDArray[np.int8]

@overload
def minimize(puzzles: _Array, *, seed: int = 0, max_guesses: int | None = None, threads: int = 0, errors: _Errors = "status") -> MinimizeArrays: ...
@overload
def minimize(puzzles: _List, *, seed: int = 0, max_guesses: int | None = None, threads: int = 0, errors: _Errors = "status") -> MinimizeLists: ...
@overload
def minimize(puzzles: TextColumn, *, seed: int = 0, max_guesses: int | None = None, threads: int = 0, errors: _Errors = "status") -> ArrowTable: ...

class PermuteLists(Columns):
    puzzle: list[str | None]
    solution: list[str | None]

class PermuteArrays(Columns):
    puzzle: NDArray[np.uint8]
    solution: NDArray[np.uint8]

@overload
def permute(puzzles: _Array, solutions: _Column | None = None, *, copies: int = 1, seed: int = 0, start: int = 0, threads: int = 0) -> PermuteArrays: ...
@overload
def permute(puzzles: _List, solutions: _Column | None = None, *, copies: int = 1, seed: int = 0, start: int = 0, threads: int = 0) -> PermuteLists: ...
@overload
def permute(puzzles: TextColumn, solutions: _Column | None = None, *, copies: int = 1, seed: int = 0, start: int = 0, threads: int = 0) -> ArrowTable: ...

class SplitLists(Columns):
    part: list[str]

class SplitArrays(Columns):
    part: list[str]

@overload
def split(puzzles: _Array, parts: dict[str, int] | dict[str, float], *, by: Literal["class", "record", "er"] = "class", max_er: float | None = None, ratings: Any = None, seed: int = 0, threads: int = 0) -> SplitArrays: ...
@overload
def split(puzzles: _List, parts: dict[str, int] | dict[str, float], *, by: Literal["class", "record", "er"] = "class", max_er: float | None = None, ratings: Any = None, seed: int = 0, threads: int = 0) -> SplitLists: ...
@overload
def split(puzzles: TextColumn, parts: dict[str, int] | dict[str, float], *, by: Literal["class", "record", "er"] = "class", max_er: float | None = None, ratings: Any = None, seed: int = 0, threads: int = 0) -> ArrowTable: ...

class ConvertLists(Columns):
    puzzle: list[str | None]

class ConvertArrays(Columns):
    puzzle: Any

@overload
def convert(puzzles: _Array, to: _Format = "lines", *, blank: str | None = None, output: None = None, threads: int = 0, errors: _Errors = "status") -> ConvertArrays: ...
@overload
def convert(puzzles: _List, to: _Format = "lines", *, blank: str | None = None, output: None = None, threads: int = 0, errors: _Errors = "status") -> ConvertLists: ...
@overload
def convert(puzzles: TextColumn, to: _Format = "lines", *, blank: str | None = None, output: None = None, threads: int = 0, errors: _Errors = "status") -> ArrowTable: ...
@overload
def convert(puzzles: _Column, to: _Format = "lines", *, blank: str | None = None, output: Literal["list"], threads: int = 0, errors: _Errors = "status") -> ConvertLists: ...
@overload
def convert(puzzles: _Column, to: _Format = "lines", *, blank: str | None = None, output: Literal["numpy"], threads: int = 0, errors: _Errors = "status") -> ConvertArrays: ...
@overload
def convert(puzzles: _Column, to: _Format = "lines", *, blank: str | None = None, output: Literal["arrow"], threads: int = 0, errors: _Errors = "status") -> ArrowTable: ...

class GenerateLists(Columns):
    puzzle: list[str]
    solution: list[str]

class GenerateArrays(Columns):
    puzzle: NDArray[np.uint8]
    solution: NDArray[np.uint8]

@overload
def generate(n: int, *, seed: int = 0, start: int = 0, symmetry: _Symmetry | None = None, pattern: str | None = None, uniform: bool = False, unbiased: bool = False, clues: _Range | None = None, singles_only: bool = False, guesses: _Range | None = None, hardest: _Hardest | None = None, er: float | tuple[float | None, float | None] | None = None, max_tries: int | None = None, threads: int = 0, output: Literal["list"] = "list") -> GenerateLists: ...
@overload
def generate(n: int, *, seed: int = 0, start: int = 0, symmetry: _Symmetry | None = None, pattern: str | None = None, uniform: bool = False, unbiased: bool = False, clues: _Range | None = None, singles_only: bool = False, guesses: _Range | None = None, hardest: _Hardest | None = None, er: float | tuple[float | None, float | None] | None = None, max_tries: int | None = None, threads: int = 0, output: Literal["numpy"]) -> GenerateArrays: ...
@overload
def generate(n: int, *, seed: int = 0, start: int = 0, symmetry: _Symmetry | None = None, pattern: str | None = None, uniform: bool = False, unbiased: bool = False, clues: _Range | None = None, singles_only: bool = False, guesses: _Range | None = None, hardest: _Hardest | None = None, er: float | tuple[float | None, float | None] | None = None, max_tries: int | None = None, threads: int = 0, output: Literal["arrow"]) -> ArrowTable: ...

class GenerateGridsLists(Columns):
    solution: list[str]

class GenerateGridsArrays(Columns):
    solution: NDArray[np.uint8]

@overload
def generate_grids(n: int, *, seed: int = 0, start: int = 0, threads: int = 0, output: Literal["list"] = "list") -> GenerateGridsLists: ...
@overload
def generate_grids(n: int, *, seed: int = 0, start: int = 0, threads: int = 0, output: Literal["numpy"]) -> GenerateGridsArrays: ...
@overload
def generate_grids(n: int, *, seed: int = 0, start: int = 0, threads: int = 0, output: Literal["arrow"]) -> ArrowTable: ...

class ReadPuzzlesLists(Columns):
    puzzle: list[str | None]
    solution: list[str | None]
    reason: list[str | None]

class ReadPuzzlesArrays(Columns):
    puzzle: NDArray[np.uint8]
    solution: NDArray[np.uint8]
    reason: list[str | None]

@overload
def read_puzzles(paths: _Paths, *, column: str | int | None = None, solution_column: str | int | None = None, input_format: _Input = "auto", delimiter: str | None = None, no_header: bool = False, pad: bool = False, blank_number: int | None = None, threads: int = 0, output: Literal["list"]) -> ReadPuzzlesLists: ...
@overload
def read_puzzles(paths: _Paths, *, column: str | int | None = None, solution_column: str | int | None = None, input_format: _Input = "auto", delimiter: str | None = None, no_header: bool = False, pad: bool = False, blank_number: int | None = None, threads: int = 0, output: Literal["numpy"]) -> ReadPuzzlesArrays: ...
@overload
def read_puzzles(paths: _Paths, *, column: str | int | None = None, solution_column: str | int | None = None, input_format: _Input = "auto", delimiter: str | None = None, no_header: bool = False, pad: bool = False, blank_number: int | None = None, threads: int = 0, output: Literal["arrow"] = "arrow") -> ArrowTable: ...
