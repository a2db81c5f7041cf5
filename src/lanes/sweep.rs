//! One sweep: every inference once over the puzzles of all lanes, without a branch.

use super::layout::*;
use crate::simd::Simd;

/// Lane masks after a sweep. A lane in none of them made progress and goes on.
#[derive(Clone, Copy, Default)]
pub(super) struct Verdict {
    /// Some cell has no digit or must have two, some digit no place, or some minirow or minicolumn more digits than cells.
    pub dead: u32,
    /// Not dead, and every house has all digits, each as the only one of a cell.
    pub solved: u32,
    /// Singles have changed next to nothing: time to guess.
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

/// A minirow to which three digits are confined holds no other. A fourth one is nowhere then.
#[inline(always)]
fn naked_triples<S: Simd>(s: S, n: &Grid3<S::V>) -> Grid3<S::V> {
    grid3!(|r, j| {
        let own = s.and_nor(n[r][j], n[(r + 1) % 3][j], n[(r + 2) % 3][j]);
        let third = drop_lowest(s, drop_lowest(s, own));
        let fewer = spread_clear_guards(s, s.add(third, s.splat(ALL)));
        s.or_and(s.and_not(own, drop_lowest(s, third)), n[r][j], fewer)
    })
}

/// Sweeps a vector of puzzles once, `from` one of several `to` the same or another, with what says all of a solved grid.
/// Leaves the configurations of bands (six rows) and stacks (six rows) in `kept`, for whoever has to guess.
#[inline(always)]
pub(super) fn sweep<S: Simd>(
    s: S,
    vectors: &mut [[S::Row; ROWS]],
    from: usize,
    to: usize,
    kept: &mut [S::Row; 12],
) -> Verdict {
    assert!(from < vectors.len() && to < vectors.len());
    let all = s.splat(ALL);
    let words = &vectors[from];

    // Bands.
    let m = grid3!(|r, j| s.or3(w(s, words, r, j, 0), w(s, words, r, j, 1), w(s, words, r, j, 2)));
    let n = minirows(s, &configs(s, &m));
    let n = naked_triples(s, &n);
    let rows = minirows(s, &configs(s, &n));

    // Stacks, on cells already filtered by the bands.
    let m = grid3!(|k, j| {
        let x = s.and(w(s, words, 0, j, k), rows[0][j]);
        let x = s.or_and(x, w(s, words, 1, j, k), rows[1][j]);
        let x = s.or_and(x, w(s, words, 2, j, k), rows[2][j]);
        match j {
            0 => x,
            1 => turn_1(s, x),
            _ => turn_2(s, x),
        }
    });
    let n = minirows(s, &configs(s, &m));
    let stack_configs = configs(s, &naked_triples(s, &n));
    let n = minirows(s, &stack_configs);
    let mut columns = grid3!(|k, j| match j {
        0 => n[k][0],
        1 => turn_2(s, n[k][1]),
        _ => turn_1(s, n[k][2]),
    });
    let any_stack = s.or3(n[0][0], n[1][0], n[2][0]);

    // Bands again, on cells filtered by both.
    let m = grid3!(|r, j| {
        let x = s.and(w(s, words, r, j, 0), columns[0][j]);
        let x = s.or_and(x, w(s, words, r, j, 1), columns[1][j]);
        let x = s.or_and(x, w(s, words, r, j, 2), columns[2][j]);
        s.and(x, rows[r][j])
    });
    let band_configs = configs(s, &m);
    let mut rows = minirows(s, &band_configs);

    for i in 0..6 {
        s.store(band_configs[i], &mut kept[i]);
        s.store(stack_configs[i], &mut kept[6 + i]);
    }

    // Cells.
    let zero = s.splat(0);
    let (mut filled, mut twice, mut changed, mut complete) = (all_guards(s), zero, zero, all);
    // Naked singles of the boxes so far, by row and by column (in the field of the current box).
    let (mut across, mut down) = ([zero; 3], [zero; 3]);
    unroll!(J in [0, 1, 2] {
        // Digits with one minirow left, and with one minicolumn.
        let (mut row, mut column) = ([zero; 3], [zero; 3]);
        unroll!(L in [0, 1, 2] {
            row[L] = s.and_nor(rows[L][J], rows[(L + 1) % 3][J], rows[(L + 2) % 3][J]);
            column[L] = s.and_nor(columns[L][J], columns[(L + 1) % 3][J], columns[(L + 2) % 3][J]);
        });
        let (mut guards, mut single, mut open) = ([zero; 9], [zero; 9], [zero; 9]);
        unroll!(I in [0, 1, 2, 3, 4, 5, 6, 7, 8] {
            let kept = s.and3(w(s, &vectors[from], I / 3, J, I % 3), rows[I / 3][J], columns[I % 3][J]);
            // The only place of its row, column and box.
            let hidden = s.and(row[I / 3], column[I % 3]);
            let hidden_guards = s.add(hidden, all);
            twice = s.or_and(twice, hidden, hidden_guards);
            open[I] = s.and(kept, spread_clear_guards(s, hidden_guards));
            // What is kept, not what hidden singles leave of it: naked ones do not wait for them. Unless there is one
            // `twice`, the single of a cell is one digit at most.
            guards[I] = s.add(kept, all);
            let second = s.and(kept, guards[I]);
            single[I] = s.or_then_and(hidden, spread_clear_guards(s, s.add(second, all)), kept);
            if I % 2 == 1 {
                filled = s.and3(filled, guards[I - 1], guards[I]);
            }
        });
        filled = s.and(filled, guards[8]);
        let (mut naked, mut below) = ([zero; 3], [zero; 3]);
        // Rows and columns lose naked singles at once in the boxes that are still to come. (That this
        // changes something does not count: in a lane that is stuck otherwise it means next to nothing.)
        unroll!(L in [0, 1, 2] {
            naked[L] = s.or3(single[3 * L], single[3 * L + 1], single[3 * L + 2]);
            below[L] = s.or3(single[L], single[3 + L], single[6 + L]);
            across[L] = s.or(across[L], naked[L]);
            down[L] = s.or(down[L], below[L]);
            if J < 2 {
                down[L] = rotate_2(s, down[L]);
                const NEXT: usize = (J + 1) % 3;
                rows[L][NEXT] = s.and_not(rows[L][NEXT], across[L]);
                columns[L][NEXT] = s.and_not(columns[L][NEXT], down[L]);
            }
        });
        if J < 2 {
            let lines = vectors[to][NUMBER + 1 + 4 * J..].first_chunk_mut::<4>().expect("4 of 8");
            for (line, digits) in lines.iter_mut().zip([naked[0], naked[1], below[0], below[1]]) {
                s.store(digits, line);
            }
        }
        let naked = s.or3(naked[0], naked[1], naked[2]);
        complete = s.and(complete, naked);
        let mut after = [zero; 9];
        unroll!(I in [0, 1, 2, 3, 4, 5, 6, 7, 8] {
            after[I] = s.or(single[I], s.and_not(open[I], naked));
            s.store(after[I], &mut vectors[to][word(I / 3, J, I % 3)]);
        });
        // Progress is what shows in a minirow or minicolumn. Whether there is any is as well asked of two diagonals as
        // of three: what moves in the first alone seldom leads on.
        if J != 0 {
            unroll!(L in [0, 1, 2] {
                changed = s.or_xor(changed, rows[L][J], s.or3(after[3 * L], after[3 * L + 1], after[3 * L + 2]));
                changed = s.or_xor(changed, columns[L][J], s.or3(after[L], after[3 + L], after[6 + L]));
            });
        }
    });

    let any_band = s.or3(rows[0][2], rows[1][2], rows[2][2]);
    let flaw = s.or3(twice, s.and_nand(all, any_band, any_stack), s.and_not(all_guards(s), filled));
    let lanes = u32::MAX >> (32 - S::LANES);
    let alive = s.zero_lanes(flaw);
    let complete =
        s.and3(complete, s.and3(across[0], across[1], across[2]), s.and3(down[0], down[1], down[2]));
    let solved = s.zero_lanes(s.xor(complete, all)) & alive;
    // Above the last guard columns hold what means nothing.
    let stuck = s.zero_lanes(s.and(changed, all)) & alive & !solved;
    Verdict { dead: !alive & lanes, solved, stuck }
}

/// Field `f` to field `f + 1`, the last to the first; what comes to stand above the last guard means nothing.
#[inline(always)]
fn turn_1<S: Simd>(s: S, x: S::V) -> S::V {
    s.or(s.shl::<10>(x), s.shr::<20>(x))
}

/// Field `f` to field `f + 2`, likewise.
#[inline(always)]
fn turn_2<S: Simd>(s: S, x: S::V) -> S::V {
    s.or(s.shl::<20>(x), s.shr::<10>(x))
}

/// The candidates of three cells of all lanes.
#[inline(always)]
fn w<S: Simd>(s: S, words: &[S::Row; ROWS], r: usize, j: usize, k: usize) -> S::V {
    s.load(&words[word(r, j, k)])
}

#[inline(always)]
fn all_guards<S: Simd>(s: S) -> S::V {
    s.splat(GUARD)
}
