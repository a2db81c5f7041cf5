//! The memory of all searches for chains, and the collection of their hints.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::closure::{CandidateSet, Closure, PENDING};
use super::filter::Known;
use super::{Branches, ChainHint, InnerChains, Key, TRIPLES, Target, Triple, increment, removal};
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
    is_stopped: bool,
    pub known: Known,
    /// Free frames.
    frames: Vec<Frame>,
    /// The inner chains of the technique at work.
    pub inner: Inner,
    /// The hints of inner chains by the candidates that are left, with and without the bound of cycles.
    pub known_chains: HashMap<(InnerChains, bool, CandidateSet), Arc<[ChainHint]>>,
}

/// The memory of one technique at one depth.
#[derive(Default)]
pub struct Frame {
    /// The closures of this call, and where that of each assumption is, plus one.
    pub closures: Vec<Closure>,
    pub used: usize,
    pub at: Vec<u16>,
    pub made: Vec<Triple>,
}

impl Frame {
    fn clear(&mut self) {
        self.used = 0;
        self.at.resize(TRIPLES, 0);
        for made in self.made.drain(..) {
            self.at[made as usize] = 0;
        }
    }
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

    /// Whether the search was stopped.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Finds the first hint of technique 21.
    pub fn first_forcing(&mut self, state: &State, hints: &mut Hints) {
        self.count(state.candidates.iter().map(|set| size(*set)).sum());
        self.known.chains(state).first(state, hints);
        self.known.note_chains(hints.best.is_none());
    }

    /// Takes a frame.
    pub fn frame(&mut self) -> Frame {
        let mut frame = self.frames.pop().unwrap_or_default();
        frame.clear();
        frame
    }

    /// Gives a frame back.
    pub fn release(&mut self, frame: Frame) {
        self.frames.push(frame);
    }
}

/// The different inner chains, which are equal if their ancestors are.
#[derive(Default)]
pub struct Inner {
    indices: HashMap<Vec<u16>, u32>,
    chains: Vec<ChainHint>,
}

impl Inner {
    pub fn clear(&mut self) {
        self.indices.clear();
        self.chains.clear();
    }

    /// The number of a chain, from 1.
    pub fn number(&mut self, chain: Cow<ChainHint>) -> u32 {
        let mut key = Vec::new();
        for target in &chain.targets {
            key.push(target.ancestors.len() as u16);
            key.extend(target.ancestors.iter().map(|ancestor| ancestor.triple));
        }
        let next = self.chains.len() as u32 + 1;
        let number = *self.indices.entry(key).or_insert(next);
        if number == next {
            self.chains.push(chain.into_owned());
        }
        number
    }

    /// A chain by its number.
    pub fn chain(&self, number: u32) -> &ChainHint {
        &self.chains[number as usize - 1]
    }
}

/// What a chain concludes.
#[derive(Clone, Copy)]
pub struct Claim {
    /// The rating without increments.
    pub base: f64,
    pub key: Key,
    pub branches: Branches,
    pub conclusion: Triple,
}

/// The hints of a technique: the first one in their order, or all.
pub struct Hints {
    pub all: bool,
    pub explains: bool,
    pub best: Option<ChainHint>,
    pub list: Vec<ChainHint>,
    nested: Vec<u32>,
}

impl Hints {
    pub fn new(all: bool, explains: bool) -> Hints {
        Hints { all, explains, best: None, list: Vec::new(), nested: Vec::new() }
    }

    /// Whether a hint of at least this rank could be the first.
    pub fn may_win(&self, base: f64, complexity: u32, key: Key) -> bool {
        let Some(best) = self.best.as_ref().filter(|_| !self.all) else { return true };
        (base + increment(complexity), complexity, key) < best.rank()
    }

    /// Whether a hint comes before the others that remove the same.
    pub fn is_first(&self, difficulty: f64, complexity: u32, key: Key, removals: &[(u8, u16)]) -> bool {
        let rank = (difficulty, complexity, key);
        self.list.iter().all(|other| other.removals != removals || rank < other.rank())
    }

    /// Adds a hint.
    pub fn add(&mut self, hint: ChainHint) {
        if self.all {
            self.list.push(hint);
        } else if self.best.as_ref().is_none_or(|best| hint.rank() < best.rank()) {
            self.best = Some(hint);
        }
    }

    /// The hints in their order, the first of each set of removals.
    pub fn sorted(mut self) -> Vec<ChainHint> {
        self.list.sort_by(|a, b| a.rank().partial_cmp(&b.rank()).expect("numbers"));
        let mut kept: Vec<ChainHint> = Vec::with_capacity(self.list.len());
        for hint in self.list {
            if kept.iter().all(|other| other.removals != hint.removals) {
                kept.push(hint);
            }
        }
        kept
    }

    /// The complexity of a hint with these targets, or a lower bound of it while the reasons of inner chains are not known. The ancestors
    /// were found.
    pub fn complexity(&mut self, inner: &Inner, targets: &[(&Closure, usize)]) -> u32 {
        let mut complexity = 0;
        self.nested.clear();
        for &(closure, node) in targets {
            complexity += closure.count_ancestors(node);
            if closure.reasons.is_empty() {
                continue;
            }
            for nested in closure.inner_chains(node) {
                if self.nested.contains(&nested) {
                    continue;
                }
                self.nested.push(nested);
                if nested < PENDING {
                    complexity += inner.chain(nested).complexity;
                } else if targets.iter().all(|other| std::ptr::eq(closure, other.0)) {
                    // Chains of one closure are different. Those of several may be equal.
                    complexity += closure.pending[(nested - PENDING) as usize].complexity();
                }
            }
        }
        complexity
    }

    /// Adds the hint whose conclusion is a node, if it removes anything. Its targets are nodes of closures.
    pub fn conclude(&mut self, state: &State, inner: &Inner, claim: Claim, targets: &[(&Closure, usize)]) {
        let Claim { base, key, branches, conclusion } = claim;
        let Some(removed) = removal(state, conclusion) else { return };
        let least = targets.iter().map(|(closure, node)| closure.count_ancestors(*node)).sum();
        if !self.may_win(base, least, key) {
            return;
        }
        let complexity = self.complexity(inner, targets);
        let difficulty = base + increment(complexity);
        if !self.may_win(base, complexity, key) || !self.is_first(difficulty, complexity, key, &[removed]) {
            return;
        }
        let mut list: Vec<Target> = Vec::new();
        if self.all || self.explains {
            list.extend(targets.iter().map(|&(closure, node)| closure.target(state, node)));
        }
        let place = (conclusion & 1 == 1).then_some((removed.0, (conclusion / 2 % 9) as u8));
        self.add(ChainHint {
            difficulty,
            complexity,
            key,
            branches,
            removals: vec![removed],
            place,
            targets: list,
            start: None,
        });
    }
}
