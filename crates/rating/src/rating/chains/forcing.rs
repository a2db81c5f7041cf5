//! Technique 21: forcing chains, and the passes of cycles.
//!
//! A candidate is assumed to be on, or off. If its opposite follows by a chain of static links, the opposite holds.
//! By houses only (pass 1) 6.6, by houses and cells (pass 3) 7.0. The shortest chain of each assumption counts. Cycles
//! (see [`super::cycles`]) are found in passes 1 and 3, and in pass 2 by cells with two candidates.

use super::{Cause, Key, TRIPLES, Target, Triple, parts, triple};
use crate::rating::state::State;
use crate::rating::tables::{HOUSES_OF, MASK_OF, PEERS_OF, bits, cells, is_pair};

/// A node of a tree of nodes with one parent each.
#[derive(Clone, Copy)]
pub struct Link {
    pub triple: Triple,
    pub cause: Cause,
    /// An index; that of the node itself for the root.
    pub parent: u16,
}

/// The nodes that follow from a node, in order.
pub fn followers(state: &State, pass: Key, node: Triple, mut visit: impl FnMut(Triple, Cause)) {
    let (cell, digit, on) = parts(node);
    if on {
        if pass.by_cells() {
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
        if pass.by_cells() && is_pair(state.candidates[cell]) {
            let other = (state.candidates[cell] & !(1 << digit)).trailing_zeros() as usize;
            visit(triple(cell, other, true), Cause::Cell);
        }
        let mut met = [usize::MAX; 3];
        for kind in (0..3).filter(|_| pass.by_houses()) {
            if let Some(other) = state.partner(cell, digit, kind)
                && !met.contains(&other)
            {
                met[kind] = other;
                visit(triple(other, digit, true), Cause::House(kind as u8));
            }
        }
    }
}

/// The path from a node to the root.
pub fn path(links: &[Link], mut node: usize) -> impl Iterator<Item = (usize, Link)> {
    let mut ended = false;
    std::iter::from_fn(move || {
        if ended {
            return None;
        }
        let (index, link) = (node, links[node]);
        ended = link.parent as usize == node;
        node = link.parent as usize;
        Some((index, link))
    })
}

/// The shortest chain from an assumption to its opposite, of a known number of nodes.
///
/// A node that leads to the end in `i` links is the opposite of one that follows from the start in `i` links. So in the
/// second half of the chain only nodes whose opposites are near enough to the start are followed. Those are known by
/// then, because the number of links is odd.
pub fn forcing_target(state: &State, pass: Key, start: Triple, nodes: u32) -> Option<Target> {
    let mut links = Vec::with_capacity(128);
    links.push(Link { triple: start, cause: Cause::None, parent: 0 });
    // The links from the start, plus one, to each node that was met.
    let mut depths = [0u16; TRIPLES];
    depths[start as usize] = 1;
    // The links are the queue, too.
    let (mut next, mut end) = (0, None);
    while next < links.len() && end.is_none() {
        let depth = depths[links[next].triple as usize] + 1;
        followers(state, pass, links[next].triple, |made, cause| {
            let opposite = depths[made as usize ^ 1] as u32;
            let leads_on = 2 * depth as u32 <= nodes || opposite != 0 && opposite + depth as u32 <= nodes + 1;
            if depths[made as usize] == 0 && leads_on {
                depths[made as usize] = depth;
                links.push(Link { triple: made, cause, parent: next as u16 });
                if made == start ^ 1 {
                    end = Some(links.len() - 1);
                }
            }
        });
        next += 1;
    }
    let end = end?;
    let mut target = Target::with_capacity(nodes as usize);
    for (index, Link { triple, cause, parent }) in path(&links, end) {
        target.add(triple, cause, index as u16, (index != 0).then(|| links[parent as usize].triple));
    }
    Some(target)
}
