//! Techniques 13 and 14: XY-wing and XYZ-wing.
//!
//! - XY-wing: a pivot with the candidates `xy` sees pincers with `xz` and `yz`. One of the pincers is `z`, so `z` is
//!   removed from the cells that see both. 4.2.
//! - XYZ-wing: the pivot has `xyz`. `z` is removed from the cells that see all three. 4.4.
//!
//! Pivots are taken in order of cells, pincers in the order of peers.

use super::Technique;
use super::hint::Hint;
use super::state::State;
use super::tables::{PEERS_OF, bits, cells, has_two, in_peer_order, seen_by, size};

/// Technique 13, and technique 14 if `xyz`.
pub fn wing(state: &State, changed: u128, xyz: bool, hint: &mut Hint) -> bool {
    let counted = state.counted();
    let (pivots, pincers) = (counted[1 + xyz as usize], counted[1]);
    for pivot in cells(pivots & (changed | seen_by(changed & pincers))) {
        let near = pincers & PEERS_OF[pivot];
        if !has_pincers(state, state.candidates[pivot], near) {
            continue;
        }
        let mut order = [0; 20];
        let peers = in_peer_order(pivot, near);
        let count = order.iter_mut().zip(peers).map(|(place, cell)| *place = cell).count();
        for &first in &order[..count] {
            let both = state.candidates[pivot] | state.candidates[first];
            let common = state.candidates[pivot] & state.candidates[first];
            if size(both) != 3 || has_two(common) != xyz {
                continue;
            }
            for &second in &order[..count] {
                let digits = state.candidates[second];
                let z = state.candidates[first] & digits;
                let in_all = z & state.candidates[pivot];
                if size(both | digits) != 3 || !z.is_power_of_two() || (in_all != 0) != xyz {
                    continue;
                }
                let sees = PEERS_OF[first] & PEERS_OF[second] & if xyz { PEERS_OF[pivot] } else { u128::MAX };
                let digit = z.trailing_zeros() as usize;
                let removed = sees & state.cells[digit];
                if removed != 0 {
                    hint.begin(if xyz { Technique::XyzWing } else { Technique::XyWing }, 0);
                    hint.remove_digit(state, digit, removed);
                    hint.pattern(1 << pivot | 1 << first | 1 << second, both, []);
                    return true;
                }
            }
        }
    }
    false
}

/// Whether two of the cells, each with two candidates, share one candidate with each other and different ones with the
/// pivot.
fn has_pincers(state: &State, pivot: u16, near: u128) -> bool {
    let [mut x, mut y, mut z] = [0; 3];
    for digit in bits(pivot) {
        (x, y, z) = (y, z, near & state.cells[digit]);
    }
    if size(pivot) == 3 {
        let pairs = [x & y, x & z, y & z];
        return pairs.into_iter().filter(|&set| set != 0).count() >= 2;
    }
    let (y, z) = (y & !z, z & !y);
    y != 0 && z != 0 && state.cells.iter().any(|set| y & set != 0 && z & set != 0)
}
