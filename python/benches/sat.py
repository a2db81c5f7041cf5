"""How hard the worst pencilmarks that are known are for solvers of clauses (SAT): conflicts and time, up to two solutions.

    pip install python-sat
    python python/benches/sat.py [SOLVER]...        # default: cadical195 glucose4 minisat22

Prints the greatest numbers and their sums. A solution that is found is forbidden by a clause, and the search goes on.
"""

import sys
import time
from itertools import combinations
from pathlib import Path

from pysat.solvers import Solver

FILE = Path(__file__).resolve().parents[2] / "datasets" / "worst_cases_pencilmarks.txt"
NINE = range(9)
HOUSES = (
    [[9 * r + c for c in NINE] for r in NINE]
    + [[9 * r + c for r in NINE] for c in NINE]
    + [[27 * (b // 3) + 3 * (b % 3) + 9 * (i // 3) + i % 3 for i in NINE] for b in NINE]
)


def exactly_one(variables: list[int]) -> list[list[int]]:
    return [variables, *([-a, -b] for a, b in combinations(variables, 2))]


# Variable 9 * cell + digit (1 to 9), in the order of the pencilmarks.
RULES = [clause for cell in range(81) for clause in exactly_one([9 * cell + d + 1 for d in NINE])] + [
    clause for house in HOUSES for d in NINE for clause in exactly_one([9 * cell + d + 1 for cell in house])
]


def solve(name: str, pencilmarks: str) -> tuple[int, int, float]:
    """Solutions (at most 2), conflicts and milliseconds without those for the rules."""
    with Solver(name=name, bootstrap_with=RULES) as solver:
        for variable, character in enumerate(pencilmarks, 1):
            if character == ".":
                solver.add_clause([-variable])
        start = time.perf_counter()
        solutions = 0
        while solutions < 2 and solver.solve():
            solutions += 1
            solver.add_clause([-v for v in solver.get_model() if v > 0])
        return solutions, solver.accum_stats()["conflicts"], 1000 * (time.perf_counter() - start)


def main(names: list[str]) -> None:
    records = [line.split(",") for line in FILE.read_text().split() if len(line) > 729]
    for name in names:
        found = [solve(name, pencilmarks) for pencilmarks, *_ in records]
        assert [str(solutions) for solutions, *_ in found] == [solutions for _, solutions in records]
        conflicts, times = ([row[k] for row in found] for k in [1, 2])
        print(
            f"{name}: {len(found)} pencilmarks, at most {max(conflicts):,} conflicts and {max(times):.0f} ms,"
            f" together {sum(conflicts):,} and {sum(times):.0f} ms"
        )


if __name__ == "__main__":
    main(sys.argv[1:] or ["cadical195", "glucose4", "minisat22"])
