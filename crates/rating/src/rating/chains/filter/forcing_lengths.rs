//! Technique 21 without the search: which assumptions have a forcing chain, and the length of the shortest one.
//!
//! The [exclusions](super::links) tell which assumptions have a chain. The graph of links can be read backwards with
//! all nodes opposite, so two searches give its length:
//!
//! ```text
//! s on  -> x on, s on  -> y on, x and y exclude each other:  s on -> .. x on -> y off .. -> s off
//! s off -> x on, s off -> y on, x and y exclude each other:  s off -> .. x on -> y off .. -> s on
//! ```
//!
//! So a chain is found when the searches from both of its ends meet, at half its length. `k` on nodes after the start
//! give a complexity of `2k + 2` for an assumption that is on, and of `2k` for one that is off. All assumptions are
//! advanced by a level at a time, until one of them meets.

use super::links::Graph;
use super::rows::{Row, both, count, has, meets, members, or, remove};

/// What one assumption reaches.
#[derive(Clone, Copy)]
pub struct Front<const W: usize> {
    /// On nodes of all levels, and of the last one.
    pub reached: Row<W>,
    pub last: Row<W>,
    /// Off nodes of all levels, and those that the last one added.
    pub off: Row<W>,
    pub new: Row<W>,
}

impl<const W: usize> Graph<'_, W> {
    pub fn start(&self, node: usize, on: bool) -> Front<W> {
        let mut last = [0; W];
        if on {
            last[node / 64] = 1 << (node % 64);
        } else {
            last = self.strong(node);
        }
        Front { reached: last, last, off: [0; W], new: [0; W] }
    }

    /// Adds the off nodes of the last level.
    #[inline]
    pub fn close(&self, front: &mut Front<W>) {
        let mut off = [0; W];
        members(front.last, |node| or(&mut off, &self.weak[node]));
        front.new = both(off, self.alive);
        remove(&mut front.new, &front.off);
        or(&mut front.off, &front.new);
    }

    /// Goes on to the next level of on nodes.
    #[inline]
    pub fn advance(&self, front: &mut Front<W>) {
        let mut next = [0; W];
        members(both(front.new, &self.layer.linked), |node| or(&mut next, &self.layer.strong[node]));
        front.last = both(next, self.alive);
        remove(&mut front.last, &front.reached);
        or(&mut front.reached, &front.last);
    }

    /// The complexity of the shortest chain from each of these nodes, which is on if it is one of `on`, up to `most`,
    /// and to `beyond` the lowest of all. `u32::MAX` where there is none.
    pub fn shortest(&self, nodes: Row<W>, on: &Row<W>, mut most: u32, beyond: impl Fn(u32) -> u32) -> Vec<u32> {
        let mut fronts = Vec::with_capacity(count(nodes));
        members(nodes, |node| {
            let mut front = self.start(node, has(on, node));
            if has(on, node) {
                self.close(&mut front);
            }
            fronts.push((node, front));
        });
        let mut lengths = vec![u32::MAX; self.numbering.nodes.len()];
        let mut complexity = 4;
        while complexity <= most && !fronts.is_empty() {
            fronts.retain_mut(|(node, front)| {
                // The levels that meet: the last one with itself, or with the one before.
                let k = (complexity - 2 * has(on, *node) as u32) / 2;
                if k % 2 == 1 {
                    self.advance(front);
                } else {
                    self.close(front);
                }
                if meets(&front.last, &front.off) {
                    lengths[*node] = complexity;
                    most = most.min(beyond(complexity));
                    return false;
                }
                front.last != [0; W]
            });
            complexity += 2;
        }
        lengths
    }
}
