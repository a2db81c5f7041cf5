//! The loop: the first hint of the first technique that has one, then all techniques from the start.

use std::ops::ControlFlow;

use super::board::HiddenSingles;
use super::chains::{Hints, Mode, Search};
use super::fish::{Fish, fish_of_size};
use super::hint::Hint;
use super::loops::Cores;
use super::opening::{LANES, Opened, Opening, Singles};
use super::state::{Changed, Changes, Start, State, candidates_of};
use super::{Difficulty, Rating, Step, Technique, Techniques, Verdict};
use super::{aligned, bug, locked, loops, sets, singles, wings};
use crate::cancel::{CancelToken, Cancelled};
use crate::grid::Candidates;
use crate::outcome::{Limits, Outcome, Outcomes, PuzzleSlice, Status};
use crate::parallel::for_each;
use crate::simd::SimdLevel;
use crate::solver::{Engine, Solver};

/// Puzzles that a thread takes at a time.
const CHUNK: usize = 64;

/// The default limit of work for pencilmarks: about a second.
const WORK_FOR_PENCILMARKS: u64 = 10_000_000;

/// Rates puzzles. Keeps its memory from puzzle to puzzle.
#[derive(Default)]
pub struct Rater {
    options: Options,
    scratch: Scratch,
}

#[derive(Clone, Copy)]
struct Options {
    techniques: Techniques,
    bound: Difficulty,
    max_work: Option<u64>,
    threads: usize,
    level: SimdLevel,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            techniques: Techniques::ALL,
            bound: Difficulty(u16::MAX),
            max_work: None,
            threads: 0,
            level: SimdLevel::detect(),
        }
    }
}

/// Memory that is reused.
#[derive(Default)]
struct Scratch {
    hint: Hint,
    trial: Hint,
    fish: Vec<Fish>,
    changes: Changes,
    cores: Cores,
    search: Search,
    outcomes: Outcomes,
}

/// What to do with the steps.
type OnStep<'a> = Option<&'a mut dyn FnMut(&Step) -> ControlFlow<()>>;

impl Rater {
    /// A rater with all techniques and no bound. The work is limited for pencilmarks only, see [`Rater::max_work`].
    pub fn new() -> Rater {
        Rater::default()
    }

    /// Uses only these techniques. Without the [uniqueness techniques](Techniques::WITHOUT_UNIQUENESS) every step holds
    /// also for puzzles with several solutions.
    pub fn techniques(mut self, techniques: Techniques) -> Rater {
        self.options.techniques = techniques;
        self
    }

    /// Stops at the first step above a difficulty ([`Verdict::Above`]), and does not try techniques that are always
    /// above it. Low bounds are much cheaper.
    pub fn up_to(mut self, bound: Difficulty) -> Rater {
        self.options.bound = bound;
        self
    }

    /// Stops when the search for chains has made this many nodes ([`Verdict::Limit`]). The number does not depend on
    /// the machine. The default is 10,000,000 for pencilmarks, some of which would take minutes; there is none for
    /// clues, of which the hardest take less than 1,000,000.
    pub fn max_work(mut self, nodes: u64) -> Rater {
        self.options.max_work = Some(nodes);
        self
    }

    /// The threads of [`Rater::rate_all`]: 0, the default, for all of the pool. Without the feature `parallel` there is
    /// one.
    pub fn threads(mut self, threads: usize) -> Rater {
        self.options.threads = threads;
        self
    }

    /// Sets the SIMD level, on which no rating depends.
    pub fn level(mut self, level: SimdLevel) -> Rater {
        self.options.level = level;
        self
    }

    /// Rates a puzzle of clues or pencilmarks.
    pub fn rate(&mut self, puzzle: impl Into<Candidates>) -> Rating {
        self.try_rate(puzzle, &CancelToken::new()).expect("the token is not shared")
    }

    /// Rates a puzzle until `cancel` is set.
    ///
    /// # Errors
    /// When it was cancelled.
    pub fn try_rate(&mut self, puzzle: impl Into<Candidates>, cancel: &CancelToken) -> Result<Rating, Cancelled> {
        self.scratch.run(self.options, &puzzle.into(), cancel, None)
    }

    /// Rates a puzzle and shows each step before it is applied, until `on_step` breaks. The rating is that of the steps
    /// shown; if `on_step` breaks its verdict is [`Verdict::Limit`].
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// use rapidoku::Puzzle;
    /// use rapidoku::rating::Rater;
    ///
    /// let line = "8.2...645...2.4.894.9568.27.63...471..864..32..4..1.68.8..5.794..74..856945..6213";
    /// let mut first = None;
    /// Rater::new().explain(&line.parse::<Puzzle>()?, &mut |step| {
    ///     first = Some(step.to_string());
    ///     ControlFlow::Break(())
    /// });
    /// let step = "locked candidates (2.8): 9 in r4c4 r4c5 r4c6: no 9 in r5c6, no 9 in r6c4, no 9 in r6c5";
    /// assert_eq!(first.as_deref(), Some(step));
    /// # Ok::<(), rapidoku::PuzzleError>(())
    /// ```
    pub fn explain(
        &mut self,
        puzzle: impl Into<Candidates>,
        on_step: &mut dyn FnMut(&Step) -> ControlFlow<()>,
    ) -> Rating {
        self.scratch
            .run(self.options, &puzzle.into(), &CancelToken::new(), Some(on_step))
            .expect("the token is not shared")
    }

    /// Rates puzzles, on all [threads](Rater::threads). Ratings are in the order of the puzzles, and do not depend on
    /// the threads.
    ///
    /// # Errors
    /// When it was cancelled.
    pub fn rate_all<'a>(
        &self,
        puzzles: impl Into<PuzzleSlice<'a>>,
        cancel: &CancelToken,
    ) -> Result<Vec<Rating>, Cancelled> {
        let puzzles = puzzles.into();
        let Options { threads, level, .. } = self.options;
        let solver = Solver::new().limits(Limits::UNIQUE).level(level).threads(threads);
        let mut outcomes = Outcomes::default();
        solver.try_solve_into(puzzles, &mut outcomes, cancel)?;
        self.rate_solved(puzzles, &outcomes, cancel)
    }

    /// Rates puzzles like [`Rater::rate_all`], but does not solve them again: `outcomes` are those of a solver with
    /// [`Limits::UNIQUE`]. The verdict is [`Verdict::Limit`] for a puzzle whose solutions were not counted or whose
    /// solution is missing.
    ///
    /// # Errors
    /// When it was cancelled.
    ///
    /// # Panics
    /// If there are fewer outcomes than puzzles.
    pub fn rate_solved<'a>(
        &self,
        puzzles: impl Into<PuzzleSlice<'a>>,
        outcomes: &Outcomes,
        cancel: &CancelToken,
    ) -> Result<Vec<Rating>, Cancelled> {
        let puzzles = puzzles.into();
        let mut ratings = vec![Rating::new(Verdict::None); puzzles.len()];
        let chunks = puzzles.len().div_ceil(CHUNK);
        let items = ratings.chunks_mut(CHUNK).enumerate();
        for_each(self.options.threads, chunks, items, |(index, ratings)| {
            let mut scratch = Scratch::default();
            for (i, ratings) in (index * CHUNK..).step_by(LANES).zip(ratings.chunks_mut(LANES)) {
                let given: Vec<Candidates> = (i..i + ratings.len()).map(|k| candidates_at(puzzles, k)).collect();
                let opened = open(&given, self.options);
                for (lane, (given, rating)) in given.iter().zip(ratings).enumerate() {
                    let outcome = outcomes.get(i + lane).expect("there is one for each puzzle");
                    let opened = opened.as_ref().map(|opened| (opened, lane));
                    *rating = scratch.rate(self.options, given, opened, outcome, cancel, None)?;
                }
            }
            Ok(())
        })?;
        Ok(ratings)
    }

    /// Whether hidden and naked singles alone solve each of these puzzles, from their ratings by a rater that may use
    /// both. Tries it if a rating [does not tell](Rating::by_singles).
    ///
    /// ```
    /// use rapidoku::rating::{Difficulty, Rater};
    /// use rapidoku::{CancelToken, Puzzle};
    ///
    /// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    /// let puzzles = [line.parse::<Puzzle>()?];
    /// let ratings = Rater::new().up_to(Difficulty(10)).rate_all(&puzzles, &CancelToken::new())?;
    /// assert_eq!(ratings[0].by_singles(), None);
    /// assert_eq!(Rater::by_singles(&puzzles, &ratings), [true]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If there are fewer puzzles than ratings.
    pub fn by_singles<'a>(puzzles: impl Into<PuzzleSlice<'a>>, ratings: &[Rating]) -> Vec<bool> {
        let puzzles = puzzles.into();
        let unknown = (0..).zip(ratings).filter(|(_, rating)| rating.by_singles().is_none());
        let unknown: Vec<Candidates> = unknown.map(|(k, _)| candidates_at(puzzles, k)).collect();
        let mut left = unknown.chunks(LANES).flat_map(empty_after_singles);
        // Of a puzzle whose solutions were not counted, singles may fill the grid without a solution.
        let has_solution = |k| Rater::new().rate(candidates_at(puzzles, k)).verdict == Verdict::Rated;
        let is_solved = |(k, rating): (usize, &Rating)| {
            let by_singles = rating.by_singles();
            let tried = || left.next() == Some(0) && (rating.verdict != Verdict::Limit || has_solution(k));
            by_singles.unwrap_or_else(tried)
        };
        (0..).zip(ratings).map(is_solved).collect()
    }
}

fn candidates_at(puzzles: PuzzleSlice, k: usize) -> Candidates {
    match puzzles {
        PuzzleSlice::Clues(all) => (&all[k]).into(),
        PuzzleSlice::Candidates(all) => all[k],
    }
}

/// The number of cells of each puzzle that singles leave empty.
fn empty_after_singles(given: &[Candidates]) -> impl Iterator<Item = u16> {
    SimdLevel::detect().run(Singles(given)).into_iter().take(given.len())
}

/// Finds the hidden singles at the start of puzzles.
fn open(given: &[Candidates], options: Options) -> Option<Opened> {
    let [block, line] = singles::IN_BLOCK_AND_LINE;
    let may_place = options.bound >= block && options.techniques.contains(Technique::HiddenSingle);
    may_place.then(|| options.level.run(Opening { given, lines: options.bound >= line }))
}

/// Places the hidden singles that come before all other steps, after the first placement. Their order does not matter:
/// only the first of a row or column may change the rating.
fn place_easy_singles(state: &mut State, options: Options, rating: &mut Rating) {
    let single = Technique::HiddenSingle;
    let [block, line] = singles::IN_BLOCK_AND_LINE;
    let may_place = rating.ep > Difficulty(0) && rating.er >= block && options.techniques.contains(single);
    if may_place && singles::has_hidden_single(state) {
        let (blocks_first, lines) = (rating.er < line, options.bound >= line);
        let placed = options.level.run(HiddenSingles { state, blocks_first, lines });
        placed.apply(state);
        rating.counts[single as usize] += placed.count;
        if placed.has_lines {
            rating.er = rating.er.max(line);
        }
    }
}

impl Scratch {
    /// Counts the solutions, then rates.
    fn run(
        &mut self,
        options: Options,
        given: &Candidates,
        cancel: &CancelToken,
        on_step: OnStep,
    ) -> Result<Rating, Cancelled> {
        let solver = Solver::new().engine(Engine::Scalar).limits(Limits::UNIQUE).threads(1);
        solver.try_solve_into(std::slice::from_ref(given), &mut self.outcomes, cancel)?;
        let outcome = self.outcomes.get(0).expect("there is one puzzle");
        self.rate(options, given, None, outcome, cancel, on_step)
    }

    /// Rates a puzzle whose solutions are counted; its first singles may be those of a lane.
    fn rate(
        &mut self,
        options: Options,
        given: &Candidates,
        opened: Option<(&Opened, usize)>,
        outcome: Outcome,
        cancel: &CancelToken,
        mut on_step: OnStep,
    ) -> Result<Rating, Cancelled> {
        let (Status::Unique, Some(solution)) = (outcome.status, outcome.solution) else {
            return Ok(Rating::new(match outcome.status {
                Status::Multiple => Verdict::Multiple,
                Status::Invalid => Verdict::Invalid,
                Status::NoSolution => Verdict::None,
                Status::Unique | Status::Solved | Status::GaveUp => Verdict::Limit,
            }));
        };
        let mut rating = Rating::new(Verdict::Rated);
        let opened = opened.filter(|(opened, lane)| opened.count(*lane, &mut rating));
        let candidates = match opened {
            Some((opened, lane)) if opened.is_complete(lane) => return Ok(rating),
            Some((opened, lane)) => opened.candidates(lane),
            None => candidates_of(given),
        };
        let is_clue_or_blank = |set: &u16| set.is_power_of_two() || *set == Candidates::NINE;
        let are_clues = given.cells().iter().all(is_clue_or_blank);
        let max_work = options.max_work.unwrap_or(if are_clues { u64::MAX } else { WORK_FOR_PENCILMARKS });
        self.search.start(*solution.cells(), on_step.is_some(), max_work, cancel);
        let mut state = options.level.run(Start { candidates, solution: solution.cells() });
        self.changes.start(&state);
        while state.empty != 0 {
            let (verdict, least) = match self.first_hint(&state, options) {
                Ok(Some(technique)) if self.hint.difficulty <= options.bound.0 => {
                    rating.count(technique, Difficulty(self.hint.difficulty), self.hint.place.is_some());
                    if let Some(on_step) = &mut on_step
                        && on_step(&Step::new(technique, &self.hint, &self.search.inner)).is_break()
                    {
                        rating.verdict = Verdict::Limit;
                        return Ok(rating);
                    }
                    self.hint.apply(&mut state);
                    if on_step.is_none() {
                        place_easy_singles(&mut state, options, &mut rating);
                    }
                    continue;
                }
                Ok(Some(_)) => (Verdict::Above, Difficulty(self.hint.difficulty)),
                Ok(None) if options.bound < Technique::Nested5.least() => {
                    (Verdict::Above, Difficulty(options.bound.0 + 1))
                }
                Ok(None) => (Verdict::Stuck, rating.er),
                Err(_) if cancel.is_cancelled() => return Err(Cancelled),
                Err(technique) => (Verdict::Limit, technique.least()),
            };
            rating.verdict = verdict;
            rating.er = rating.er.max(least);
            break;
        }
        Ok(rating)
    }

    /// Finds the first hint of the first technique that has one.
    ///
    /// # Errors
    /// The technique that was cancelled, or at which the limit of work was reached.
    fn first_hint(&mut self, state: &State, options: Options) -> Result<Option<Technique>, Technique> {
        let may_use =
            |technique: &Technique| options.techniques.contains(*technique) && technique.least() <= options.bound;
        let mut is_updated = false;
        for technique in Technique::ALL.into_iter().filter(may_use) {
            // Hidden singles, the only steps of many puzzles, are looked for everywhere.
            if technique != Technique::HiddenSingle && !is_updated {
                self.changes.update(state);
                is_updated = true;
            }
            let found = self.find(state, technique);
            let is_done = match technique {
                // Naked singles that see a cell keep it from being a base cell.
                Technique::AlignedPair | Technique::AlignedTriplet => {
                    !found && options.techniques.contains(Technique::NakedSingle)
                }
                _ => !found,
            };
            if is_done {
                self.changes.clear(technique);
            }
            if self.search.is_stopped {
                return Err(technique);
            }
            if found {
                return Ok(Some(technique));
            }
        }
        Ok(None)
    }

    /// Finds the first hint of a technique.
    fn find(&mut self, state: &State, technique: Technique) -> bool {
        let hint = &mut self.hint;
        let Changed { cells, scope } = self.changes.of(technique);
        let right = || self.search.known.right.first_chunk().expect("there is a puzzle");
        match technique {
            Technique::HiddenSingle => singles::hidden_single(state, hint),
            Technique::DirectLocked => locked::direct(state, scope, hint),
            Technique::DirectHiddenPair => sets::direct_hidden_set(state, scope, 2, hint),
            Technique::NakedSingle => singles::naked_single(state, hint),
            Technique::DirectHiddenTriplet => sets::direct_hidden_set(state, scope, 3, hint),
            Technique::Locked => locked::removing(state, scope, hint),
            Technique::NakedPair => sets::naked_set(state, scope, 2, hint),
            Technique::XWing => fish_of_size(state, scope, 2, &mut self.fish, hint),
            Technique::HiddenPair => sets::hidden_set(state, scope, 2, hint),
            Technique::NakedTriplet => sets::naked_set(state, scope, 3, hint),
            Technique::Swordfish => fish_of_size(state, scope, 3, &mut self.fish, hint),
            Technique::HiddenTriplet => sets::hidden_set(state, scope, 3, hint),
            Technique::XyWing => wings::wing(state, cells, false, hint),
            Technique::XyzWing => wings::wing(state, cells, true, hint),
            Technique::UniqueLoop => loops::unique_loop(state, cells, &mut self.cores, hint, &mut self.trial),
            Technique::NakedQuad => sets::naked_set(state, scope, 4, hint),
            Technique::Jellyfish => fish_of_size(state, scope, 4, &mut self.fish, hint),
            Technique::HiddenQuad => sets::hidden_set(state, scope, 4, hint),
            Technique::Bug => bug::bug(state, hint),
            Technique::AlignedPair => aligned::pair(state, right(), cells, hint),
            Technique::AlignedTriplet => aligned::triplet(state, right(), cells, hint),
            Technique::Forcing => self.chain(technique, |search, hints| search.first_forcing(state, hints)),
            Technique::Nishio => self.chain(technique, |search, hints| search.nishio(state, scope.digits, hints)),
            Technique::Multiple => self.chain(technique, |search, hints| search.multiple(state, Mode::Static, hints)),
            // Those of the levels follow each other.
            _ => {
                let mode = Mode::Dynamic(technique as u8 - Technique::Dynamic as u8);
                self.chain(technique, |search, hints| search.multiple(state, mode, hints))
            }
        }
    }

    /// Finds the first hint of a technique that collects and sorts its hints.
    fn chain(&mut self, technique: Technique, find: impl FnOnce(&mut Search, &mut Hints)) -> bool {
        let mut hints = Hints::new(false, self.search.explains);
        self.search.inner.clear();
        find(&mut self.search, &mut hints);
        let Some(best) = hints.best else { return false };
        self.hint.take_chain(technique, best);
        true
    }
}
