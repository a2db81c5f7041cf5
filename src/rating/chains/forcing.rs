//! Technique 21: forcing chains, and the passes of cycles.
//!
//! A candidate is assumed to be on, or off. If its opposite follows by a chain of static links, the opposite holds.
//! By houses only (pass 1) 6.6, by houses and cells (pass 3) 7.0. The shortest chain of each assumption counts. Cycles
//! (see [`super::cycles`]) are found in passes 1 and 3, and in pass 2 by cells with two candidates.

use super::search::Hints;
use super::{
    Ancestor, Branches, Cause, ChainHint, Key, TRIPLES, Target, Triple, increment, parts, removal, triple,
};
use crate::rating::state::State;
use crate::rating::tables::{HOUSES_OF, MASK_OF, PEERS_OF, bits, cells, is_pair};

/// The links that a pass follows.
#[derive(Clone, Copy)]
pub struct Pass {
    /// Links by houses from off to on.
    pub x: bool,
    /// Links by cells from off to on.
    pub y: bool,
    /// Links by cells from on to off.
    pub cells: bool,
    pub key: Key,
}

/// The three passes.
pub const PASSES: [Pass; 3] = [
    Pass { x: true, y: false, cells: false, key: Key::X },
    Pass { x: false, y: true, cells: true, key: Key::Y },
    Pass { x: true, y: true, cells: true, key: Key::Xy },
];

/// A node of a tree of nodes with one parent each.
#[derive(Clone, Copy)]
pub struct Link {
    pub triple: Triple,
    pub cause: Cause,
    /// An index; that of the node itself for the root.
    pub parent: u16,
}

/// The nodes that follow from a node, in order.
pub fn followers(state: &State, pass: Pass, node: Triple, mut visit: impl FnMut(Triple, Cause)) {
    let (cell, digit, on) = parts(node);
    if on {
        if pass.cells {
            for other in bits(state.candidates[cell] & !(1 << digit)) {
                visit(triple(cell, other, false), Cause::Cell);
            }
        }
        let mut left = state.cells[digit] & PEERS_OF[cell];
        for kind in 0..3 {
            let house = MASK_OF[HOUSES_OF[cell][kind] as usize];
            for other in cells(left & house) {
                visit(triple(other, digit, false), Cause::House(kind as u8));
            }
            left &= !house;
        }
    } else {
        if pass.y && is_pair(state.candidates[cell]) {
            let other = (state.candidates[cell] & !(1 << digit)).trailing_zeros() as usize;
            visit(triple(cell, other, true), Cause::Cell);
        }
        let mut met = [usize::MAX; 3];
        for kind in (0..3).filter(|_| pass.x) {
            if let Some(other) = state.partner(cell, digit, kind)
                && !met.contains(&other)
            {
                met[kind] = other;
                visit(triple(other, digit, true), Cause::House(kind as u8));
            }
        }
    }
}

/// The path from a node to the root, as a target.
pub fn path(links: &[Link], mut node: usize) -> Target {
    let mut target = Vec::new();
    loop {
        let Link { triple, cause, parent } = links[node];
        let is_root = parent as usize == node;
        let parents = if is_root { Vec::new() } else { vec![links[parent as usize].triple] };
        target.push(Ancestor { triple, cause, nested: 0, order: node as u16, parents });
        if is_root {
            return target;
        }
        node = parent as usize;
    }
}

/// The shortest chain from an assumption to its opposite.
pub fn forced(state: &State, pass: Pass, start: Triple, hints: &mut Hints, links: &mut Vec<Link>) {
    let base = if pass.cells { 7.0 } else { 6.6 };
    let mut seen = [0u64; TRIPLES.div_ceil(64)];
    seen[start as usize / 64] |= 1 << (start % 64);
    links.clear();
    links.push(Link { triple: start, cause: Cause::None, parent: 0 });
    // The tree by levels: the queue of a level is the nodes of the last one.
    let (mut level, mut depth) = (0..1, 1);
    let mut end = None;
    while !level.is_empty() && end.is_none() && hints.may_win(base, depth + 1, pass.key) {
        depth += 1;
        let next = links.len();
        for parent in level {
            followers(state, pass, links[parent].triple, |made, cause| {
                let bit = 1u64 << (made % 64);
                let is_new = seen[made as usize / 64] & bit == 0;
                seen[made as usize / 64] |= bit;
                if is_new {
                    links.push(Link { triple: made, cause, parent: parent as u16 });
                }
                if made == start ^ 1 && end.is_none() {
                    end = Some(links.len() - 1);
                }
            });
        }
        level = next..links.len();
    }
    let Some(end) = end else { return };
    let Some(removed) = removal(state, start ^ 1) else { return };
    let (cell, digit, on) = parts(start);
    let targets = if hints.all || hints.explains { vec![path(links, end)] } else { Vec::new() };
    hints.add(ChainHint {
        difficulty: base + increment(depth),
        complexity: depth,
        key: pass.key,
        branches: Branches::Single,
        removals: vec![removed],
        place: (!on).then_some((cell as u8, digit as u8)),
        targets,
    });
}
