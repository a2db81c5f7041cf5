//! The lane engine: one puzzle per 32-bit lane of a vector, many puzzles side by side.
//!
//! A fast solver for one puzzle spends its time waiting: for the result of the last instruction, and
//! for branches that nobody can predict. Here nothing waits. A *sweep* applies every inference once
//! to the puzzles of all lanes, without a branch; then each lane whose puzzle is solved, refuted or
//! stuck gets something new to do, and the next sweep starts.
//!
//! # Where a candidate is
//!
//! A cell is in band `f`, row `r` of the band, stack `s`, column `k` of the stack, all `0..3`. Its box
//! lies on the diagonal `j = (s - f) mod 3`:
//!
//! ```text
//!            stack 0   1   2
//!     band 0       0   1   2         word 9r + 3j + k of a puzzle, 27 words in all:
//!     band 1       2   0   1    j
//!     band 2       1   2   0         bit 29 28        20 19 18        10 9  8         0
//!                                         g  123456789    g  123456789   g  123456789
//!                                            band 2          band 1          band 0
//! ```
//!
//! A word holds the candidates of three cells, those of the three boxes of a diagonal at the same
//! `(r, k)`: field `f` is the cell in band `f`, bit `9 - d` of a field is digit `d`, and the guard `g`
//! above each field is clear. In memory a row is one word of all lanes.
//!
//! The three boxes of band `f` are field `f` of `j = 0, 1, 2`. So whatever there is to say about rows
//! and bands is said with plain word-to-word logic, for three bands and nine digits at once. The three
//! boxes of a stack are in different fields; a rotation of diagonal `j` by `j` fields lines them up,
//! and the same code does columns and stacks. Guards make arithmetic inside a field possible: adding
//! nine ones to a field carries into its guard exactly when it is not empty, and the sum less its guard
//! is the field minus one.
//!
//! A puzzle comes as clues, or as candidates (pencilmarks): then the clues among these are put into a lane in the
//! same way, and what is no candidate is taken from its words.
//!
//! # A sweep ([`sweep`])
//!
//! 1. *Bands.* A digit takes one minirow (three cells) in each box of a band, in three different rows:
//!    six configurations. Each is an AND of three words; a minirow keeps the digits of the two
//!    configurations that use it. This is locked candidates, pointing and claiming, to the end. Then
//!    naked triples: a minirow to which three digits are confined holds no other, and a fourth digit confined to
//!    it is nowhere. Then configurations again.
//! 2. *Stacks*, the same with minicolumns, on the cells that the bands have left.
//! 3. *Bands* again, on what both have left.
//! 4. *Cells.* A digit with one minirow and one minicolumn left in a box is a hidden single of its row,
//!    column and box at once. A cell with one candidate left is a naked single. The cell loses all others, and its box the
//!    digit, as do its row and column in the boxes of the next diagonals (everything else follows from
//!    the configurations of the next sweep).
//! 5. *Verdict* for each lane: dead (an empty cell, or one with two hidden singles, a digit without configuration), solved
//!    (every house has nine singles, all different), stuck (singles have moved next to nothing), or none of these. A
//!    stuck lane has a digit with two configurations: if all were settled, each box would have nine digits for nine cells.
//!
//! # The search ([`search`])
//!
//! Each lane does a depth-first search of its own puzzle and of nothing else:
//!
//! ```text
//! loop
//!     idle lanes take new puzzles
//!     sweep
//!     solved  count; the first solution goes out; at the limit the stack is dropped
//!     stuck   push the words less the guess; go on with the guess
//!     dead or solved   pop; with an empty stack, the puzzle is done
//! ```
//!
//! A guess ([`fork`]) says that a digit stands in a minirow or minicolumn, or that it does not. It is
//! made where the six bands and stacks have the fewest configurations to spare, in a digit with exactly
//! two if there is one. Where even these are nearly empty two digits are guessed at once.
//!
//! Where it pays, new puzzles are swept once or twice while they wait for a lane ([`inbox`]). These are the sweeps that they
//! would have in their lanes, so that it changes nothing but the time they take.
//!
//! When there are no puzzles left for idle lanes, they take parts of the searches of others ([`share`]), in such a way that
//! it does not show in what comes out: a puzzle of 1028 guesses is solved thirteen times as fast by sixteen lanes as
//! by one.
//!
//! Since no lane looks at another's puzzle, the outcome of a puzzle (status, solutions, which one is first,
//! number of guesses) does not depend on the instruction set, the number of lanes, the batch, or the
//! neighbours.
//!
//! *The stack is bounded.* On the way from a puzzle to any node of its search, a guess that a digit
//! *does* stand in a minirow settles its line in one box for good, and [`fork`] takes the first box of
//! the unit whose line is open: the first or the second, for with two settled the third follows. So a
//! way has at most 2 such guesses for each of 9 digits in each of 6 units, 108, and only these leave
//! something on the stack. (In practice it stays below 60.) An entry beyond that would be a bug, and
//! panics. A guess of two digits, each in two boxes, is four such guesses and takes the place of one.
//!
//! # What paid, and what did not
//!
//! Figures are effects on sweeps or time when the step was tried; guesses and sweeps can be counted
//! exactly, time depends on the machine.
//!
//! * Naked triples in both directions: 20 % fewer sweeps for 20 % of the operations, and without them nearly
//!   empty grids are never finished: the search puts a fourth digit into a minirow and notices very late.
//!   To look for that fourth digit itself (2 % more operations) is worth less than 1 % of the sweeps on most
//!   sets, but three quarters of the guesses on the slow grids below.
//!   Hidden triples (a minirow with only three digits left owns them) on top, in the stacks: 2 to 5 % fewer
//!   sweeps, 11 % more operations.
//! * Each closure of configurations, 2 % of the operations: the one before the naked triples of the bands saves 4 %
//!   of the sweeps, the one after them 3 %, both together 20 %; the one before those of the stacks 10 %. The third
//!   pass, bands again, is 6 % of the operations and saves 15 %.
//!   Stacks again after that: 9 % of the operations and 7 to 9 % fewer sweeps on 17-clue puzzles and the hardest, which
//!   are 3 and 1 % faster, but 0 to 5 % fewer on all others, which are 2 to 5 % slower.
//! * Naked singles that leave rows and columns at once, and by the way tell when a puzzle is solved, one sweep
//!   before its configurations do: 14 % fewer sweeps on easy puzzles, 7 % on 17-clue ones, 3 % on the hardest, for
//!   4 % more operations.
//!   From minirow to minirow inside a box as well: 2 % fewer sweeps for 1 % more operations, and no faster, since
//!   then each row waits for the one before.
//! * Naked singles found in what a cell has before hidden ones take their part, so that neither waits for the other: sweeps
//!   take 7 % less time on Zen 5, all that hangs on them 2 to 4 %. It is then wrong not to look for two hidden singles in
//!   a cell: every tenth sweep on the hardest would be saved by taking a contradiction for a solution. With that look dead
//!   branches end sooner, by up to 3 % of the sweeps. Its 3 % of the operations are won back by looking for empty cells
//!   two at a time. For two naked singles of a box as well: less than 1 % of the sweeps for 1 %. Without the look for empty
//!   cells 15 % more sweeps on 17-clue puzzles.
//! * Hidden singles found in what the boxes before have left rows and columns, not in what these had before: 2 % fewer
//!   sweeps, although each diagonal waits for the one before it.
//! * The choice of guesses for all lanes at once as soon as any is stuck: a quarter faster on hard
//!   puzzles than scalar code for each stuck lane.
//!   Made in every sweep, between bands and cells, where its latency would not show: 3 % slower on the hardest, 5 to 7 %
//!   where few lanes guess. Made first of all after a sweep, ahead of every branch that nobody can predict, so that the two
//!   wait at the same time: on Zen 5 3 to 8 % faster wherever lanes guess, with AVX2 up to 7 %. What is put aside
//!   made there as well, for all lanes at once: 3 to 6 % slower than a few words of each lane.
//! * A shorter chain in that choice (least keys in pairs, three ranks of digits as one word, a mask by arithmetic) for as
//!   many operations: on Zen 5 1 to 3 %. Without any question which box it is, for some rotations more: 1 % slower.
//! * Several vectors of puzzles, their events handled one sweep late to hide latency and mispredicted
//!   branches: nothing. What counts is the number of instructions. On Zen 5, which has twice the units for vectors of 512
//!   bits, nothing either with three of them, and 3 to 10 % slower with two.
//! * New puzzles swept up to twice ahead, a whole vector of them with nothing to be done in between: on Zen 5 3 to 7 %
//!   faster on 17-clue and minimal puzzles, 10 % where there is no solution, 1 to 3 % elsewhere. (On easy puzzles between
//!   nothing and 4 %.) Three times or more: 17-clue puzzles another 2 %, minimal ones 2 to 3 % slower, as more of them
//!   are stuck in that time, or done. Only by one and the same code for all sweeps: by a copy of it easy puzzles are 5 to
//!   9 % slower than without, it seems because the instructions no longer fit the nearest cache, and by a function for
//!   both all sets are. With AVX2 nothing to 4 % slower, at 128 bits up to 9 %. To overlook that a puzzle is stuck in its
//!   first two sweeps, so that nothing has to be swept again: 4 to 6 % more sweeps with many solutions and on sparse
//!   grids.
//! * Lanes refilled behind the sweep that emptied them, not ahead of the next, so that the code that fills is there twice:
//!   on Zen 5 2 to 3 % faster, with AVX2 1 to 8 %, at 128 bits 1 to 15 %.
//! * The code that writes solutions in one place, where lanes leave them in three: with two copies of it what easy
//!   puzzles need takes 27 KB, and on Zen 5 the code that loads stood still at every other cache line of it, it seems to
//!   be fetched. Easy puzzles are 6 to 15 % faster, minimal ones 3 %, those without a solution 2 to 4 % slower; with AVX2
//!   all are 1 to 5 % faster, at 128 bits 3 to 8 %. To fill lanes in one place as well, at the head of the loop: easy
//!   puzzles another 2 %, but 17-clue puzzles and those with many solutions 3 to 4 % slower, with AVX2 and at 128 bits
//!   most by 8 to 12 %. Code that loads in loops, for half its size: 3 to 10 % slower.
//! * Puzzles read from text some hundreds at a time, while others are solved, so that they come from the nearest cache:
//!   nothing, or less.
//! * Copies to the stacks put off into the next sweep, to fill its idle load and store units: 5 % slower,
//!   since each branch in the sweep costs registers.
//! * Emptying and filling lanes with one permutation per word, even if it is a single one, when wide vectors have it: 2 %
//!   faster than word by word for up to two lanes, since there is no branch on their number. Without such an instruction
//!   word by word for all of them, 14 to 20 % faster on easy puzzles than to build vectors.
//! * Solved grids that leave their lanes as the digits of two minirows and two minicolumns in two boxes of three, which
//!   a sweep has anyway: eight words instead of 27. 3 % faster on 17-clue and easy puzzles, with AVX2 5 %.
//! * Cells that go from memory to vectors at once, four pieces of 16 bytes to each, where they were put together in
//!   memory by smaller stores, for which the load of a vector had to wait: filling lanes takes a third less time, and
//!   easy puzzles and those without a solution are 3 to 4 % faster.
//! * What a puzzle comes to that is solved without a guess, noted for a vector of puzzles when they are loaded, so that
//!   nothing is left to do for each lane: 4 to 8 % faster on easy puzzles. Unless this memory is asked for ahead, they
//!   are 1 % slower. As the last puzzle without a guess ended, solved or refuted: 4 % faster where there is no solution,
//!   3 % slower on the hardest.
//! * The puzzles of the next vector asked for ahead: nothing when they have just been read by the same thread, 20 % on easy
//!   puzzles that come from farther away.
//! * Puzzles loaded from their text, without bytes of digits in between: 2 % faster where there is no solution,
//!   nothing elsewhere.
//! * The digit of a guess taken from the words of all lanes at once, and lanes brought back from the stack before others
//!   guess: 6 % faster on the hardest, 5 % with many solutions, 13 % on sparse grids, 2 % slower on minimal puzzles.
//!   To load a row has to wait where a lane of it has just been stored.
//! * The words of four or more lanes that guess taken from the rows by permutations, eight lanes at a time, if
//!   vectors are wide enough: 6 to 8 % faster on sparse grids, 3 % with many solutions, 1 % on the hardest. The same
//!   for fewer lanes: nothing. With AVX2 all lanes transposed: 10 % on sparse grids, nothing elsewhere; at 128 bits
//!   nothing, and no more than the permutations where there are these.
//! * What these words lose by the guess taken from them on their way, in vectors, rather than from three words of each entry;
//!   then for any number of lanes, so that no other code is needed. With parts of guesses of two digits that come
//!   to their entries side by side, too: on Zen 5 8 % faster on sparse grids, 3 % with many solutions, 1 % on the hardest,
//!   nothing elsewhere. With AVX2 up to 3 % slower, at 128 bits up to 6 %. Taken from an entry when that is
//!   needed, which most never are: 6 % on sparse grids, but 7 % slower on the hardest, where each one is waited for.
//! * Three or four lanes brought back from the stack by permutations, without a branch on how many they are: on Zen 5 4 %
//!   faster on the hardest, 2 % slower with many solutions. One or two as well: 3 % slower on 17-clue puzzles.
//! * All rows copied as they are when lanes guess, for all of them: 3 % slower than word by word for each, except
//!   on sparse grids, where two thirds of the lanes guess. Twenty-seven stores of whole vectors take their time.
//!   Sweeps that write to another place, so that stacks need only tell where the words of a guess are: 12 to 20 %
//!   slower, as to bring a lane back takes 27 cache lines instead of two.
//! * Lanes brought back from the stack all at once, with one store per word: 8 % slower than scalar stores for
//!   each, although the sweep that follows must wait for these.
//! * Four vectors of puzzles swept in turn, so that one choice serves the stuck lanes of all: what it saves the
//!   colder caches take, and the end of a batch leaves more lanes idle.
//! * Searches shared at the end of a batch: 17-clue puzzles, one in a hundred of which takes 11 guesses and one in ten thousand
//!   hundreds, are solved 2 % faster in batches of 6400 and 17 % faster in batches of 1600. Where lanes ask for
//!   shared work one by one, in the ways of all puzzles, it costs 2 %; asked for all together after a sweep, half a percent.
//! * A lane is stuck when singles have changed nothing that a minirow or minicolumn holds, of the boxes of two
//!   diagonals. To look at each cell instead, for as many operations, takes 5 % more sweeps on the hardest and 9 %
//!   more with many solutions. All three diagonals: 1 % fewer sweeps and 20 % fewer guesses on 17-clue puzzles, which
//!   are 2 % faster, but 2 % more sweeps on the hardest and 5 % with many solutions. Minirows alone: 14 % more guesses
//!   on the hardest, 50 % on 17-clue ones. New naked singles, told by those of the sweep before: 3 % fewer operations,
//!   and 4 % more sweeps on the hardest, 16 % with many solutions.
//!   All three diagonals until the first guess, two from then on: 17-clue puzzles 2 % faster, the hardest and those
//!   with many solutions 1 to 2 % slower, with AVX2 4 %. One digit of a field allowed to move while a search has met
//!   no dead end: 5 % fewer sweeps and 4 % more guesses with many solutions, and nothing gained.
//! * Two digits at once where every band and stack is nearly empty: 30 % fewer sweeps on sparse grids, which are 19 %
//!   faster, with AVX2 23 %, at 128 bits 29 %; nothing on others, but for 1 % that the question costs. Three digits: 5 % fewer
//!   sweeps, three times the dead ends. Where there is less to spare as well: still fewer sweeps on sparse grids, more on the
//!   hardest. Digits that are not open across rather than those that are: half as many sweeps again on the slow grids below.
//!   Such a guess is one entry of the stack, taken apart when it is needed, since nine of ten never are: in searches for
//!   one or two solutions. Without such guesses sparse grids take a quarter longer at limit 2, as long at limit 6 (with
//!   AVX2 at 12), and three fifths of it at limits from 100 on.
//!   Two digits in further guesses of a puzzle that begins like that, if there is half as much to spare: 15 % fewer sweeps on
//!   sparse grids, which are 3 % faster, with AVX2 7 %, at 128 bits 12 %, as more of these entries have to be taken apart.
//!   Wherever the units have as much to spare on the whole: a little more on sparse grids, 8 % slower with many solutions,
//!   where few lanes make such guesses. One cell rather than a line of a box: 9 % fewer guesses on sparse grids, 40 %
//!   more on the hardest. A band and a stack at once, and all anew at the first dead end: 10 to 20 %
//!   more sweeps, as three of five such searches come to one.
//! * Several guesses at once elsewhere, while a search has met no dead end: 3 % fewer sweeps with many solutions. A second
//!   one, in another digit of another band (or stack), from the second guess on and where there is not much to spare:
//!   8 % fewer sweeps with many solutions, up to 1 % more on the others, but on Zen 5 it is 14 % slower, as a choice
//!   for the few lanes that make a second one takes as long as for all.
//! * The stacks of a thread kept from batch to batch: 2 to 6 %, as it costs page faults to get them.
//! * Digits with two, three to five, and six configurations weigh 1, 2 and 3 in the choice of a unit: 15 % fewer
//!   guesses and 5 % fewer sweeps on 17-clue puzzles than with 2, 3 and 3, though 5 % more sweeps on the hardest.
//!   One for all: 3 % fewer sweeps on the hardest than with 2, 3 and 3, 4 % more on 17-clue ones, and nearly empty
//!   grids that do not end. Of units with as much to spare, that with the fewest open digits: 1.5 % fewer sweeps
//!   on the hardest, 0.4 % more on 17-clue puzzles, for a fifth more operations in the choice. As many as there
//!   are configurations, less one: as 1, 2 and 3, for more operations. To take the digit that is nearest to being
//!   settled in all units: five times the guesses on the hardest. In a unit, digits that are open across: 2 to 4 %
//!   fewer sweeps. To prefer units that have such a digit: nothing on most sets, up to 20 % more on the hardest.
//!   Digits whose two configurations differ in all boxes, or have a single cell in each minirow: nothing.
//! * To guess when only hidden or only naked singles moved: as many sweeps, 10 to 50 % more guesses.
//! * Plain arrays for the portable level: the compiler vectorises them in small functions and gives up in
//!   one of this size.
//!
//! # What is known to be slow
//!
//! A few grids with few clues. Of 291,141 made by taking a clue from a minimal contradiction (so that they
//! have solutions, but few places to look for them), 63 need more than 500 guesses, and 20 more than 20,000.
//! It is bad luck with the order of guesses: which grids are slow changes with every detail of it, and the
//! single-puzzle solver has others. [`Search::max_guesses`] is for them.

mod fork;
mod inbox;
mod layout;
mod outbox;
pub mod pieces;
mod search;
mod share;
mod sweep;
mod text;
mod tuning;

use crate::engine::{Given, Outcomes, Search, Work};
use crate::simd::Level;

/// Solves a batch; `outcomes` has an entry for each puzzle.
pub(crate) fn solve(level: Level, given: Given, search: Search, outcomes: Outcomes) -> Work {
    level.run(search::Solve { given, search, outcomes })
}
