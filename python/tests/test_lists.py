"""Lists of strings, single puzzles, options and errors."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rapidoku
from conftest import CLASH, PUZZLE, SOLUTION, Expected, program

TWO = PUZZLE[:-2] + ".."
PATTERN_24 = "X..X.X..X..X...X...X..X..X..X.....X..X...X..X.....X..X..X..X...X...X..X..X.X..X.."[:81]


@pytest.mark.parametrize("threads", [0, 1, 2, 3])
def test_solve(sample: Expected, threads: int) -> None:
    result = rapidoku.solve(sample.puzzles, limit=2, threads=threads)
    assert result == (sample.solution, sample.status, sample.solutions, sample.guesses)
    assert rapidoku.solve(tuple(sample.puzzles), limit=2) == result
    assert rapidoku.check(sample.puzzles).status == sample.status
    assert pickle.loads(pickle.dumps(result)) == result


def test_solve_one() -> None:
    assert rapidoku.solve_one(PUZZLE) == (SOLUTION, "solved", 1, 0)
    assert rapidoku.solve_one("oops").status == "invalid"
    assert rapidoku.solve_one("\n".join(PUZZLE[k : k + 9] for k in range(0, 81, 9))).solution == SOLUTION


def test_bytes_are_texts() -> None:
    assert rapidoku.check([PUZZLE.encode(), b"\xff", CLASH.encode()]).status == ["unique", "invalid", "invalid"]


def test_missing_puzzles_are_invalid() -> None:
    assert rapidoku.check([None, PUZZLE]).status == ["invalid", "unique"]
    assert rapidoku.solve([]) == ([], [], [], [])


@pytest.mark.parametrize("text", ["\ud800", PUZZLE[:-1] + "\udfff", "\udcff" * 81, PUZZLE + "\ud800", "\U0001d7d9" * 81])
def test_texts_that_are_not_utf8_are_invalid(text: str) -> None:
    """Lone surrogates, which JSON and file names may contain, and characters beyond ASCII."""
    assert rapidoku.check([PUZZLE, text, PUZZLE]).status == ["unique", "invalid", "unique"]
    assert rapidoku.verify([PUZZLE], [text]).fault == ["solution"]
    assert rapidoku.verify([text], [SOLUTION]).fault == ["invalid"]
    assert rapidoku.permute([text, PUZZLE]).puzzle[0] is None
    assert rapidoku.dedup([text, PUZZLE, text, PUZZLE]).first == [None, 1, None, 1]
    assert rapidoku.solve_one(text).status == "invalid"
    assert rapidoku.explain(text).status == "invalid"
    with pytest.raises(ValueError, match="bad character|too"):
        rapidoku.solutions(text)
    with pytest.raises(rapidoku.InvalidPuzzleError, match="row 1: (bad character|too long)"):
        rapidoku.solve([PUZZLE, text], errors="raise")


@pytest.mark.parametrize("bad", [7, 7.5, True, ["nested"], object()])
def test_items_of_other_types(bad: Any) -> None:
    with pytest.raises(TypeError, match=r"not \w+ in row 1"):
        rapidoku.solve([PUZZLE, bad])


@pytest.mark.parametrize("bad", [7, b"bytes", {"a": PUZZLE}, None, iter([PUZZLE])])
def test_columns_of_other_types(bad: Any) -> None:
    with pytest.raises(TypeError, match="expected Arrow strings, a pandas Series, a list of str or a NumPy array"):
        rapidoku.solve(bad)


def test_a_single_text_is_not_a_column() -> None:
    text: Any = PUZZLE
    with pytest.raises(TypeError, match="solve_one"):
        rapidoku.solve(text)


@pytest.mark.parametrize("function", [rapidoku.solve, rapidoku.check, rapidoku.count, rapidoku.rate, rapidoku.canon])
def test_the_first_invalid_row_is_named(function: Callable[..., Any]) -> None:
    for text, reason in [
        (CLASH, "digit 1 twice in row 1: r1c1 and r1c2"),
        (PUZZLE[:80], "too short: 80 cells instead of 81"),
        (None, "null"),
    ]:
        with pytest.raises(rapidoku.InvalidPuzzleError) as raised:
            function([PUZZLE] * 5000 + [text, "oops"], errors="raise")
        assert (raised.value.row, raised.value.reason) == (5000, reason)
        assert str(pickle.loads(pickle.dumps(raised.value))) == f"row 5000: {reason}"
    assert function([PUZZLE], errors="raise")


def test_options_out_of_range() -> None:
    with pytest.raises(ValueError, match="limit must be at least 1"):
        rapidoku.solve([PUZZLE], limit=0)
    with pytest.raises(ValueError, match="threads must be at most 512"):
        rapidoku.solve([PUZZLE], threads=513)
    with pytest.raises(OverflowError):
        rapidoku.solve([PUZZLE], threads=-1)
    wrong: Any = "ignore"
    with pytest.raises(ValueError, match="errors must be one of status, raise, not 'ignore'"):
        rapidoku.solve([PUZZLE], errors=wrong)


def test_limits() -> None:
    assert rapidoku.count([PUZZLE, TWO, "." * 81], limit=500).solutions == [1, 2, 500]
    assert rapidoku.solve(["." * 81], max_guesses=0).status == ["gave-up"]


def test_rate() -> None:
    no_solution = "12345678.........9" + "." * 63
    rated = rapidoku.rate([PUZZLE, "oops", no_solution, SOLUTION])
    assert rated.status == ["unique", "invalid", "none", "unique"]
    assert rated.clues == [30, None, 9, 81]
    assert rated.er == rated.ep == rated.ed == [1.2, None, None, 0.0]
    assert rated.hardest == ["hidden single", None, None, None]
    assert rated.singles_only == [True, None, None, True]
    hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    for bound in [rapidoku.rate([hard, PUZZLE], max_er=1.2), rapidoku.rate([hard, PUZZLE], max_work=0)]:
        assert bound.status == ["unique", "unique"]
        assert (bound.er, bound.hardest) == ([None, 1.2], [None, "hidden single"])
        assert bound.singles_only == [False, True]
    with pytest.raises(ValueError, match="max_er must be a rating, such as 7.5, not -1"):
        rapidoku.rate([PUZZLE], max_er=-1)


def test_the_words_of_techniques_are_those_of_the_enum() -> None:
    words = [str(technique) for technique in rapidoku.Technique]
    assert len(words) == 30 and words[:2] == ["hidden single", "direct locked candidates"]
    hard = ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6..."
    lists = rapidoku.rate([hard, PUZZLE])
    cells = np.array([[int(c) for c in p.replace(".", "0")] for p in [hard, PUZZLE]])
    arrays = rapidoku.rate(cells)
    assert [str(rapidoku.Technique(code)) for code in arrays.hardest.tolist()] == lists.hardest


def test_verify() -> None:
    wrong = SOLUTION.replace("1", "x").replace("2", "1").replace("x", "2")
    puzzles = [PUZZLE, PUZZLE, "oops", PUZZLE, TWO, "." * 81, PUZZLE, SOLUTION, PUZZLE, CLASH]
    solutions = [SOLUTION, wrong, SOLUTION, PUZZLE, SOLUTION, "1" * 81, " ", None, "12", SOLUTION]
    lines = ["puzzle,solution", *(f"{puzzle},{solution or ''}" for puzzle, solution in zip(puzzles, solutions))]
    columns = ["--columns", "fault,reason,correct,wrong_cells"]
    for unique in [False, True]:
        rows = program(["verify", *columns, *(["--unique"] if unique else [])], lines)
        verified = rapidoku.verify(puzzles, solutions, unique=unique)
        assert [fault or "" for fault in verified.fault] == [row["fault"] for row in rows]
        assert [reason or "" for reason in verified.reason] == [row["reason"] for row in rows]
        assert verified.correct == [row["correct"] == "true" for row in rows]
        assert ["" if cells is None else str(cells) for cells in verified.wrong_cells] == [row["wrong_cells"] for row in rows]
    with pytest.raises(ValueError, match="10 puzzles, but 1 solutions"):
        rapidoku.verify(puzzles, [SOLUTION])


def test_canon_and_permute() -> None:
    copies = rapidoku.permute([PUZZLE, None], [SOLUTION, None], copies=30, seed=5)
    assert copies.puzzle[30:] == copies.solution[30:] == [None] * 30
    assert len(set(copies.puzzle[:30])) == 30
    assert rapidoku.solve(copies.puzzle[:30]).solution == copies.solution[:30]
    forms = rapidoku.canon(copies.puzzle)
    assert len(set(forms.canonical[:30])) == 1
    assert (forms.canonical[30], forms.automorphisms[30], forms.status[30]) == (None, None, "invalid")
    assert rapidoku.canon([TWO]).canonical == [None]
    assert len(set(rapidoku.canon([*copies.puzzle[:30]], minlex=True).canonical)) == 1
    # The rows of a batch get the copies that they would get in one call.
    assert rapidoku.permute([PUZZLE], copies=3, seed=5, start=9) == tuple(
        column[27:] for column in rapidoku.permute([PUZZLE] * 10, copies=3, seed=5)
    )
    assert rapidoku.permute([PUZZLE], copies=0) == ([], [])
    assert rapidoku.permute([PUZZLE]).solution == [None]


def test_generate() -> None:
    made = rapidoku.generate(3000, seed=9, threads=2)
    assert rapidoku.solve(made.puzzle, limit=2).solution == made.solution
    assert rapidoku.check(made.puzzle).status == ["unique"] * 3000
    assert rapidoku.generate(2, seed=9, start=2500).puzzle == made.puzzle[2500:2502]
    assert rapidoku.generate_grids(3000, seed=9).solution == made.solution
    arrays = rapidoku.generate(3, seed=9, output="numpy")
    assert "".join(map(str, arrays.solution[2].tolist())) == made.solution[2]
    assert len(rapidoku.generate(3, output="arrow")) == 3
    with pytest.raises(ValueError, match="too large"):
        rapidoku.generate(2, start=2**64 - 1)


FILTERS: list[tuple[dict[str, Any], list[str]]] = [
    ({"symmetry": "half-turn"}, ["--symmetry", "half-turn"]),
    ({"clues": (22, 23), "singles_only": True}, ["--clues", "22..23", "--hardest", "singles"]),
    ({"clues": 24}, ["--clues", "24"]),
    ({"clues": (None, 22)}, ["--clues", "..22"]),
    ({"guesses": (3, None)}, ["--guesses", "3.."]),
    ({"hardest": "naked pair"}, ["--hardest", "naked pair"]),
    ({"symmetry": "diagonal", "hardest": rapidoku.Technique.LOCKED_CANDIDATES}, ["--symmetry", "diagonal", "--hardest", "locked candidates"]),
    ({"er": (2.0, 3.4)}, ["--er", "2.0..3.4"]),
    ({"er": 1.5, "clues": (None, 24)}, ["--er", "1.5", "--clues", "..24"]),
    ({"unbiased": True}, ["--unbiased"]),
    ({"pattern": PUZZLE}, ["--pattern", PUZZLE]),
    ({"pattern": PUZZLE, "uniform": True, "clues": 30}, ["--pattern", PUZZLE, "--unbiased"]),
    ({"pattern": PATTERN_24}, ["--pattern", PATTERN_24]),
]


@pytest.mark.parametrize(("options", "arguments"), FILTERS)
@pytest.mark.parametrize("threads", [1, 3])
def test_filters_of_generate(options: dict[str, Any], arguments: list[str], threads: int) -> None:
    n = 3 if "unbiased" in options or "pattern" in options else 50
    rows = program(["generate", str(n), "--seed", "4", "--columns", "puzzle,solution", *arguments], [])
    made = rapidoku.generate(n, seed=4, threads=threads, **options)
    assert made.puzzle == [row["puzzle"] for row in rows]
    assert made.solution == [row["solution"] for row in rows]
    assert len(made.puzzle) == n
    arrays = rapidoku.generate(n, seed=4, output="numpy", **options)
    assert arrays.to_pydict() == made.to_pydict()


def test_hardest_of_generate() -> None:
    names: list[Any] = ["Hidden_Single", "hidden-single", rapidoku.Technique.HIDDEN_SINGLE, ["hidden single"]]
    for hardest in names:
        made = rapidoku.generate(5, hardest=hardest)
        assert rapidoku.rate(made.puzzle).hardest == ["hidden single"] * 5


@pytest.mark.parametrize("threads", [1, 3])
def test_generate_gives_up(threads: int) -> None:
    with pytest.warns(RuntimeWarning, match="gave up after 100000 tries without a puzzle; puzzles: 0 of 5"):
        assert rapidoku.generate(5, clues=40, max_tries=100_000, threads=threads) == ([], [])
    # The rows before that do not depend on the number of threads.
    with pytest.warns(RuntimeWarning, match="puzzles: 2 of 1000"):
        made = rapidoku.generate(1000, clues=20, max_tries=5000, threads=threads, seed=5)
    assert made.puzzle == rapidoku.generate(2, clues=20, seed=5).puzzle


def test_options_of_generate() -> None:
    options: list[tuple[dict[str, Any], str]] = [
        ({"symmetry": "round"}, "symmetry must be one of none, half-turn, "),
        ({"hardest": "luck"}, "hardest: expected one of hidden-single, .*, not 'luck'"),
        ({"pattern": "X"}, "a pattern has 81 cells"),
        ({"pattern": "." * 81}, "fewer than 17 clues"),
        ({"symmetry": "full", "unbiased": True}, "exclude each other"),
        ({"uniform": True}, "uniform needs a pattern"),
        ({"clues": (24, 22)}, "the first number is greater than the last one"),
    ]
    for option, message in options:
        with pytest.raises(ValueError, match=message):
            rapidoku.generate(1, **option)
    text: Any = "24"
    with pytest.raises(TypeError):
        rapidoku.generate(1, clues=text)
    assert rapidoku.generate(0, clues=24) == ([], [])


def test_solutions_and_explain() -> None:
    solutions = rapidoku.solutions(TWO)
    assert len(set(solutions)) == 2
    assert solutions.status == "multiple"
    assert len(list(itertools.islice(rapidoku.solutions("." * 81), 1000))) == 1000
    assert len(list(rapidoku.solutions("." * 81, limit=7))) == 7
    with pytest.raises(ValueError, match="too short"):
        rapidoku.solutions("1")
    explanation = rapidoku.explain(PUZZLE)
    assert explanation.status == "unique"
    assert explanation.details["rating"]["er"] == 1.2
    assert explanation.details["steps"][0]["technique"] == "hidden single"
    assert len(explanation.details["steps"]) == 51
    assert rapidoku.explain("1").status == "invalid"
