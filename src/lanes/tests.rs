//! Tests of the stages: each available level against the portable one, against simple code where there is some, and
//! no stage loses a solution.
//!
//! The outcomes of whole searches are tested in `tests/it/lanes.rs`.

use std::ops::ControlFlow;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::emit::emit;
use super::guess::{self, choose};
use super::layout::{ALL, FIELD, ROWS, SOLVED_WORDS, WORDS, word_and_field};
use super::load::load;
use super::probes::{Probe, Probes};
use super::sweep::sweep;
use crate::cancel::CancelToken;
use crate::grid::{CELLS, Candidates, Puzzle};
use crate::outcome::{BLANK_ROW, Limits, Outcomes, ROW, Status};
use crate::simd::{self, Kernel, MOST_LANES, Row, Simd, SimdLevel};
use crate::solver::Solver;
use crate::{scalar, verify};

/// The candidates of a puzzle in the engine's layout.
type Words = [u32; WORDS];

/// A complete grid: a canonical one with its digits, rows, columns, bands and stacks permuted.
fn random_grid(random: &mut ChaCha8Rng) -> [u8; CELLS] {
    let mut lines = || -> Vec<usize> {
        let mut bands = [0, 1, 2];
        bands.shuffle(random);
        let mut line_of = |band: usize| {
            let mut lines = [3 * band, 3 * band + 1, 3 * band + 2];
            lines.shuffle(random);
            lines
        };
        bands.into_iter().flat_map(&mut line_of).collect()
    };
    let (rows, columns) = (lines(), lines());
    let mut digits: [u8; 9] = std::array::from_fn(|digit| digit as u8 + 1);
    digits.shuffle(random);
    let is_transposed = random.random_bool(0.5);
    std::array::from_fn(|cell| {
        let (row, column) = if is_transposed { (cell % 9, cell / 9) } else { (cell / 9, cell % 9) };
        let (row, column) = (rows[row], columns[column]);
        digits[(3 * (row % 3) + row / 3 + column) % 9]
    })
}

fn bit(cell: usize, digit: u8) -> (usize, u32) {
    let (word, field) = word_and_field(cell);
    (word, 1 << (FIELD * field as u32 + 9 - u32::from(digit)))
}

fn words(mut is_candidate: impl FnMut(usize, u8) -> bool) -> Words {
    let mut words = [0; WORDS];
    for cell in 0..CELLS {
        for digit in (1..=9).filter(|&digit| is_candidate(cell, digit)) {
            let (word, bit) = bit(cell, digit);
            words[word] |= bit;
        }
    }
    words
}

/// All candidates of a solution and some others.
fn random_state(random: &mut ChaCha8Rng, solution: &[u8; CELLS]) -> Words {
    let keep = random.random_range(0.05..1.0);
    words(|cell, digit| digit == solution[cell] || random.random_bool(keep))
}

/// Random states with their solution, from almost solved to almost empty.
fn states_with_solution(random: &mut ChaCha8Rng, n: usize) -> (Vec<Words>, Vec<Words>) {
    let state_and_solution = || {
        let solution = random_grid(random);
        (random_state(random, &solution), words(|cell, digit| digit == solution[cell]))
    };
    std::iter::repeat_with(state_and_solution).take(n).unzip()
}

fn is_subset(a: &Words, b: &Words) -> bool {
    a.iter().zip(b).all(|(a, b)| a & !b == 0)
}

/// Stores words of a number of puzzles, at most one per lane, as rows.
fn to_rows<R: Row, const N: usize>(puzzles: &[[u32; N]]) -> [R; N] {
    let mut rows = [R::ZERO; N];
    for (i, row) in rows.iter_mut().enumerate() {
        for (lane, puzzle) in row.lanes_mut().iter_mut().zip(puzzles) {
            *lane = puzzle[i];
        }
    }
    rows
}

fn from_rows<R: Row, const N: usize>(rows: &[R], lane: usize) -> [u32; N] {
    std::array::from_fn(|i| rows[i].lanes()[lane])
}

struct LoadAll<'a>(&'a [Puzzle]);

impl Kernel for LoadAll<'_> {
    /// The words of each puzzle without a clash.
    type Output = Vec<Option<Words>>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Output {
        let mut output = Vec::new();
        for chunk in self.0.chunks(S::LANES) {
            let mut puzzles = [Puzzle::EMPTY; MOST_LANES];
            puzzles[..chunk.len()].copy_from_slice(chunk);
            let mut rows = [S::Row::ZERO; WORDS];
            let clash = load(s, &puzzles, &mut rows);
            output.extend(
                (0..chunk.len()).map(|lane| (clash >> lane & 1 == 0).then(|| from_rows(&rows, lane))),
            );
        }
        output
    }
}

/// The result of a sweep.
#[derive(Clone, Debug, PartialEq)]
struct Swept {
    is_dead: bool,
    is_solved: bool,
    is_stuck: bool,
    /// Zero in dead lanes, where they are unspecified.
    words: Words,
    configs: [u32; 12],
    /// Zero unless solved.
    solved_words: [u32; SOLVED_WORDS],
}

/// Sweeps states, in place or from one vector to another.
struct SweepAll<'a>(&'a [Words], bool);

impl Kernel for SweepAll<'_> {
    type Output = Vec<Swept>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Vec<Swept> {
        let SweepAll(states, in_place) = self;
        let to = usize::from(!in_place);
        let mut output = Vec::new();
        for chunk in states.chunks(S::LANES) {
            let mut vectors = [[S::Row::ZERO; ROWS]; 2];
            vectors[0][..WORDS].copy_from_slice(&to_rows::<S::Row, WORDS>(chunk));
            let mut configs = [S::Row::ZERO; 12];
            let verdict = sweep(s, &mut vectors, 0, to, &mut configs);
            output.extend((0..chunk.len()).map(|lane| {
                let [is_dead, is_solved, is_stuck] =
                    [verdict.dead, verdict.solved, verdict.stuck].map(|mask| mask >> lane & 1 == 1);
                let solved_words = from_rows::<_, SOLVED_WORDS>(&vectors[to][ROWS - SOLVED_WORDS..], lane);
                Swept {
                    is_dead,
                    is_solved,
                    is_stuck,
                    words: if is_dead { [0; WORDS] } else { from_rows(&vectors[to], lane) },
                    configs: from_rows::<_, 12>(&configs, lane)
                        .map(|word| if is_dead { 0 } else { word & ALL }),
                    solved_words: solved_words.map(|word| if is_solved { word & ALL } else { 0 }),
                }
            }));
        }
        output
    }
}

/// The children of a guess: the first, and the alternatives to it.
#[derive(Clone, Debug, PartialEq)]
struct Children {
    first: Words,
    others: Vec<Words>,
}

/// Guesses in states that have been swept; in those with an odd index as after a first guess of two digits.
struct GuessAll<'a>(&'a [Swept]);

impl Kernel for GuessAll<'_> {
    type Output = Vec<Children>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Vec<Children> {
        let mut output = Vec::new();
        for chunk in self.0.chunks(S::LANES) {
            let states: Vec<_> = chunk.iter().map(|swept| swept.words).collect();
            let configs: Vec<_> = chunk.iter().map(|swept| swept.configs).collect();
            let every_lane = u32::MAX >> (32 - chunk.len());
            let configs = to_rows(&configs);
            let mut guess = choose(s, &configs, every_lane, 0xAAAA);
            let mut parts = [S::Row::ZERO; 4];
            if guess.pairs != 0 {
                guess.guess_pairs(s, &configs, &mut parts);
            }
            let mut rows = to_rows(&states);
            guess.apply(s, &mut rows);
            let mut removed = [S::Row::ZERO; WORDS];
            for (row, bits) in removed.iter_mut().zip(guess.removed_from_second(s)) {
                s.store(bits, row);
            }
            let [lines, digits] = guess.lines_and_digits(s);
            for (lane, state) in states.iter().enumerate() {
                let mut others = Vec::new();
                let is_pair = guess.pairs >> lane & 1 == 1;
                let mut entry = [0; 32];
                entry[..WORDS].copy_from_slice(state);
                if is_pair {
                    guess::mark_pair(&mut entry, simd::four_words(&parts, simd::transposed_at::<S>(lane)));
                    assert!(guess::is_pair(&entry));
                    loop {
                        let (words, is_last) = guess::pop_pair(&mut entry);
                        others.push(*words.first_chunk().unwrap());
                        if is_last {
                            break;
                        }
                    }
                } else {
                    // The two ways of the search to the second child.
                    for word in guess::LINES[lines.lanes()[lane] as usize] {
                        entry[usize::from(word)] &= !digits.lanes()[lane];
                    }
                    let removed: Words = from_rows(&removed, lane);
                    let second = std::array::from_fn(|i| state[i] & !removed[i]);
                    assert_eq!(entry[..WORDS], second);
                    others.push(second);
                }
                output.push(Children { first: from_rows(&rows, lane), others });
            }
        }
        output
    }
}

struct EmitAll<'a>(&'a [[u32; SOLVED_WORDS]]);

impl Kernel for EmitAll<'_> {
    type Output = Vec<[u8; ROW]>;

    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Output {
        let mut rows = vec![BLANK_ROW; self.0.len()];
        for (at, chunk) in self.0.chunks(S::LANES).enumerate() {
            // Lanes in reverse order, so that the index of a row is not its lane.
            let ids: Vec<u32> = (0..chunk.len()).rev().map(|lane| (at * S::LANES + lane) as u32).collect();
            let reversed: Vec<_> = chunk.iter().rev().copied().collect();
            emit(s, &to_rows(&reversed), &ids, &mut rows);
        }
        rows
    }
}

/// Sweeps states until each is dead, solved or stuck.
fn sweep_to_end(level: SimdLevel, states: &[Words]) -> Vec<Swept> {
    let mut swept = level.run(SweepAll(states, true));
    for _ in 0..81 {
        let is_open = |swept: &Swept| !(swept.is_dead || swept.is_solved || swept.is_stuck);
        let open: Vec<usize> = (0..swept.len()).filter(|&at| is_open(&swept[at])).collect();
        let states: Vec<Words> = open.iter().map(|&at| swept[at].words).collect();
        for (at, next) in open.into_iter().zip(level.run(SweepAll(&states, true))) {
            swept[at] = next;
        }
    }
    swept
}

#[test]
fn loading_leaves_the_candidates_that_no_clue_in_a_house_excludes() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut puzzles = Vec::new();
    for _ in 0..300 {
        let (grid, keep) = (random_grid(&mut random), random.random_range(0.0..1.0));
        let mut cells = grid.map(|digit| if random.random_bool(keep) { digit } else { 0 });
        if random.random_bool(0.3) {
            cells[random.random_range(0..CELLS)] = random.random_range(1..=9);
        }
        puzzles.push(Puzzle::from_cells(cells).unwrap());
    }
    let sees = |a: usize, b: usize| {
        a != b && (a / 9 == b / 9 || a % 9 == b % 9 || (a / 27, a % 9 / 3) == (b / 27, b % 9 / 3))
    };
    let expected: Vec<Option<Words>> = puzzles
        .iter()
        .map(|puzzle| {
            let clues = puzzle.cells();
            let is_candidate = |cell: usize, digit: u8| match clues[cell] {
                0 => !(0..CELLS).any(|peer| clues[peer] == digit && sees(cell, peer)),
                clue => clue == digit,
            };
            puzzle.clash().is_none().then(|| words(is_candidate))
        })
        .collect();
    assert!(expected.iter().any(Option::is_none));
    for level in SimdLevel::available() {
        assert_eq!(level.run(LoadAll(&puzzles)), expected, "{level}");
    }
}

#[test]
fn a_sweep_is_the_same_at_every_level() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let (mut states, _) = states_with_solution(&mut random, 500);
    for state in states.iter_mut().step_by(3) {
        // Without a solution, most likely.
        let (word, bit) = bit(random.random_range(0..CELLS), random.random_range(1..=9));
        state[word] &= !bit;
    }
    for _ in 0..3 {
        let expected = SimdLevel::PORTABLE.run(SweepAll(&states, true));
        for level in SimdLevel::available() {
            for in_place in [true, false] {
                assert_eq!(level.run(SweepAll(&states, in_place)), expected, "{level}");
            }
        }
        states = expected.iter().map(|swept| swept.words).collect();
    }
}

#[test]
fn a_sweep_removes_no_candidate_of_a_solution() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let (states, solutions) = states_with_solution(&mut random, 2000);
    for level in SimdLevel::available() {
        let mut states = states.clone();
        for _ in 0..10 {
            let swept = level.run(SweepAll(&states, true));
            for ((swept, state), solution) in swept.iter().zip(&mut states).zip(&solutions) {
                assert!(!swept.is_dead, "{level}: {state:?}");
                assert!(is_subset(solution, &swept.words), "{level}: {state:?}");
                assert!(is_subset(&swept.words, state), "{level}: {state:?}");
                assert!(!swept.is_solved || swept.words == *solution, "{level}: {state:?}");
                *state = swept.words;
            }
        }
    }
}

#[test]
fn a_guess_is_the_same_at_every_level_and_each_solution_is_in_one_child() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let (states, solutions) = states_with_solution(&mut random, 2000);
    let swept = sweep_to_end(SimdLevel::PORTABLE, &states);
    let (stuck, solutions): (Vec<_>, Vec<_>) =
        swept.into_iter().zip(solutions).filter(|(swept, _)| swept.is_stuck).unzip();
    let expected = SimdLevel::PORTABLE.run(GuessAll(&stuck));
    assert!(expected.iter().any(|children| children.others.len() == 1), "guesses of one digit");
    assert!(expected.iter().any(|children| children.others.len() > 1), "guesses of two digits");
    for ((children, before), solution) in expected.iter().zip(&stuck).zip(&solutions) {
        let all: Vec<_> = [&children.first].into_iter().chain(&children.others).collect();
        assert!(all.iter().all(|child| is_subset(child, &before.words)));
        assert_eq!(all.iter().filter(|child| is_subset(solution, child)).count(), 1, "{:?}", before.words);
    }
    for level in SimdLevel::available() {
        let found = level.run(GuessAll(&stuck));
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found, expected, "{level}");
        }
    }
}

#[test]
fn solved_grids_are_emitted_as_text() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let grids: Vec<_> = (0..100).map(|_| random_grid(&mut random)).collect();
    let states: Vec<_> = grids.iter().map(|grid| words(|cell, digit| digit == grid[cell])).collect();
    for level in SimdLevel::available() {
        let swept = level.run(SweepAll(&states, true));
        assert!(swept.iter().all(|swept| swept.is_solved), "{level}");
        let solved: Vec<_> = swept.iter().map(|swept| swept.solved_words).collect();
        for n in [1, 3, 4, 5, 8, 15, 16, 17, 100] {
            for (row, grid) in level.run(EmitAll(&solved[..n])).iter().zip(&grids) {
                assert_eq!(row[..CELLS], grid.map(|digit| b'0' + digit), "{level}");
                assert_eq!(row[CELLS], b'\n');
            }
        }
    }
}

/// Probes of one puzzle with different limits, and the answers.
struct Several<'a> {
    puzzle: &'a Puzzle,
    limits: &'a [u64],
    next: u32,
    answers: Vec<Option<u64>>,
}

impl Probes for Several<'_> {
    fn is_ready(&self) -> bool {
        (self.next as usize) < self.limits.len()
    }

    fn take(&mut self) -> Option<Probe<'_>> {
        let number = self.is_ready().then_some(self.next)?;
        self.next += 1;
        Some(Probe { number, puzzle: self.puzzle, excluded: None })
    }

    fn solution_limit(&self, number: u32) -> u64 {
        self.limits[number as usize]
    }

    fn answer(&mut self, number: u32, solutions: Option<u64>) {
        self.answers[number as usize] = solutions;
    }
}

#[test]
fn probes_of_puzzles_with_many_solutions_end_at_their_limit() {
    let limits = [1, 2, 2, 1].repeat(20);
    for level in SimdLevel::available() {
        let answers = vec![None; limits.len()];
        let mut probes = Several { puzzle: &Puzzle::EMPTY, limits: &limits, next: 0, answers };
        super::answer(level, &mut probes, 1000, &CancelToken::new()).unwrap();
        let expected: Vec<_> = limits.iter().map(|&limit| Some(limit)).collect();
        assert_eq!(probes.answers, expected, "{level}");
    }
}

/// Counts solutions with look-ahead.
fn look_ahead(level: SimdLevel, puzzle: &Puzzle, max_guesses: u64) -> (Status, u64) {
    let mut outcomes = Outcomes::new();
    outcomes.resize(1);
    let limits = Limits::up_to(u64::MAX.try_into().expect("not 0")).max_guesses(max_guesses);
    let puzzles = std::slice::from_ref(puzzle).into();
    super::look_ahead(level, puzzles, limits, outcomes.as_mut(), &CancelToken::new()).unwrap();
    (outcomes.statuses()[0], outcomes.solution_counts()[0])
}

#[test]
fn turns_lose_no_solution() {
    let line = "53..7....6..1......98......8...6....4..8.....7...2...6......28....4.9........8...";
    let puzzle: Puzzle = line.parse().expect("81 cells");
    let n = puzzle.solutions().count() as u64;
    assert!(n > 20_000, "{n}");
    for level in SimdLevel::available() {
        assert_eq!(look_ahead(level, &puzzle, u64::MAX), (Status::Multiple, n), "{level}");
    }
}

/// Random pencilmarks, most of which are searched with look-ahead or have no solution: the numbers of solutions are those of
/// a depth-first search, and every level has the same outcomes.
#[test]
fn look_ahead_finds_what_a_plain_search_finds() {
    let mut random = ChaCha8Rng::seed_from_u64(27);
    let all: Vec<Candidates> = (0..600)
        .map(|_| {
            let keep = random.random_range(0.5..0.72);
            let mut set = || (0..9).filter(|_| random.random_bool(keep)).fold(0, |set, d| set | 1 << d);
            Candidates::from_cells(std::array::from_fn(|_| set())).unwrap()
        })
        .collect();
    for limit in [1, 2, 100] {
        let limits = Limits::up_to(limit.try_into().expect("not 0"));
        let outcomes = Solver::new().limits(limits).solve(&all);
        assert!(outcomes.guesses().iter().filter(|&&guesses| guesses > 128).count() > 10);
        let mut plain = Outcomes::new();
        plain.resize(all.len());
        let never = &mut |_: &_, _| unreachable!("only searches for more solutions examine nodes");
        scalar::solve_batch((&all).into(), limits, plain.as_mut(), never, &CancelToken::new()).unwrap();
        assert_eq!(outcomes.statuses(), plain.statuses());
        assert_eq!(outcomes.solution_counts(), plain.solution_counts());
        for (candidates, outcome) in all.iter().zip(outcomes.iter()) {
            if let Some(solution) = outcome.solution {
                verify::check_candidates(candidates, &solution).unwrap();
            }
        }
        for level in SimdLevel::available() {
            assert!(Solver::new().limits(limits).level(level).solve(&all) == outcomes, "{level}");
        }
    }
}

/// In an empty grid, turns add about 90 waiting nodes each until there are 1,024. A debug assertion of the search fails if
/// there are many more.
#[test]
fn turns_end_where_many_nodes_wait() {
    for level in SimdLevel::available() {
        let (status, solutions) = look_ahead(level, &Puzzle::EMPTY, 10_000);
        assert_eq!(status, Status::Limit, "{level}");
        assert!(solutions > 5000, "{level}: {solutions}");
    }
}

/// Stack frames of unoptimised code are large. `.ci/run` runs this test without optimisation; the test profile
/// optimises.
#[test]
fn a_small_stack_is_enough_for_every_level() {
    const STACK: usize = 512 << 10;
    let puzzles: Vec<Puzzle> = [
        // By naked singles.
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        // 77 guesses, and 1028.
        ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....",
        "....12....9....6......4..........73....5..9..2.4........57..8.......4..1.3.......",
        // Guesses of two digits.
        "............6.5...19....3...............4........2....72............85.9.4.......",
        "...2.5.1..3.......9..........1........2..........................5...............",
        // Two equal clues in a row.
        "11...............................................................................",
    ]
    .iter()
    .cycle()
    .take(40)
    .map(|line| line.parse().expect("81 cells"))
    .collect();
    let candidates: Vec<Candidates> = puzzles.iter().map(Candidates::from).collect();
    let (puzzles, candidates) = (&puzzles, &candidates);
    std::thread::scope(|scope| {
        for level in SimdLevel::available() {
            let solve = move || {
                for limit in [2_u64, 100] {
                    let limits = Limits::up_to(limit.try_into().expect("not 0")).max_guesses(1100);
                    let solver = Solver::new().level(level).limits(limits).threads(1);
                    let (of_clues, of_candidates) = (solver.solve(puzzles), solver.solve(candidates));
                    assert_eq!(of_clues, of_candidates, "{level}");
                }
                let solver =
                    Solver::new().level(level).limits(Limits::up_to(3000.try_into().expect("not 0")));
                let mut found = 0;
                let each = |_, _: &_| {
                    found += 1;
                    ControlFlow::Continue(())
                };
                let empty = &[Puzzle::EMPTY; 2];
                let end = solver.enumerate(empty, &mut Outcomes::new(), &CancelToken::new(), each);
                assert_eq!((end, found), (Ok(ControlFlow::Continue(())), 6000), "{level}");
            };
            let thread = std::thread::Builder::new().stack_size(STACK);
            thread.spawn_scoped(scope, solve).expect("a thread").join().expect("no panic");
        }
    });
}
