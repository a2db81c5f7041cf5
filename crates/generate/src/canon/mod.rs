//! Canonical forms: one puzzle for each class of equivalent puzzles.
//!
//! Two puzzles are equivalent if a [`Symmetry`] turns one into the other: 2 × 6⁸ ways to move the cells, 9! names of
//! the digits. Equivalent puzzles have the same form, and others have different ones. A form is the least puzzle of
//! some set, cell by cell in reading order, blanks first.
//!
//! | function | for | form |
//! |---|---|---|
//! | [`grid()`] | complete grids | the least equivalent grid |
//! | [`puzzle`] | puzzles with exactly one solution | the solution becomes the least grid; of the images of the clues, if there are several, the least |
//! | [`minlex`] | puzzles with any number of solutions | the least equivalent puzzle |
//!
//! The forms of [`puzzle`] and [`minlex`] differ, so do not mix them. [`puzzle`] is several times as fast. For many
//! puzzles use a [`Canonicalizer`].
//!
//! ```
//! use rapidoku::{Puzzle, canon, grid::Symmetry};
//!
//! let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
//! let puzzle: Puzzle = line.parse()?;
//! let equivalent = Symmetry::of_seed(42).puzzle(&puzzle);
//! let form = canon::puzzle(&puzzle).unwrap();
//! assert_eq!(canon::puzzle(&equivalent).unwrap().form, form.form);
//! assert_eq!(form.symmetry.puzzle(&puzzle), form.form);
//! # Ok::<(), rapidoku::PuzzleError>(())
//! ```
//!
//! The first call makes tables of 270 KB within some milliseconds.

mod direct;
mod grid;
mod tables;
mod way;

use std::convert::Infallible;
use std::ops::Range;

use crate::grid::{Puzzle, PuzzleError, Solution, Symmetry};
use crate::outcome::{Outcomes, Status};
use crate::parallel::for_each;
use crate::simd::SimdLevel;
use crate::solver::{SolveError, Solver};

/// A canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Canonical {
    /// The form. Equal for equivalent puzzles.
    pub form: Puzzle,
    /// In how many of the 2 × 6⁸ ways to move the cells, each with suitable names of the digits, the puzzle becomes
    /// itself. 1 for nearly all puzzles, at most 648 for complete grids. The names of digits that do not occur do not
    /// count.
    pub automorphisms: u32,
    /// A symmetry that turns the puzzle into the form: one of [`automorphisms`](Canonical::automorphisms) that do.
    pub symmetry: Symmetry,
}

/// A hash of a puzzle: XXH3 with 128 bits and without seed, of the 81 characters of the puzzle with `.` for blanks. The
/// same on every machine and in every version.
///
/// Two of 100 million different puzzles have the same hash with probability 1.5 × 10⁻²³.
///
/// ```
/// use rapidoku::{Puzzle, canon};
///
/// assert_eq!(canon::hash(&Puzzle::EMPTY), 0x9176_7c9f_c22c_9c09_3869_dd3c_6bc1_1a1a);
/// ```
#[cfg(feature = "dedup")]
pub fn hash(puzzle: &Puzzle) -> u128 {
    xxhash_rust::xxh3::xxh3_128(&puzzle.to_ascii())
}

/// The canonical form of a complete grid: the least equivalent grid.
///
/// # Errors
/// [`PuzzleError::Clash`] when the grid breaks the rules of Sudoku.
///
/// ```
/// use rapidoku::{Solution, canon};
///
/// let line = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
/// let grid: Solution = line.parse()?;
/// let canonical = canon::grid(&grid)?;
/// assert!(canonical.form.to_string().starts_with("123456789457189263"));
/// assert_eq!(canonical.automorphisms, 1);
/// # Ok::<(), rapidoku::PuzzleError>(())
/// ```
pub fn grid(grid: &Solution) -> Result<Canonical, PuzzleError> {
    let form = Canonicalizer::new().threads(1).grids(std::slice::from_ref(grid))[0];
    form.ok_or_else(|| Puzzle::from(*grid).clash().expect("a grid without a form breaks the rules"))
}

/// The canonical form of a puzzle with exactly one solution, by way of the solution: the solution becomes the least
/// equivalent grid. If that is possible in several ways, the least image of the clues is the form.
///
/// # Errors
/// When clues clash, or the puzzle has no solution or more than one. [`minlex`] gives a form of the latter.
///
/// ```
/// use rapidoku::{Puzzle, SolveError, canon};
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let puzzle: Puzzle = line.parse().map_err(SolveError::Invalid)?;
/// assert_eq!(canon::puzzle(&puzzle)?.form.clue_count(), 30);
/// assert_eq!(canon::puzzle(&Puzzle::EMPTY), Err(SolveError::Multiple));
/// # Ok::<(), SolveError>(())
/// ```
pub fn puzzle(puzzle: &Puzzle) -> Result<Canonical, SolveError> {
    let outcomes = Solver::new().threads(1).solve(std::slice::from_ref(puzzle));
    let mut forms = Vec::new();
    Canonicalizer::new().threads(1).solved_into(std::slice::from_ref(puzzle), &outcomes, &mut forms);
    forms[0].ok_or_else(|| match (puzzle.clash(), outcomes.statuses()[0]) {
        (Some(clash), _) => SolveError::Invalid(clash),
        (None, Status::Multiple) => SolveError::Multiple,
        (None, _) => SolveError::NoSolution,
    })
}

/// The least equivalent puzzle, for any number of solutions.
///
/// Takes about a microsecond for puzzles with 17 to 30 clues, and up to some milliseconds for nearly complete grids and
/// others with many choices for the first row.
///
/// # Errors
/// [`PuzzleError::Clash`] when clues clash.
///
/// ```
/// use rapidoku::{Puzzle, canon};
///
/// let puzzle: Puzzle = format!("{}53{}", ".".repeat(30), ".".repeat(49)).parse()?;
/// let canonical = canon::minlex(&puzzle)?;
/// assert_eq!(canonical.form.to_string(), format!("{}12", ".".repeat(79)));
/// # Ok::<(), rapidoku::PuzzleError>(())
/// ```
pub fn minlex(puzzle: &Puzzle) -> Result<Canonical, PuzzleError> {
    let form = Canonicalizer::new().threads(1).minlex(std::slice::from_ref(puzzle))[0];
    form.ok_or_else(|| puzzle.clash().expect("a puzzle without a form has a clash"))
}

/// A symmetry that turns the first puzzle into the second one; `None` if they are not equivalent.
///
/// # Errors
/// [`PuzzleError::Clash`] when clues clash.
///
/// ```
/// use rapidoku::{Puzzle, canon, grid::Symmetry};
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let puzzle: Puzzle = line.parse()?;
/// let image = Symmetry::of_seed(42).puzzle(&puzzle);
/// assert_eq!(canon::symmetry(&puzzle, &image)?.unwrap().puzzle(&puzzle), image);
/// assert_eq!(canon::symmetry(&puzzle, &Puzzle::EMPTY)?, None);
/// # Ok::<(), rapidoku::PuzzleError>(())
/// ```
pub fn symmetry(from: &Puzzle, to: &Puzzle) -> Result<Option<Symmetry>, PuzzleError> {
    let (from, to) = (minlex(from)?, minlex(to)?);
    Ok((from.form == to.form).then(|| from.symmetry.then(&to.symmetry.inverse())))
}

/// Computes canonical forms of many puzzles. The forms do not depend on the SIMD level or the number of threads.
///
/// ```
/// use rapidoku::Puzzle;
/// use rapidoku::canon::Canonicalizer;
/// use rapidoku::grid::Symmetry;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let puzzle: Puzzle = line.parse()?;
/// let puzzles: Vec<Puzzle> = (0..1000).map(|seed| Symmetry::of_seed(seed).puzzle(&puzzle)).collect();
/// let forms = Canonicalizer::new().puzzles(&puzzles);
/// assert!(forms.iter().flatten().all(|canonical| canonical.form == forms[0].unwrap().form));
/// # Ok::<(), rapidoku::PuzzleError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Canonicalizer {
    level: SimdLevel,
    threads: usize,
}

impl Canonicalizer {
    /// The widest SIMD level of the machine, on all threads with the feature `parallel` and on the calling thread
    /// without it.
    pub fn new() -> Canonicalizer {
        Canonicalizer::default()
    }

    /// Sets the SIMD level.
    pub fn level(mut self, level: SimdLevel) -> Canonicalizer {
        self.level = level;
        self
    }

    /// Sets the number of threads: 0, the default, for all threads of the current rayon pool, 1 for the calling thread
    /// alone. Without the feature `parallel` the calling thread does all the work.
    pub fn threads(mut self, threads: usize) -> Canonicalizer {
        self.threads = threads;
        self
    }

    /// The form of each complete grid, see [`grid()`]; `None` for grids that break the rules.
    pub fn grids(&self, grids: &[Solution]) -> Vec<Option<Canonical>> {
        let mut forms = Vec::new();
        self.run(grids.len(), &mut forms, |range, forms| {
            let grids = &grids[range];
            self.level.run_bytes(grid::Forms { grid: &|k| Some(*grids[k].cells()), clues: None, forms });
        });
        forms
    }

    /// The form of each puzzle by way of its solution, see [`puzzle`]; `None` for puzzles without exactly one solution.
    pub fn puzzles(&self, puzzles: &[Puzzle]) -> Vec<Option<Canonical>> {
        let outcomes = Solver::new().level(self.level).threads(self.threads).solve(puzzles);
        let mut forms = Vec::new();
        self.solved_into(puzzles, &outcomes, &mut forms);
        forms
    }

    /// As [`puzzles`](Canonicalizer::puzzles), for puzzles that are solved already: those with the status
    /// [`Status::Unique`] have a form. The memory of `forms` is reused, and its previous content is lost.
    ///
    /// # Panics
    /// If there are not as many outcomes as puzzles.
    pub fn solved_into(&self, puzzles: &[Puzzle], outcomes: &Outcomes, forms: &mut Vec<Option<Canonical>>) {
        assert_eq!(puzzles.len(), outcomes.len(), "one outcome per puzzle");
        self.run(puzzles.len(), forms, |range, forms| {
            let (statuses, rows) = (&outcomes.statuses()[range.clone()], &outcomes.rows()[range.clone()]);
            let grid = |k: usize| {
                let cells = || rows[k].first_chunk().expect("a row is longer").map(|byte| byte & 15);
                (statuses[k] == Status::Unique).then(cells)
            };
            self.level.run_bytes(grid::Forms { grid: &grid, clues: Some(&puzzles[range]), forms });
        });
    }

    /// The least equivalent puzzle of each puzzle, see [`minlex`]; `None` for puzzles whose clues clash.
    pub fn minlex(&self, puzzles: &[Puzzle]) -> Vec<Option<Canonical>> {
        let mut forms = Vec::new();
        self.minlex_into(puzzles, &mut forms);
        forms
    }

    /// As [`minlex`](Canonicalizer::minlex), into `forms`, whose memory is reused and whose previous content is lost.
    pub fn minlex_into(&self, puzzles: &[Puzzle], forms: &mut Vec<Option<Canonical>>) {
        self.run(puzzles.len(), forms, |range, forms| {
            self.level.run_bytes(direct::Forms { puzzles: &puzzles[range], forms });
        });
    }

    /// A form of each puzzle without a clash: that by way of the solution if there is one solution, otherwise the least
    /// equivalent puzzle. Equivalent puzzles have the same number of solutions, and so the same kind of form.
    #[doc(hidden)]
    pub fn forms_of_all(&self, puzzles: &[Puzzle], outcomes: &Outcomes) -> Vec<Option<Puzzle>> {
        let (mut solved, mut direct) = (Vec::new(), Vec::new());
        self.solved_into(puzzles, outcomes, &mut solved);
        let is_direct = |status: Status| !matches!(status, Status::Unique | Status::Invalid);
        let others = puzzles.iter().zip(outcomes.statuses()).filter(|(_, status)| is_direct(**status));
        let others: Vec<Puzzle> = others.map(|(puzzle, _)| *puzzle).collect();
        self.minlex_into(&others, &mut direct);
        let mut direct = direct.iter();
        // By reference: a form with its symmetry is large.
        let forms = solved.iter().zip(outcomes.statuses()).map(|(form, status)| {
            let form = if is_direct(*status) { direct.next().expect("a form for each puzzle") } else { form };
            form.as_ref().map(|canonical| canonical.form)
        });
        forms.collect()
    }

    /// Fills `n` forms, a chunk at a time.
    fn run(
        &self,
        n: usize,
        forms: &mut Vec<Option<Canonical>>,
        fill: impl Fn(Range<usize>, &mut [Option<Canonical>]) + Sync,
    ) {
        forms.resize(n, None);
        let items = forms.chunks_mut(CHUNK).enumerate();
        let Ok(()) = for_each(self.threads, n.div_ceil(CHUNK), items, |(i, chunk)| {
            fill(i * CHUNK..i * CHUNK + chunk.len(), chunk);
            Ok::<(), Infallible>(())
        });
    }
}

/// Puzzles that a thread handles at a time.
const CHUNK: usize = 2048;
