//! The lane engine: one puzzle per 32-bit lane of a vector, many puzzles side by side.
//!
//! A fast solver for single puzzles spends its time on latency: it waits for the result of the last instruction, and
//! for mispredicted branches. This engine processes independent puzzles in the lanes of a vector, as BLAKE3 processes
//! independent chunks of its input. A *sweep* applies every inference once to the puzzles of all lanes, without a
//! branch. Then each lane whose puzzle is solved, contradictory or stuck gets something new to do, and the next sweep
//! starts.
//!
//! # Layout ([`layout`])
//!
//! A cell is in band `f`, row `r` of the band, stack `s`, column `k` of the stack, each `0..3`. Its box is on
//! diagonal `j = (s - f) mod 3`:
//!
//! ```text
//!            stack 0   1   2
//!     band 0       0   1   2         word 9r + 3j + k of a puzzle, 27 words in all:
//!     band 1       2   0   1    j
//!     band 2       1   2   0         bit 29 28        20 19 18        10 9  8         0
//!                                         g  123456789    g  123456789   g  123456789
//!                                            band 2          band 1          band 0
//!
//!                       lane 0   lane 1   lane 2  ...
//!     row 0, word 0     puzzle   puzzle   puzzle
//!     row 1, word 1        A        B        C
//!     ...
//!     row 26, word 26
//!     row 27               the index of each puzzle in its batch
//!     rows 28 to 35        the solution, if the last sweep solved the puzzle: eight words
//! ```
//!
//! A word holds the candidates of three cells: the cells at `(r, k)` in the three boxes of a diagonal. Field `f` is
//! the cell in band `f`. Bit `9 - d` of a field is digit `d`. The guard bit `g` above each field is clear. In memory
//! a row is one word of all lanes.
//!
//! The three boxes of band `f` are field `f` of `j = 0, 1, 2`. So one word-to-word operation applies a row or band
//! inference to three bands and nine digits at once. (JCZSolve also stores a band of one digit in 27 bits of a word;
//! here the bits of a word are cells of three bands.) The three boxes of a stack are in different fields. Rotating
//! diagonal `j` by `j` fields aligns them, and the same code processes columns and stacks.
//!
//! Guard bits make arithmetic within a field possible. Adding nine ones to a field carries into its guard exactly
//! when the field is not empty, and the sum without its guard is the field minus one.
//!
//! # Input and output ([`task`], [`load`], [`queue`], [`emit`])
//!
//! A puzzle is given as clues or as candidates (pencilmarks). Clues are transposed into words and removed from their
//! peers. Candidates start with the clues that they imply; then everything that is not a candidate is removed.
//!
//! The search is the same for three tasks. Of a [`batch`], it writes the first solution of each puzzle. For an
//! enumeration, it writes or counts all solutions ([`collect`]), and a puzzle with many of them is divided
//! ([`mod@enumerate`]). And it answers the [`probes`] of a generator, which are not known before earlier ones are
//! answered.
//!
//! With AVX-512 the queue sweeps new puzzles once or twice before they enter lanes. These are the sweeps that they
//! would have had in their lanes, so outcomes do not change.
//!
//! # A sweep ([`sweep`])
//!
//! 1. *Bands.* A digit has one minirow (three cells) in each box of a band, in three different rows. That leaves six
//!    configurations. Each is an AND of three words, and a minirow keeps the digits of the two configurations that
//!    contain it. This finds all locked candidates, pointing and claiming. Minirows and configurations are tdoku's
//!    triads and box configurations. Then naked triples: a minirow that contains all places of three digits in its
//!    box holds no other digit, and a fourth such digit has no place. Then configurations again.
//! 2. *Stacks*: the same with minicolumns, on the cells filtered by step 1.
//! 3. *Bands* again, on the cells filtered by both.
//! 4. *Cells.* A digit with one minirow and one minicolumn left in a box is a hidden single of its box. A cell with
//!    one candidate is a naked single. The cell loses all other digits; its box, and its row and column in the boxes
//!    of the next diagonals, lose the digit. The configurations of the next sweep find the rest.
//! 5. *Verdict* for each lane. Dead: an empty cell, two hidden singles in a cell, or a digit without a configuration.
//!    Solved: every house has nine different singles. Stuck: singles changed almost nothing. A stuck lane has a digit
//!    with two configurations: if all digits had one, each box would have nine digits for nine cells.
//!
//! # The search ([`search`], [`guess`])
//!
//! Each lane does a depth-first search of its own puzzle:
//!
//! ```text
//! loop
//!     idle lanes take new puzzles
//!     sweep
//!     solved           count; emit the first solution; at the limit, drop the stack
//!     stuck            push the state without the guessed digit; go on with the guess
//!     dead or solved   pop; with an empty stack, the puzzle is done
//! ```
//!
//! A guess places a digit in a minirow or minicolumn; the alternative removes it from there. This is tdoku's
//! branching on box configurations. The unit (band or stack) with the fewest excess configurations is chosen, and in
//! it a digit with exactly two if there is one. Where all units are almost empty, two digits are guessed at once.
//!
//! When no new puzzles are left, idle lanes take parts of other searches ([`split`]) without any change in outcomes.
//! With 16 lanes a puzzle of 1028 guesses is solved 13 times as fast as with one.
//!
//! No lane reads the puzzle of another. So the outcome of a puzzle (status, number of solutions, first solution,
//! number of guesses) does not depend on the instruction set, the number of lanes, the batch, or the neighbours.
//!
//! *The stack is bounded.* On the path from a puzzle to a node of its search, a guess that places a digit in a line
//! fixes the line of that digit in one box for good. [`guess`] takes the first box of the unit whose line is open.
//! That is the first or the second box, because the third follows from two. So a path has at most 2 such guesses for
//! each of 9 digits in each of 6 units, 108, and only these leave an entry on the stack. (In practice the depth stays
//! below 60.) An entry beyond that would be a bug, and panics. A guess of two digits, each in two boxes, counts as
//! four and takes one entry.
//!
//! # Slow grids
//!
//! The order of guesses makes a few grids slow: some almost empty grids with a contradiction in a corner need millions.
//! The caller caps the guesses and solves such a grid in another way, see [`restart`](crate::restart).
//!
//! The log of experiments is in `docs/engine-log.md`.

mod batch;
mod codegen;
mod collect;

mod emit;
mod enumerate;
mod guess;
mod layout;
mod load;
mod lookahead;
mod probes;
mod queue;
mod search;
mod split;
mod state;
mod sweep;
mod task;

use self::batch::Batch;
use self::probes::Answer;
use self::search::Search;
use self::split::Solve;
use self::task::Task;
use crate::cancel::{CancelToken, Cancelled};
use crate::grid::Candidates;
use crate::outcome::{Limits, Outcome, Outcomes, OutcomesMut, PuzzleSlice};
use crate::restart::{self, Method};
use crate::simd::SimdLevel;

pub use self::enumerate::{Sink, Stop, enumerate};
pub use self::probes::{PLACES, Probe, Tasks};

/// Solves a batch into `outcomes`, which has an entry for each puzzle. Stops when `cancel` is set.
pub fn solve(
    level: SimdLevel,
    given: PuzzleSlice,
    limits: Limits,
    outcomes: OutcomesMut,
    cancel: &CancelToken,
) -> Result<(), Cancelled> {
    let task = Task::Solve(Solve::new(Batch::new(given, outcomes), None));
    level.run(Search { task, limits, cancel })
}

/// Solves puzzles one at a time with look-ahead, as [`solve`] does.
pub fn look_ahead(
    level: SimdLevel,
    given: PuzzleSlice,
    limits: Limits,
    outcomes: OutcomesMut,
    cancel: &CancelToken,
) -> Result<(), Cancelled> {
    level.run(lookahead::LookAhead { given, limits, outcomes, cancel })
}

/// Searches for one solution with look-ahead and [restarts](restart).
pub fn find_one(
    level: SimdLevel,
    given: &Candidates,
    guesses: u64,
    cancel: &CancelToken,
) -> Result<Outcome, Cancelled> {
    let limits = Limits::FIRST.max_guesses(guesses);
    let mut outcomes = Outcomes::new();
    outcomes.resize(1);
    let given = std::slice::from_ref(given);
    restart::run(Method::LookAhead, limits, given.into(), outcomes.as_mut(), |_, given, limits, outcomes| {
        look_ahead(level, given, limits, outcomes, cancel)
    })?;
    Ok(outcomes.get(0).expect("there is one puzzle"))
}

/// Answers the probes of tasks until all are done. Stops when `cancel` is set. `count` finishes searches that are too
/// long for the lanes.
pub fn answer(
    level: SimdLevel,
    tasks: &mut dyn Tasks,
    count: fn(&Probe) -> u64,
    cancel: &CancelToken,
) -> Result<(), Cancelled> {
    let limits = Limits::UNIQUE.max_guesses(tasks.max_guesses());
    let task = Task::Answer(&mut Answer::new(tasks, count));
    level.run(Search { task, limits, cancel })
}
