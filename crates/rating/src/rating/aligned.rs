//! Techniques 20 and 22: aligned pair and triplet exclusion.
//!
//! Two or three base cells see common *excluders*: cells with few candidates. A combination of candidates of the base
//! cells is impossible if two equal digits see each other, or if it takes all candidates of an excluder. A candidate in
//! no possible combination is removed.
//!
//! - Pair: any two base cells, and excluders with two candidates, at least two of them common. 6.2.
//! - Triplet: a pair, and a third cell among the excluders of one of the two; excluders with two or three candidates,
//!   at least two of them common to all three. 7.5.
//!
//! Base cells have two or more candidates and see an excluder, and no cell with a single candidate. Pairs are taken in
//! colexicographic order. Both techniques hardly ever find anything, so a screen by sets of cells comes first;
//! combinations are tried only for what passes.

use super::Technique;
use super::hint::Hint;
use super::state::State;
use super::tables::{NINE, PEERS_OF, bits, cells, in_peer_order, seen_by};
use crate::grid::CELLS;

/// The cells that see at least two of the set.
fn seen_twice(set: u128) -> u128 {
    let (mut once, mut twice) = (0, 0);
    for cell in cells(set) {
        twice |= once & PEERS_OF[cell];
        once |= PEERS_OF[cell];
    }
    twice
}

/// The cells that may be base cells.
fn base_cells(state: &State, excluders: u128) -> u128 {
    let [single, ..] = state.counted();
    let any = state.cells.iter().fold(0, |any, set| any | set);
    any & !single & seen_by(excluders) & !seen_by(single)
}

/// The cells that may belong to base cells that were not tried before: together with some others, and with excluders
/// that those see.
fn new_with(others: u128, excluders: u128, changed: u128) -> u128 {
    if others & changed != 0 { u128::MAX } else { changed | seen_by(excluders & changed) }
}

/// Technique 20.
pub fn pair(state: &State, right: &[u16; CELLS], changed: u128, hint: &mut Hint) -> bool {
    let excluders = state.bivalue();
    let base = base_cells(state, excluders);
    // The first pair in colexicographic order: the higher cell, then the lower one.
    let mut best: Option<(usize, usize)> = None;
    for a in cells(base) {
        let near = excluders & PEERS_OF[a];
        let mut others = base & !(1 << a) & new_with(1 << a, near, changed);
        if others != 0 {
            others &= seen_twice(near);
        }
        if others == 0 {
            continue;
        }
        // Only a wrong candidate is removed.
        for x in bits(state.candidates[a] & !right[a]) {
            let with_x = near & state.cells[x];
            if with_x == 0 {
                continue;
            }
            // The cells in which each digit cannot go together with `x` in `a`.
            let mut excluded = [0; NINE];
            excluded[x] = PEERS_OF[a];
            for excluder in cells(with_x) {
                let other = state.candidates[excluder] & !(1 << x);
                excluded[other.trailing_zeros() as usize] |= PEERS_OF[excluder];
            }
            let digits = state.cells.iter().zip(excluded);
            let dead = digits.fold(others, |dead, (cells, excluded)| dead & (!cells | excluded));
            for b in cells(dead) {
                let pair = (a.max(b), a.min(b));
                best = Some(best.map_or(pair, |best| best.min(pair)));
            }
        }
    }
    let Some((b, a)) = best else { return false };
    hint.begin(Technique::AlignedPair, 0);
    let mut possible = [0u16; 2];
    let common = excluders & PEERS_OF[a] & PEERS_OF[b];
    for x in bits(state.candidates[a]) {
        for y in bits(state.candidates[b]) {
            let excluded = cells(common).any(|cell| state.candidates[cell] & !(1 << x | 1 << y) == 0);
            if !(excluded || x == y && PEERS_OF[a] >> b & 1 == 1) {
                possible[0] |= 1 << x;
                possible[1] |= 1 << y;
            }
        }
    }
    hint.remove(state, a, !possible[0]);
    hint.remove(state, b, !possible[1]);
    hint.pattern(1 << a | 1 << b, state.candidates[a] | state.candidates[b], []);
    true
}

/// Technique 22.
pub fn triplet(state: &State, right: &[u16; CELLS], changed: u128, hint: &mut Hint) -> bool {
    let [_, two, three] = state.counted();
    let excluders = two | three;
    let base = base_cells(state, excluders);
    let new_thirds = changed & excluders & base;
    let near_new_thirds = seen_by(new_thirds);
    for second in cells(base) {
        let near = excluders & PEERS_OF[second];
        let mut firsts = seen_twice(near) & base & ((1 << second) - 1);
        // Any first cell will do if the third one changed and sees the second one.
        if new_thirds & PEERS_OF[second] == 0 {
            firsts &= near_new_thirds | new_with(1 << second, near, changed);
        }
        for first in cells(firsts) {
            let common = near & PEERS_OF[first];
            let sees = PEERS_OF[first] | PEERS_OF[second];
            let new = new_with(1 << first | 1 << second, common, changed);
            let mut thirds = new & excluders & base & sees & !(1 << first | 1 << second);
            // The same three cells came before as a lower pair, if the higher cell can be the third one.
            let is_pair_seen = PEERS_OF[second] >> first & 1 == 1;
            let before = |cell: usize| {
                let is_seen = if is_pair_seen { u128::MAX } else { PEERS_OF[cell] };
                if excluders >> cell & 1 == 1 { is_seen & ((1 << cell) - 1) } else { 0 }
            };
            thirds &= !(before(first) | before(second));
            if thirds != 0 {
                thirds &= seen_twice(common);
            }
            if thirds == 0 {
                continue;
            }
            let triplet = |third| Triplet::new(state, right, [first, second, third], common);
            if cells(thirds).any(|third| triplet(third).excludes()) {
                // The first of them in the order of the excluders.
                let near = [first, second].map(|cell| in_peer_order(cell, thirds & PEERS_OF[cell]));
                let mut order = near.into_iter().flatten().map(triplet);
                let found = order.find(Triplet::excludes).expect("it is one of them");
                found.hint(state, hint);
                return true;
            }
        }
    }
    false
}

/// Three base cells.
struct Triplet {
    cells: [usize; 3],
    candidates: [u16; 3],
    /// The candidates of the excluders that all three see and that have no other digits: only those can exclude
    /// anything.
    sets: [u16; 20],
    count: usize,
    /// The right digit of each cell, and the candidates of each cell that an excluder forbids together with the right
    /// digits of the other two.
    right: [u16; 3],
    excluded: [u16; 3],
}

/// The other two of three cells.
const OTHERS: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];

impl Triplet {
    /// Three cells. The first two see all of the excluders. `right` has the solution.
    fn new(state: &State, right: &[u16; CELLS], base: [usize; 3], excluders: u128) -> Triplet {
        let candidates = base.map(|cell| state.candidates[cell]);
        let [a, b, c] = candidates;
        let right_of = base.map(|cell| right[cell]);
        let mut triplet =
            Triplet { cells: base, candidates, sets: [0; 20], count: 0, right: right_of, excluded: [0; 3] };
        let all = right_of[0] | right_of[1] | right_of[2];
        for cell in cells(excluders & PEERS_OF[base[2]]) {
            let set = state.candidates[cell];
            triplet.sets[triplet.count] = set;
            triplet.count += (set & !(a | b | c) == 0) as usize;
            let wrong = set & !right[cell];
            if wrong & !all == 0 {
                for (excluded, [j, k]) in triplet.excluded.iter_mut().zip(OTHERS) {
                    *excluded |= if wrong & !(right_of[j] | right_of[k]) == 0 { right[cell] } else { 0 };
                }
            }
        }
        triplet
    }

    /// Whether a candidate is in no possible combination.
    ///
    /// Such a candidate is wrong, and cannot be combined with the right digits of the other two cells. Either an
    /// excluder has no candidates but it and these digits (`excluded`), or it is one of these digits itself. If it is
    /// only one of them, all candidates of the cell with this right digit must be among `others`.
    fn excludes(&self) -> bool {
        (0..3).any(|i| {
            let [j, k] = OTHERS[i];
            let others = self.excluded[i] | self.right[j] | self.right[k];
            let mut found = self.excluded[i] | self.right[j] & self.right[k];
            for j in [j, k] {
                found |= if self.candidates[j] & !others == 0 { self.right[j] } else { 0 };
            }
            bits(found & self.candidates[i] & !self.right[i]).any(|x| self.is_dead(i, x))
        })
    }

    /// Whether a candidate of one of the cells is in no possible combination.
    fn is_dead(&self, i: usize, x: usize) -> bool {
        let [j, k] = OTHERS[i];
        let sees = |i: usize, j: usize| (PEERS_OF[self.cells[i]] >> self.cells[j] & 1) as u16;
        bits(self.candidates[j] & !(sees(i, j) << x)).all(|y| {
            // Digits of the third cell that an excluder forbids: those that complete its candidates.
            let xy = 1u16 << x | 1 << y;
            let mut excluded = sees(i, k) << x | sees(j, k) << y;
            for &set in &self.sets[..self.count] {
                let left = set & !xy;
                if left & left.wrapping_sub(1) == 0 {
                    excluded |= if left == 0 { 0x1ff } else { left };
                }
            }
            self.candidates[k] & !excluded == 0
        })
    }

    /// Removes the candidates that are in no possible combination.
    fn hint(&self, state: &State, hint: &mut Hint) {
        hint.begin(Technique::AlignedTriplet, 0);
        for (i, cell) in self.cells.into_iter().enumerate() {
            let dead = bits(self.candidates[i]).filter(|&x| self.is_dead(i, x)).fold(0, |set, x| set | 1 << x);
            hint.remove(state, cell, dead);
        }
        let cells = self.cells.into_iter().fold(0, |set, cell| set | 1 << cell);
        hint.pattern(cells, self.candidates.into_iter().fold(0, |all, set| all | set), []);
    }
}
