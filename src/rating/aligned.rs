//! Techniques 20 and 22: aligned pair and triplet exclusion.
//!
//! Two or three base cells see common *excluders*: cells with few candidates. A combination of candidates of the base
//! cells is impossible if two equal digits see each other, or if it takes all candidates of an excluder. A candidate in no possible
//! combination is removed.
//!
//! - Pair: any two base cells, and excluders with two candidates, at least two of them common. 6.2.
//! - Triplet: a pair, and a third cell among the excluders of one of the two; excluders with two or three candidates, at least two
//!   of them common to all three. 7.5.
//!
//! Base cells have two or more candidates and see an excluder, and no cell with a single candidate. Pairs are taken in colexicographic order.
//! Both techniques hardly ever find anything, so a screen by sets of cells comes first; combinations are tried only for what passes.

use super::Technique;
use super::hint::Hint;
use super::state::State;
use super::tables::{NINE, PEER_ORDER, PEERS_OF, bits, cells, has_two_cells, seen_by};

/// The cells that may be base cells.
fn base_cells(state: &State, excluders: u128) -> u128 {
    let [single, ..] = state.counted();
    let any = state.cells.iter().fold(0, |any, set| any | set);
    any & !single & seen_by(excluders) & !seen_by(single)
}

/// The cells that may be new base cells together with others, which see some excluders.
fn new_with(others: u128, excluders: u128, changed: u128) -> u128 {
    if others & changed != 0 { u128::MAX } else { changed | seen_by(excluders & changed) }
}

/// Technique 20.
pub fn pair(state: &State, changed: u128, hint: &mut Hint) -> bool {
    let excluders = state.bivalue();
    let base = base_cells(state, excluders);
    // The first pair in colexicographic order: the higher cell, then the lower one.
    let mut best: Option<(usize, usize)> = None;
    for a in cells(base) {
        let near = excluders & PEERS_OF[a];
        let others = base & !(1 << a) & new_with(1 << a, near, changed);
        if !has_two_cells(near) || others == 0 {
            continue;
        }
        for x in bits(state.candidates[a]) {
            let mut dead = others;
            for y in 0..NINE {
                // The cells in which `y` cannot go together with `x` in `a`.
                let excluded =
                    if x == y { PEERS_OF[a] } else { seen_by(near & state.cells[x] & state.cells[y]) };
                dead &= !state.cells[y] | excluded;
                if dead == 0 {
                    break;
                }
            }
            for b in cells(dead).filter(|&b| has_two_cells(near & PEERS_OF[b])) {
                let pair = (a.max(b), a.min(b));
                best = Some(best.map_or(pair, |best| best.min(pair)));
            }
        }
    }
    let Some((b, a)) = best else { return false };
    hint.begin(Technique::AlignedPair, 62);
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
pub fn triplet(state: &State, changed: u128, hint: &mut Hint) -> bool {
    let [_, two, three] = state.counted();
    let excluders = two | three;
    let base = base_cells(state, excluders);
    for second in cells(base) {
        let near = excluders & PEERS_OF[second];
        for first in cells(base & ((1 << second) - 1)) {
            let common = near & PEERS_OF[first];
            if !has_two_cells(common) {
                continue;
            }
            let new = excluders & base & new_with(1 << first | 1 << second, common, changed);
            if new == 0 {
                continue;
            }
            // The cells that see at least two of the common excluders.
            let (mut once, mut twice) = (0, 0);
            for cell in cells(common) {
                twice |= once & PEERS_OF[cell];
                once |= PEERS_OF[cell];
            }
            let sees = PEERS_OF[first] | PEERS_OF[second];
            let mut thirds = twice & new & sees & !(1 << first | 1 << second);
            // The same three cells came before as a lower pair, if the higher cell can be the third one.
            if excluders >> second & 1 == 1 {
                let is_seen = if PEERS_OF[second] >> first & 1 == 1 { u128::MAX } else { PEERS_OF[second] };
                thirds &= !(is_seen & ((1 << second) - 1));
            }
            if excluders >> first & 1 == 1 {
                let is_seen = if PEERS_OF[second] >> first & 1 == 1 { u128::MAX } else { PEERS_OF[first] };
                thirds &= !(is_seen & ((1 << first) - 1));
            }
            if thirds == 0 {
                continue;
            }
            let exclude = |third: usize, hint: &mut Hint| {
                exclude(state, [first, second, third], common & PEERS_OF[third], hint)
            };
            if cells(thirds).any(|third| exclude(third, hint)) {
                // The first of them in the order of the excluders.
                let order = PEER_ORDER[first].iter().chain(&PEER_ORDER[second]).map(|&cell| cell as usize);
                return order.filter(|&cell| thirds >> cell & 1 == 1).any(|third| exclude(third, hint));
            }
        }
    }
    false
}

/// Removes the candidates of three cells that are in no possible combination. Returns whether there are any.
fn exclude(state: &State, base: [usize; 3], common: u128, hint: &mut Hint) -> bool {
    let [a, b, c] = base.map(|cell| state.candidates[cell]);
    // Only excluders without other digits can exclude anything.
    let others = bits(0x1ff & !(a | b | c)).fold(0, |cells, digit| cells | state.cells[digit]);
    let within = common & !others;
    if within == 0 {
        return false;
    }
    let mut sets = [0; 20];
    let candidates = cells(within).map(|cell| state.candidates[cell]);
    let count = sets.iter_mut().zip(candidates).map(|(place, set)| *place = set).count();
    let sets = &sets[..count];
    let sees = |i: usize, j: usize| PEERS_OF[base[i]] >> base[j] & 1 == 1;
    let (ab, ac, bc) = (sees(0, 1), sees(0, 2), sees(1, 2));
    let mut possible = [0u16; 3];
    for x in bits(a) {
        for y in bits(b & !((ab as u16) << x)) {
            if possible[0] >> x & possible[1] >> y & 1 == 1 && possible[2] == c {
                continue;
            }
            // Digits of the third cell that an excluder forbids: those that complete its candidates.
            let xy = 1u16 << x | 1 << y;
            let mut excluded = (ac as u16) << x | (bc as u16) << y;
            for &set in sets {
                let left = set & !xy;
                if left & left.wrapping_sub(1) == 0 {
                    excluded |= if left == 0 { 0x1ff } else { left };
                }
            }
            let left = c & !excluded;
            if left != 0 {
                possible[0] |= 1 << x;
                possible[1] |= 1 << y;
                possible[2] |= left;
            }
        }
    }
    if possible == [a, b, c] {
        return false;
    }
    hint.begin(Technique::AlignedTriplet, 75);
    for (cell, possible) in base.into_iter().zip(possible) {
        hint.remove(state, cell, !possible);
    }
    hint.pattern(base.into_iter().fold(0, |set, cell| set | 1 << cell), a | b | c, []);
    true
}
