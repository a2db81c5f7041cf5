#!/usr/bin/env python3
"""Writes the functions in the stub of the extension module, `python/rapidoku/_rapidoku.pyi`, with an overload for each kind of result.

What precedes the line MARK is written by hand."""

from __future__ import annotations

from pathlib import Path

STUB = Path(__file__).parent / "python" / "rapidoku" / "_rapidoku.pyi"
MARK = "# The rest is written by python/stubs.py.\n"

# The type of an item of a list, and of an array. Texts are lists in both.
GRID, SOME_GRID = ("str", "np.uint8"), ("str | None", "np.uint8")
WORD, SOME_WORD = ("str", "np.int8"), ("str | None", "np.int8")
INTEGER, SOME_INTEGER = ("int", "np.int64"), ("int | None", "np.int64")
SOME_FLOAT = ("float | None", "np.float64")
FLAG, SOME_FLAG = ("bool", "np.bool_"), ("bool | None", "np.bool_")
TEXT, SOME_TEXT = ("str", None), ("str | None", None)

# Options of several functions.
MAX_GUESSES, SEED, THREADS = "max_guesses: int | None = None", "seed: int = 0", "threads: int = 0"
ERRORS, BY = 'errors: _Errors = "status"', 'by: _By = "symmetry"'
START = "start: int = 0"

# For each function: the arguments before and after `*`, and the columns. The kind of the result is that of the argument of type
# `_Column!`, or the one that the option `output` names, whose default stands after its `!`.
FUNCTIONS = {
    "solve": (
        ["puzzles: _Column!"],
        ["limit: int = 1", MAX_GUESSES, THREADS, ERRORS],
        {"solution": SOME_GRID, "status": WORD, "solutions": INTEGER, "guesses": INTEGER},
    ),
    "check": (["puzzles: _Column!"], [MAX_GUESSES, THREADS, ERRORS], {"status": WORD}),
    "count": (
        ["puzzles: _Column!"],
        ["limit: int = 1_000_000", MAX_GUESSES, THREADS, ERRORS],
        {"solutions": INTEGER, "status": WORD},
    ),
    "rate": (
        ["puzzles: _Column!"],
        ["max_er: float | None = None", "max_work: int | None = None", MAX_GUESSES, THREADS, ERRORS],
        {
            "status": WORD,
            "clues": SOME_INTEGER,
            "er": SOME_FLOAT,
            "ep": SOME_FLOAT,
            "ed": SOME_FLOAT,
            "hardest": SOME_WORD,
            "singles_only": SOME_FLAG,
        },
    ),
    "verify": (
        ["puzzles: _Column!", "solutions: _Column"],
        ["unique: bool = False", MAX_GUESSES, THREADS],
        {"correct": FLAG, "fault": SOME_WORD, "reason": SOME_TEXT, "wrong_cells": SOME_INTEGER},
    ),
    "canon": (
        ["puzzles: _Column!"],
        ["minlex: bool = False", MAX_GUESSES, THREADS, ERRORS],
        {"canonical": SOME_GRID, "automorphisms": SOME_INTEGER, "status": WORD},
    ),
    "dedup": (["puzzles: _Column!"], [BY, THREADS, ERRORS], {"first": SOME_INTEGER, "keep": FLAG}),
    "overlap": (
        ["puzzles: _Column", "within: _Column!"],
        [BY, THREADS, ERRORS],
        {"first": SOME_INTEGER, "found": FLAG},
    ),
    "minimize": (
        ["puzzles: _Column!"],
        [SEED, MAX_GUESSES, THREADS, ERRORS],
        {"minimized": SOME_GRID, "removed": SOME_INTEGER, "status": WORD},
    ),
    "permute": (
        ["puzzles: _Column!", "solutions: _Column | None = None"],
        ["copies: int = 1", SEED, START, THREADS],
        {"puzzle": SOME_GRID, "solution": SOME_GRID},
    ),
    "split": (
        ["puzzles: _Column!", "parts: dict[str, int] | dict[str, float]"],
        [
            'by: Literal["class", "record", "er"] = "class"',
            "max_er: float | None = None",
            "ratings: Any = None",
            SEED,
            THREADS,
        ],
        {"part": TEXT},
    ),
    "convert": (
        ["puzzles: _Column!", 'to: _Format = "lines"'],
        ["blank: str | None = None", "output!None", THREADS, ERRORS],
        # A list of texts in formats other than lines.
        {"puzzle": ("str | None", "Any")},
    ),
    "generate": (
        ["n: int"],
        [
            SEED,
            START,
            "symmetry: _Symmetry | None = None",
            "pattern: str | None = None",
            "uniform: bool = False",
            "unbiased: bool = False",
            "clues: _Range | None = None",
            "singles_only: bool = False",
            "guesses: _Range | None = None",
            "hardest: _Hardest | None = None",
            "er: float | tuple[float | None, float | None] | None = None",
            "max_tries: int | None = None",
            THREADS,
            "output!list",
        ],
        {"puzzle": GRID, "solution": GRID},
    ),
    "generate_grids": (["n: int"], [SEED, START, THREADS, "output!list"], {"solution": GRID}),
    "read_puzzles": (
        ["paths: _Paths"],
        [
            "column: str | int | None = None",
            "solution_column: str | int | None = None",
            'input_format: _Input = "auto"',
            "delimiter: str | None = None",
            "no_header: bool = False",
            "pad: bool = False",
            "blank_number: int | None = None",
            THREADS,
            "output!arrow",
        ],
        {"puzzle": SOME_GRID, "solution": SOME_GRID, "reason": SOME_TEXT},
    ),
}

KINDS = [("_Array", "Arrays"), ("_List", "Lists"), ("TextColumn", None)]
OUTPUTS = [("list", "Lists"), ("numpy", "Arrays"), ("arrow", None)]


def functions() -> str:
    lines = []
    for name, (arguments, options, columns) in FUNCTIONS.items():
        title = name.title().replace("_", "")
        for kind in ["Lists", "Arrays"]:
            lines.append(f"\nclass {title}{kind}(Columns):")
            for column, types in columns.items():
                of_array = types[1] or f"list[{types[0]}]"
                array = f"NDArray[{of_array}]" if of_array.startswith("np.") else of_array
                lines.append(f"    {column}: {array if kind == 'Arrays' else f'list[{types[0]}]'}")
        lines.append("")
        for before, after, kind in overloads(arguments, options):
            result = f"{title}{kind}" if kind else "ArrowTable"
            lines += ["@overload", f"def {name}({', '.join([*before, '*', *after])}) -> {result}: ..."]
    return "\n".join(lines) + "\n"


def overloads(before: list[str], after: list[str]) -> list[tuple[list[str], list[str], str | None]]:
    found = []
    output = next((option.split("!")[1] for option in after if option.startswith("output!")), "None")
    replaced = lambda items, old, new: [item.replace(old, new) for item in items]
    if any("_Column!" in argument for argument in before):
        for kind, result in KINDS:
            found.append((replaced(before, "_Column!", kind), replaced(after, f"output!{output}", "output: None = None"), result))
    if any(option.startswith("output!") for option in after):
        for name, result in OUTPUTS:
            option = f'output: Literal["{name}"]' + (f' = "{name}"' if name == output else "")
            found.append((replaced(before, "_Column!", "_Column"), replaced(after, f"output!{output}", option), result))
    return found


def stub() -> str:
    head, _, _ = STUB.read_text().partition(MARK)
    return head + MARK + functions()


if __name__ == "__main__":
    STUB.write_text(stub())
