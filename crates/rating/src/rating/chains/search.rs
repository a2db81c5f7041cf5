//! The memory of all searches for chains.

use std::collections::HashMap;
use std::sync::Arc;

use super::closure::{CandidateSet, Closure};
use super::filter::Known;
use super::hints::{Hints, Inner};
use super::{ChainHint, Mode, TRIPLES};
use crate::cancel::CancelToken;
use crate::grid::CELLS;
use crate::rating::state::State;
use crate::rating::tables::size;

/// Memory of the searches for chains. Inner searches have a frame each.
#[derive(Default)]
pub struct Search {
    /// Whether hints need their ancestors for an explanation.
    pub explains: bool,
    /// The nodes that may still be made.
    work_left: u64,
    cancel: CancelToken,
    /// Whether the search was stopped.
    pub is_stopped: bool,
    pub known: Known,
    /// Free frames.
    pub frames: Vec<Frame>,
    /// The inner chains of the technique at work.
    pub inner: Inner,
    /// The hints of inner chains by the candidates that are left, with and without the bound of cycles.
    pub known_chains: HashMap<(Mode, bool, CandidateSet), Arc<[ChainHint]>>,
}

/// The memory of one technique at one depth.
#[derive(Default)]
pub struct Frame {
    /// The closures of this call, and where that of each assumption is, plus one.
    pub closures: Vec<Closure>,
    pub used: usize,
    pub at: Vec<u16>,
}

impl Search {
    /// Prepares for a puzzle.
    pub fn start(&mut self, solution: [u8; CELLS], explains: bool, max_work: u64, cancel: &CancelToken) {
        self.known.start(solution);
        self.explains = explains;
        self.work_left = max_work;
        self.cancel = cancel.clone();
        self.is_stopped = false;
        self.known_chains.clear();
    }

    /// Counts nodes that were made. Once the limit is reached, or the search was cancelled, it finds nothing.
    pub fn count(&mut self, nodes: usize) {
        match self.work_left.checked_sub(nodes as u64) {
            Some(left) => self.work_left = left,
            None => self.is_stopped = true,
        }
        self.is_stopped |= self.cancel.is_cancelled();
    }

    /// Finds the first hint of technique 21.
    pub fn first_forcing(&mut self, state: &State, hints: &mut Hints) {
        self.count(state.candidates.iter().map(|set| size(*set)).sum());
        self.known.chains(state).first(state, hints);
        self.known.has_no_chains = hints.best.is_none();
    }

    /// Takes a frame.
    pub fn frame(&mut self) -> Frame {
        let mut frame = self.frames.pop().unwrap_or_default();
        frame.at.resize(TRIPLES, 0);
        // The first node of a closure is its assumption.
        for closure in &frame.closures[..frame.used] {
            frame.at[closure.nodes[0].triple as usize] = 0;
        }
        frame.used = 0;
        frame
    }
}
