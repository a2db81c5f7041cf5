//! The hints of a technique in their order, and the inner chains that they depend on.

use std::borrow::Cow;
use std::collections::HashMap;

use super::closure::{Closure, PENDING};
use super::{Cause, ChainHint, Key, Target, Triple, increment, removal};
use crate::rating::state::State;

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

    /// The complexity of a hint with these targets, or a lower bound of it while the reasons of inner chains are not
    /// known. The ancestors were found.
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
                    let pending = &closure.pending[(nested - PENDING) as usize];
                    complexity += pending.chains[pending.index].complexity;
                }
            }
        }
        complexity
    }

    /// Adds the hint whose conclusion is a node, if it removes anything. Its targets are nodes of closures.
    pub fn conclude(
        &mut self,
        state: &State,
        inner: &Inner,
        base: f64,
        (key, assumed): (Key, Cause),
        conclusion: Triple,
        targets: &[(&Closure, usize)],
    ) {
        let Some(removed) = removal(state, conclusion) else { return };
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
            assumed,
            removals: vec![removed],
            place,
            targets: list,
            start: None,
        });
    }
}
