//! Rates a puzzle by the techniques that a player needs, on the scale of Sudoku Explainer 1.2.1.
//!
//! The scale is that of Sudoku Explainer by Nicolas Juillerat, in the version with which the players' forum rates
//! (serate 1.2.1.3). This implementation follows a description of the scale in words, not its source, and gives the
//! same ratings.
//!
//! ```
//! use rapidoku::Puzzle;
//! use rapidoku::rating::{Rater, Verdict};
//!
//! let puzzle: Puzzle =
//!     "..9..3.....3.1...87..52963.1973.64...351.....4.....1.39..73....8.6..13..3..26...9".parse()?;
//! let rating = Rater::new().rate(&puzzle);
//! assert_eq!(rating.verdict, Verdict::Rated);
//! assert_eq!([rating.er, rating.ep, rating.ed].map(|value| value.to_string()), ["7.1", "2.6", "2.6"]);
//! # Ok::<(), rapidoku::PuzzleError>(())
//! ```
//!
//! # The loop
//!
//! The techniques are tried in the order of [`Technique::ALL`]. The first step of the first technique that has one is
//! applied, then all techniques are tried from the start. So the rating depends on the order of techniques, and in part
//! on which step of a technique is the first. Each technique states that order.
//!
//! - ER, the rating: the highest difficulty of all steps.
//! - EP ("pearl"): that of the steps up to the first that places a digit.
//! - ED ("diamond"): that of the first step.
//!
//! # Symmetry
//!
//! Ratings up to 7.5 are the same for all equivalent puzzles. Above, chains depend on the order of cells and digits, so
//! that equivalent puzzles may have other ratings: rate the puzzle itself, not its canonical form.
//!
//! # Modules
//!
//! | module | techniques |
//! |---|---|
//! | `singles`, `board`, `opening` | hidden and naked singles |
//! | `locked` | pointing and claiming, direct or not |
//! | `sets` | naked and hidden sets, direct hidden sets |
//! | `fish` | X-wing, swordfish, jellyfish |
//! | `wings` | XY-wing, XYZ-wing |
//! | `loops` | unique rectangles and loops |
//! | `bug` | bivalue universal grave |
//! | `aligned` | aligned pair and triplet exclusion |
//! | `chains` | cycles, forcing chains, Nishio, multiple, dynamic and nested chains |

mod aligned;
mod board;
mod bug;
mod chains;
mod fish;
mod hint;
mod locked;
mod loops;
mod opening;
mod rater;
mod sets;
mod singles;
mod state;
mod step;
mod tables;
mod technique;
mod wings;

pub use rater::Rater;
pub use step::{Chain, ChainKind, Digits, Implication, Reason, Removed, Step};
pub use technique::{Difficulty, ParseDifficultyError, ParseTechniqueError, Technique, Techniques};

/// What is known of the difficulty of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Verdict {
    /// The rating is exact.
    Rated,
    /// It is above the [bound](Rater::up_to): [`Rating::er`] is the lowest that it can be.
    Above,
    /// The [limit of work](Rater::max_work) was reached, or [the solutions were not counted](Rater::rate_solved):
    /// [`Rating::er`] is the lowest that it can be.
    Limit,
    /// None of the [techniques](Rater::techniques) that may be used applies: [`Rating::er`] is that of the steps so
    /// far.
    Stuck,
    /// The clues clash.
    Invalid,
    /// There is no solution.
    None,
    /// There are several solutions.
    Multiple,
}

/// The rating of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Rating {
    /// What the figures say.
    pub verdict: Verdict,
    /// The highest difficulty of all steps. 0.0 for a complete grid, and if the puzzle does not have exactly one
    /// solution.
    pub er: Difficulty,
    /// The highest difficulty of the steps up to the first that places a digit; 0.0 if none was reached.
    pub ep: Difficulty,
    /// The difficulty of the first step; 0.0 if there is none.
    pub ed: Difficulty,
    /// The number of steps of each technique, in the order of [`Technique::ALL`]. With serde, a map of those that are
    /// not 0.
    #[cfg_attr(feature = "serde", serde(serialize_with = "by_technique"))]
    pub counts: [u16; Technique::ALL.len()],
}

impl Rating {
    fn new(verdict: Verdict) -> Rating {
        let none = Difficulty(0);
        Rating { verdict, er: none, ep: none, ed: none, counts: [0; Technique::ALL.len()] }
    }

    /// The last technique, in the order of [`Technique::ALL`], that a step used.
    pub fn hardest(&self) -> Option<Technique> {
        Technique::ALL.into_iter().rev().find(|&technique| self.counts[technique as usize] != 0)
    }

    /// Whether hidden and naked singles alone solve the puzzle, if the rating tells; the rater must have been allowed
    /// to use both. `false` for a puzzle without exactly one solution.
    ///
    /// A digit that is a single stays one when others have been placed or removed. So if singles alone solve a puzzle,
    /// there is one in every state on the way to the solution. Steps above 2.3 are taken where there is none. Of the
    /// steps below that are not singles, only naked singles come later in the order: one may have been there.
    pub fn by_singles(&self) -> Option<bool> {
        let naked_single = Technique::NakedSingle.least();
        match self.verdict {
            Verdict::Stuck | Verdict::Invalid | Verdict::None | Verdict::Multiple => Some(false),
            _ if self.er > naked_single => Some(false),
            Verdict::Rated => {
                let is_used = |technique: Technique| self.counts[technique as usize] > 0;
                let direct = [Technique::DirectLocked, Technique::DirectHiddenPair];
                (!direct.into_iter().any(is_used)).then_some(true)
            }
            Verdict::Above | Verdict::Limit => None,
        }
    }

    /// Counts a step of this difficulty. ER is the highest of all, EP the highest up to the first placement, ED the
    /// first.
    fn count(&mut self, technique: Technique, difficulty: Difficulty, places: bool) {
        self.counts[technique as usize] += 1;
        self.er = self.er.max(difficulty);
        if self.ep == Difficulty(0) {
            if self.ed == Difficulty(0) {
                self.ed = self.er;
            }
            if places {
                self.ep = self.er;
            }
        }
    }
}

/// The numbers of steps by technique, without those that are 0.
#[cfg(feature = "serde")]
fn by_technique<S: serde::Serializer>(counts: &[u16; Technique::ALL.len()], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(Technique::ALL.iter().zip(counts).filter(|(_, count)| **count != 0))
}
