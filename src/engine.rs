//! Names that the lanes use for the outcomes of a batch.
pub(crate) use crate::outcome::{BLANK_ROW, OutcomesMut as Outcomes, PuzzleSlice as Given, ROW, Work};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Search {
    pub limit: u64,
    pub max_guesses: u64,
}
