//! One sweep: every inference once over the puzzles of all lanes, without a branch.

use super::layout::*;
use crate::simd::Simd;

/// Lane masks after a sweep. A lane in none of them made progress and goes on.
#[derive(Clone, Copy, Default)]
pub(super) struct Verdict {
    /// Some cell has no digit, or some digit no place.
    pub dead: u32,
    /// Every digit has one place in every house.
    pub solved: u32,
    /// No single was found: time to guess.
    pub stuck: u32,
}

/// Configurations of a digit in three boxes: rows `abc` of boxes 0, 1, 2.
const CONFIGS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0]];

type Grid3<V> = [[V; 3]; 3];

/// A three-by-three table from an expression of its two indices.
///
/// A macro because a closure is a function of its own, which would not be compiled for the
/// instruction set unless the compiler happens to inline it.
macro_rules! grid3 {
    (|$r:ident, $j:ident| $x:expr) => {
        [grid3!(@0 $r $j $x), grid3!(@1 $r $j $x), grid3!(@2 $r $j $x)]
    };
    (@$row:literal $r:ident $j:ident $x:expr) => {
        [grid3!(@$row 0 $r $j $x), grid3!(@$row 1 $r $j $x), grid3!(@$row 2 $r $j $x)]
    };
    (@$row:literal $column:literal $r:ident $j:ident $x:expr) => {{
        let ($r, $j): (usize, usize) = ($row, $column);
        $x
    }};
}

#[inline(always)]
fn configs<S: Simd>(s: S, m: &Grid3<S::V>) -> [S::V; 6] {
    let mut p = [m[0][0]; 6];
    for (p, c) in p.iter_mut().zip(CONFIGS) {
        *p = s.and3(m[c[0]][0], m[c[1]][1], m[c[2]][2]);
    }
    p
}

/// Minirow `(r, j)` keeps the digits of the two configurations that use row `r` in box `j`.
#[inline(always)]
fn minirows<S: Simd>(s: S, p: &[S::V; 6]) -> Grid3<S::V> {
    [
        [s.or(p[0], p[3]), s.or(p[2], p[4]), s.or(p[1], p[5])],
        [s.or(p[1], p[4]), s.or(p[0], p[5]), s.or(p[2], p[3])],
        [s.or(p[2], p[5]), s.or(p[1], p[3]), s.or(p[0], p[4])],
    ]
}

/// A minirow to which three digits are confined holds no other.
#[inline(always)]
fn naked_triples<S: Simd>(s: S, n: &Grid3<S::V>) -> Grid3<S::V> {
    grid3!(|r, j| {
        let (own, three) = confined(s, n, r, j);
        s.and_or_not(n[r][j], own, three)
    })
}

/// The same, and a minirow with only three digits left owns them: the rest of its box loses them.
#[inline(always)]
fn all_triples<S: Simd>(s: S, n: &Grid3<S::V>) -> Grid3<S::V> {
    let owned = grid3!(|r, j| {
        let fourth = drop_lowest(s, drop_lowest(s, drop_lowest(s, n[r][j])));
        s.and_not(n[r][j], spread_guards(s, s.add(fourth, s.splat(ALL))))
    });
    grid3!(|r, j| {
        let (own, three) = confined(s, n, r, j);
        let left = s.and_nor(n[r][j], owned[(r + 1) % 3][j], owned[(r + 2) % 3][j]);
        s.and_or_not(left, own, three)
    })
}

/// The digits confined to a minirow of their box, and all digits where there are at least three of them.
#[inline(always)]
fn confined<S: Simd>(s: S, n: &Grid3<S::V>, r: usize, j: usize) -> (S::V, S::V) {
    let own = s.and_nor(n[r][j], n[(r + 1) % 3][j], n[(r + 2) % 3][j]);
    let third = drop_lowest(s, drop_lowest(s, own));
    (own, spread_guards(s, s.add(third, s.splat(ALL))))
}

/// The digits with at least one and at least two configurations.
#[inline(always)]
fn count<S: Simd>(s: S, p: &[S::V; 6]) -> (S::V, S::V) {
    let (a1, b1) = (s.or3(p[0], p[1], p[2]), s.or3(p[3], p[4], p[5]));
    let (a2, b2) = (s.majority(p[0], p[1], p[2]), s.majority(p[3], p[4], p[5]));
    (s.or(a1, b1), s.or_and(s.or(a2, b2), a1, b1))
}

/// The digits that may stand elsewhere in the box: in another minirow than `(r, j)`.
#[inline(always)]
fn elsewhere<S: Simd>(s: S, n: &Grid3<S::V>) -> Grid3<S::V> {
    grid3!(|r, j| s.or(n[(r + 1) % 3][j], n[(r + 2) % 3][j]))
}

/// Sweeps all lanes once, and leaves the configurations of bands (six rows) and stacks (six rows) in
/// `kept`, for whoever has to guess.
#[inline(always)]
pub(super) fn sweep<S: Simd>(s: S, words: &mut [S::Row; WORDS], kept: &mut [S::Row; 12]) -> Verdict {
    let all = s.splat(ALL);

    // Bands.
    let m = grid3!(|r, j| s.or3(w(s, words, r, j, 0), w(s, words, r, j, 1), w(s, words, r, j, 2)));
    let n = minirows(s, &configs(s, &m));
    let rows = naked_triples(s, &n);

    // Stacks, on cells already filtered by the bands.
    let m = grid3!(|k, j| {
        let x = s.and(w(s, words, 0, j, k), rows[0][j]);
        let x = s.or_and(x, w(s, words, 1, j, k), rows[1][j]);
        let x = s.or_and(x, w(s, words, 2, j, k), rows[2][j]);
        match j {
            0 => x,
            1 => rotate_1(s, x),
            _ => rotate_2(s, x),
        }
    });
    let n = minirows(s, &configs(s, &m));
    let stack_configs = configs(s, &all_triples(s, &n));
    let n = minirows(s, &stack_configs);
    let columns = grid3!(|k, j| match j {
        0 => n[k][0],
        1 => rotate_2(s, n[k][1]),
        _ => rotate_1(s, n[k][2]),
    });

    // Bands again, on cells filtered by both.
    let m = grid3!(|r, j| {
        let x = s.and(w(s, words, r, j, 0), columns[0][j]);
        let x = s.or_and(x, w(s, words, r, j, 1), columns[1][j]);
        let x = s.or_and(x, w(s, words, r, j, 2), columns[2][j]);
        s.and(x, rows[r][j])
    });
    let band_configs = configs(s, &m);
    let rows = minirows(s, &band_configs);

    for i in 0..6 {
        s.store(band_configs[i], &mut kept[i]);
        s.store(stack_configs[i], &mut kept[6 + i]);
    }
    let (any_band, two_band) = count(s, &band_configs);
    let (any_stack, two_stack) = count(s, &stack_configs);

    // Cells.
    let other_rows = elsewhere(s, &rows);
    let other_columns = elsewhere(s, &columns);
    let zero = s.splat(0);
    let (mut twice, mut filled, mut changed) = (zero, all_guards(s), zero);
    unroll!(J in [0, 1, 2] {
        let mut naked = zero;
        let mut before = [zero; 9];
        let mut after = [zero; 9];
        let mut open = [zero; 9];
        unroll!(I in [0, 1, 2, 3, 4, 5, 6, 7, 8] {
            let (r, k) = (I / 3, I % 3);
            let cell = w(s, words, r, J, k);
            let kept = s.and3(cell, rows[r][J], columns[k][J]);
            // The only place of its row, column and box.
            let hidden = s.and_nor(cell, other_rows[r][J], other_columns[k][J]);
            let hidden_guards = s.add(hidden, all);
            twice = s.or_and(twice, hidden, hidden_guards);
            let x = s.and_or_not(kept, hidden, spread_guards(s, hidden_guards));
            let x_guards = s.add(x, all);
            filled = s.and(filled, x_guards);
            let several = spread_guards(s, s.add(s.and(x, x_guards), all));
            naked = s.or_and_not(naked, x, several);
            (before[I], after[I], open[I]) = (kept, x, several);
        });
        unroll!(I in [0, 1, 2, 3, 4, 5, 6, 7, 8] {
            let x = s.and_nand(after[I], naked, open[I]);
            changed = s.or_xor(changed, before[I], x);
            s.store(x, &mut words[word(I / 3, J, I % 3)]);
        });
    });

    let flaw = s.or3(s.and_nand(all, any_band, any_stack), s.and_not(all_guards(s), filled), twice);
    let lanes = u32::MAX >> (32 - S::LANES);
    let alive = s.zero_lanes(flaw);
    let solved = s.zero_lanes(s.or(two_band, two_stack)) & alive;
    Verdict { dead: !alive & lanes, solved, stuck: s.zero_lanes(changed) & alive & !solved }
}

/// The candidates of three cells of all lanes.
#[inline(always)]
fn w<S: Simd>(s: S, words: &[S::Row; WORDS], r: usize, j: usize, k: usize) -> S::V {
    s.load(&words[word(r, j, k)])
}

#[inline(always)]
fn all_guards<S: Simd>(s: S) -> S::V {
    s.splat(GUARD)
}
