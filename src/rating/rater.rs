//! The loop: the first hint of the first technique that has one, then all techniques from the start.

use super::chains::{Mode, Search};
use super::chains::Hints;
use super::fish::{Fish, fish_of_size};
use super::hint::Hint;
use super::state::State;
use super::{Difficulty, Technique, Techniques};
use super::{aligned, bug, locked, loops, sets, singles, wings};
use crate::cancel::{CancelToken, Cancelled};
use crate::grid::{Candidates, Solution};
use crate::outcome::{Limits, Outcomes, Status};
use crate::solver::{Engine, Solver};

/// What is known of the difficulty of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The rating is exact.
    Rated,
    /// A step above the bound is needed: the rating is at least as stated.
    Above,
    /// No technique that may be used applies: with all techniques the rating is at least as stated.
    Stuck,
    /// The limit of work was reached: the rating is at least as stated.
    Limit,
    /// The clues clash.
    Invalid,
    /// There is no solution.
    None,
    /// There are several solutions.
    Multiple,
}

/// The rating of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rating {
    pub verdict: Verdict,
    pub er: Difficulty,
    pub ep: Difficulty,
    pub ed: Difficulty,
    /// Number of steps of each technique.
    pub counts: [u16; Technique::ALL.len()],
}

/// Rates puzzles. Keeps its memory from puzzle to puzzle.
pub struct Rater {
    techniques: Techniques,
    bound: Difficulty,
    hint: Hint,
    trial: Hint,
    fish: Vec<Fish>,
    search: Search,
    outcomes: Outcomes,
}

impl Default for Rater {
    fn default() -> Rater {
        Rater::new()
    }
}

impl Rater {
    pub fn new() -> Rater {
        Rater {
            techniques: Techniques::ALL,
            bound: Difficulty(u16::MAX),
            hint: Hint::new(),
            trial: Hint::new(),
            fish: Vec::new(),
            search: Search::default(),
            outcomes: Outcomes::new(),
        }
    }

    pub fn techniques(mut self, techniques: Techniques) -> Rater {
        self.techniques = techniques;
        self
    }

    pub fn bound(mut self, bound: Difficulty) -> Rater {
        self.bound = bound;
        self
    }

    pub fn rate(&mut self, puzzle: impl Into<Candidates>) -> Rating {
        let given = puzzle.into();
        let solver = Solver::new().engine(Engine::Scalar).limits(Limits::UNIQUE).threads(1);
        solver.try_solve_into(&[given], &mut self.outcomes, &CancelToken::new()).expect("not shared");
        let outcome = self.outcomes.get(0).expect("one");
        let verdict = match outcome.status {
            Status::Unique => Verdict::Rated,
            Status::Multiple => Verdict::Multiple,
            Status::None => Verdict::None,
            _ => Verdict::Invalid,
        };
        let mut rating = Rating { verdict, er: Difficulty(0), ep: Difficulty(0), ed: Difficulty(0), counts: [0; 30] };
        if verdict != Verdict::Rated {
            return rating;
        }
        let mut state = State::new(&given);
        while state.empty != 0 {
            let Some(technique) = self.next(&mut state) else {
                rating.verdict = Verdict::Stuck;
                break;
            };
            rating.counts[technique as usize] += 1;
            let difficulty = Difficulty(self.hint.difficulty);
            rating.er = rating.er.max(difficulty);
            if rating.ep.0 == 0 {
                if rating.ed.0 == 0 {
                    rating.ed = rating.er;
                }
                if self.hint.place.is_some() {
                    rating.ep = rating.er;
                }
            }
            self.hint.apply(&mut state);
        }
        rating
    }

    fn next(&mut self, state: &mut State) -> Option<Technique> {
        Technique::ALL.into_iter().find(|&technique| {
            self.techniques.contains(technique) && technique.least() <= self.bound && self.find(state, technique)
        })
    }

    fn find(&mut self, state: &mut State, technique: Technique) -> bool {
        let hint = &mut self.hint;
        match technique {
            Technique::HiddenSingle => singles::hidden_single(state, hint),
            Technique::DirectLocked => locked::direct(state, hint),
            Technique::DirectHiddenPair => sets::direct_hidden_set(state, 2, hint),
            Technique::NakedSingle => singles::naked_single(state, hint),
            Technique::DirectHiddenTriplet => sets::direct_hidden_set(state, 3, hint),
            Technique::Locked => locked::removing(state, hint),
            Technique::NakedPair => sets::naked_set(state, 2, hint),
            Technique::XWing => fish_of_size(state, 2, &mut self.fish, hint),
            Technique::HiddenPair => sets::hidden_set(state, 2, hint),
            Technique::NakedTriplet => sets::naked_set(state, 3, hint),
            Technique::Swordfish => fish_of_size(state, 3, &mut self.fish, hint),
            Technique::HiddenTriplet => sets::hidden_set(state, 3, hint),
            Technique::XyWing => wings::wing(state, false, hint),
            Technique::XyzWing => wings::wing(state, true, hint),
            Technique::UniqueLoop => loops::unique_loop(state, hint, &mut self.trial),
            Technique::NakedQuad => sets::naked_set(state, 4, hint),
            Technique::Jellyfish => fish_of_size(state, 4, &mut self.fish, hint),
            Technique::HiddenQuad => sets::hidden_set(state, 4, hint),
            Technique::Bug => bug::bug(state, hint),
            Technique::AlignedPair => aligned::pair(state, hint),
            Technique::AlignedTriplet => aligned::triplet(state, hint),
            Technique::Forcing => self.chains(technique, |search, hints| search.forcing(state, hints)),
            _ => {
                let mode = match technique {
                    Technique::Nishio => Mode::Nishio,
                    Technique::Multiple => Mode::Static,
                    _ => Mode::Dynamic(technique as u8 - Technique::Dynamic as u8),
                };
                self.chains(technique, |search, hints| search.multiple(state, mode, hints))
            }
        }
    }

    fn chains(&mut self, technique: Technique, find: impl FnOnce(&mut Search, &mut Hints)) -> bool {
        let mut hints = Hints::new(false, self.search.explains);
        self.search.inner.clear();
        find(&mut self.search, &mut hints);
        let Some(best) = hints.best else { return false };
        if std::env::var_os("DBG").is_some() { eprintln!("{technique} {} {} {:?} {:?}", best.difficulty, best.complexity, best.key, best.removals); }
        best.finish(technique, &mut self.hint);
        true
    }
}

#[allow(dead_code)]
fn unused(_: Cancelled, _: Solution) {}
