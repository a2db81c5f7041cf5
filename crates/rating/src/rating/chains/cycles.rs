//! Technique 21: cycles (X-cycles, Y-cycles, and those of both).
//!
//! Links lead from an assumption back to itself: on, off, on, ..., on. So either all on nodes of the cycle hold, or all
//! its off nodes do not. A candidate outside the cells of the cycle that sees an on node and an off node of its digit
//! is removed. 6.5 by houses or by cells only, 7.0 by both.
//!
//! The search is breadth first. On nodes count once; off nodes are made anew for each parent, unless they are among its
//! ancestors. So there may be several cycles from the same start.

use super::forcing::{Link, followers, path};
use super::hints::Hints;
use super::{Cause, ChainHint, Key, TRIPLES, Target, Triple, cycle_removals, increment};
use crate::rating::state::State;

/// The rating of a cycle of a pass without increments.
pub fn base_of_cycles(pass: Key) -> f64 {
    if pass == Key::Xy { 7.0 } else { 6.5 }
}

/// The hints of cycles from a start, up to a complexity.
pub fn cycles(state: &State, pass: Key, start: Triple, most: u32, hints: &mut Hints, links: &mut Vec<Link>) {
    let base = base_of_cycles(pass);
    let mut seen = [0u64; TRIPLES.div_ceil(64)];
    seen[start as usize / 64] |= 1 << (start % 64);
    links.clear();
    links.push(Link { triple: start, cause: Cause::None, parent: 0 });
    let (mut level, mut round) = (0..1, 0);
    let mut removals = Vec::new();
    while !level.is_empty() && round + 2 <= most && hints.may_win(base, round + 2, pass) {
        round += 2;
        let next = links.len();
        for parent in level {
            let on = links[parent].triple;
            if on & 1 == 0 {
                continue;
            }
            followers(state, pass, on, |off, off_cause| {
                let mut off_node = None;
                followers(state, pass, off, |made, cause| {
                    let bit = 1u64 << (made % 64);
                    let is_new = seen[made as usize / 64] & bit == 0;
                    let closes = round >= 4 && made == start;
                    if !is_new && !closes {
                        return;
                    }
                    if off_node.is_none() && !is_ancestor(links, parent, off) {
                        off_node = Some(links.len());
                        links.push(Link { triple: off, cause: off_cause, parent: parent as u16 });
                    }
                    let Some(off_node) = off_node else { return };
                    if closes {
                        cycle(state, pass, base, (links, off_node, cause), round, &mut removals, hints);
                    }
                    if is_new {
                        seen[made as usize / 64] |= bit;
                        links.push(Link { triple: made, cause, parent: off_node as u16 });
                    }
                });
            });
        }
        level = next..links.len();
    }
}

fn ancestors(links: &[Link], node: usize) -> impl Iterator<Item = Triple> {
    path(links, node).map(|(_, link)| link.triple)
}

fn is_ancestor(links: &[Link], node: usize, wanted: Triple) -> bool {
    ancestors(links, node).any(|triple| triple == wanted)
}

/// The hint of the cycle that the link from a node back to the start closes.
fn cycle(
    state: &State,
    pass: Key,
    base: f64,
    (links, end, cause): (&[Link], usize, Cause),
    complexity: u32,
    removals: &mut Vec<(u8, u16)>,
    hints: &mut Hints,
) {
    if !hints.may_win(base, complexity, pass) {
        return;
    }
    cycle_removals(state, ancestors(links, end), removals);
    let difficulty = base + increment(complexity);
    if removals.is_empty() || !hints.is_first(difficulty, complexity, pass, removals) {
        return;
    }
    let mut targets = Vec::new();
    if hints.all || hints.explains {
        // The start is both ends of the path; the end, which has a cause, comes first.
        let start = links[0].triple;
        let links = path(links, end).map(|(_, link)| (link.triple, link.cause));
        let nodes: Vec<_> = std::iter::once((start, cause)).chain(links).collect();
        targets = [false, true].map(|is_reversed| direction(&nodes, is_reversed)).into();
    }
    hints.add(ChainHint {
        difficulty,
        complexity,
        key: pass,
        assumed: Cause::None,
        removals: removals.clone(),
        place: None,
        targets,
        start: None,
    });
}

/// A cycle as a target; in the other direction all nodes are opposite. `nodes` has the start at both ends.
///
/// Each node in the other direction keeps the cause of the node that it reverses, like in the reference: it decides
/// what an inner cycle depends on.
fn direction(nodes: &[(Triple, Cause)], is_reversed: bool) -> Target {
    let count = nodes.len() - 1;
    let node = |i: usize| {
        let (node, cause) = nodes[if is_reversed { count - i } else { i }];
        (node ^ is_reversed as Triple, cause)
    };
    let mut target = Target::with_capacity(count);
    for i in 0..count {
        target.add(node(i).0, node(i).1, (count - i) as u16, Some(node(i + 1).0));
    }
    target
}
