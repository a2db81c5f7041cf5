//! One sweep: every inference once for the puzzles of all lanes, without a branch.
//!
//! 1. Bands: configurations, naked triples, configurations. The configurations before the triples save 4 % of the
//!    sweeps, those after them 3 %, both together 20 %, for 2 % of the operations each.
//! 2. Stacks: the same, on the cells that the bands have left. Naked triples in both directions: 20 % fewer sweeps.
//! 3. Bands: configurations, on the cells that both have left. 15 % fewer sweeps for 6 % of the operations. (Stacks
//!    again after that pay on 17-clue puzzles only.)
//! 4. Cells, diagonal after diagonal: hidden singles, naked singles, and their peers. Each diagonal uses the rows and
//!    columns that the ones before it have left: 2 % fewer sweeps.
//! 5. Verdict: dead, solved or stuck.
//!
//! The configurations of a digit in a band or stack are those of tdoku, here for three units and nine digits per
//! operation.

use super::codegen::{own_frame, unroll};
use super::layout::*;
use crate::simd::{Simd, Step};

/// Lane masks after a sweep. A lane in none of them made progress and is swept again.
#[derive(Clone, Copy, Default)]
pub(super) struct Verdict {
    /// Contradiction: a cell without a candidate or with two hidden singles, a digit without a place, or a minirow or
    /// minicolumn with more digits than cells.
    pub dead: u32,
    /// Not dead, and every house has nine different singles.
    pub solved: u32,
    /// Singles changed almost nothing: time to guess.
    pub stuck: u32,
}

/// The configurations of a digit in a band: its rows in boxes 0, 1 and 2.
const CONFIGS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0]];

type Grid3<V> = [[V; 3]; 3];

/// A three-by-three table from an expression of its two indices.
///
/// This is a macro because a closure is not compiled for the instruction set unless LLVM happens to inline it.
macro_rules! grid3 {
    (|$r:ident, $j:ident| $x:expr) => {
        [grid3!(@0 $r $j $x), grid3!(@1 $r $j $x), grid3!(@2 $r $j $x)]
    };
    (@$row:literal $r:ident $j:ident $x:expr) => {
        [grid3!(@$row 0 $r $j $x), grid3!(@$row 1 $r $j $x), grid3!(@$row 2 $r $j $x)]
    };
    (@$row:literal $column:literal $r:ident $j:ident $x:expr) => {{
        let ($r, $j): (usize, usize) = ($row, $column);
        own_frame!($x)
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

/// Minirow `(r, j)` keeps the digits of the two configurations with row `r` in box `j`.
#[inline(always)]
fn minirows<S: Simd>(s: S, p: &[S::V; 6]) -> Grid3<S::V> {
    [
        [s.or(p[0], p[3]), s.or(p[2], p[4]), s.or(p[1], p[5])],
        [s.or(p[1], p[4]), s.or(p[0], p[5]), s.or(p[2], p[3])],
        [s.or(p[2], p[5]), s.or(p[1], p[3]), s.or(p[0], p[4])],
    ]
}

/// A minirow that contains all places of three digits in its box holds no other digit. Of four such digits the last
/// has no place then.
#[inline(always)]
fn naked_triples<S: Simd>(s: S, n: &Grid3<S::V>) -> Grid3<S::V> {
    grid3!(|r, j| {
        let own = s.and_nor(n[r][j], n[(r + 1) % 3][j], n[(r + 2) % 3][j]);
        let third = drop_lowest(s, drop_lowest(s, own));
        let fewer = full_where_guard_clear(s, s.add(third, s.splat(ALL)));
        s.or_and(s.and_not(own, drop_lowest(s, third)), n[r][j], fewer)
    })
}

/// A sweep of a vector of puzzles: reads `vectors[from]` and writes `vectors[to]`, which may be the same, with
/// [`SOLVED_WORDS`]. Stores the configurations of bands (six rows) and stacks (six rows) in `kept`, for
/// [`super::guess`].
pub(super) struct Sweep<'a, R> {
    pub vectors: &'a mut [[R; ROWS]],
    pub from: usize,
    pub to: usize,
    pub kept: &'a mut [R; 12],
}

impl<S: Simd> Step<S> for Sweep<'_, S::Row> {
    type Output = Verdict;

    #[inline(always)]
    fn run(self, s: S) -> Verdict {
        let Sweep { vectors, from, to, kept } = self;
        assert!(from < vectors.len() && to < vectors.len());
        let all = s.splat(ALL);
        let words = &vectors[from];

        // 1. Bands.
        let m = grid3!(|r, j| s.or3(
            load_word(s, words, r, j, 0),
            load_word(s, words, r, j, 1),
            load_word(s, words, r, j, 2)
        ));
        let n = minirows(s, &configs(s, &m));
        let n = naked_triples(s, &n);
        let rows = minirows(s, &configs(s, &n));

        // 2. Stacks, on cells filtered by the bands.
        let m = grid3!(|k, j| {
            let x = s.and(load_word(s, words, 0, j, k), rows[0][j]);
            let x = s.or_and(x, load_word(s, words, 1, j, k), rows[1][j]);
            let x = s.or_and(x, load_word(s, words, 2, j, k), rows[2][j]);
            match j {
                0 => x,
                1 => rotate_1_unmasked(s, x),
                _ => rotate_2_unmasked(s, x),
            }
        });
        let n = minirows(s, &configs(s, &m));
        let stack_configs = configs(s, &naked_triples(s, &n));
        let n = minirows(s, &stack_configs);
        let mut columns = grid3!(|k, j| match j {
            0 => n[k][0],
            1 => rotate_2_unmasked(s, n[k][1]),
            _ => rotate_1_unmasked(s, n[k][2]),
        });
        let any_stack = s.or3(n[0][0], n[1][0], n[2][0]);

        // 3. Bands again, on cells filtered by both.
        let m = grid3!(|r, j| {
            let x = s.and(load_word(s, words, r, j, 0), columns[0][j]);
            let x = s.or_and(x, load_word(s, words, r, j, 1), columns[1][j]);
            let x = s.or_and(x, load_word(s, words, r, j, 2), columns[2][j]);
            s.and(x, rows[r][j])
        });
        let band_configs = configs(s, &m);
        let mut rows = minirows(s, &band_configs);

        for i in 0..6 {
            s.store(band_configs[i], &mut kept[i]);
            s.store(stack_configs[i], &mut kept[6 + i]);
        }

        // 4. Cells.
        let zero = s.splat(0);
        let (mut nonempty, mut two_hidden, mut changed, mut complete) = (all_guards(s), zero, zero, all);
        // Singles of the boxes so far, by row and by column (in the field of the current box).
        let (mut seen_in_row, mut seen_in_column) = ([zero; 3], [zero; 3]);
        unroll!(J in [0, 1, 2] {
            // Digits with one minirow left, and digits with one minicolumn left.
            let (mut row, mut column) = ([zero; 3], [zero; 3]);
            unroll!(L in [0, 1, 2] {
                row[L] = s.and_nor(rows[L][J], rows[(L + 1) % 3][J], rows[(L + 2) % 3][J]);
                column[L] = s.and_nor(columns[L][J], columns[(L + 1) % 3][J], columns[(L + 2) % 3][J]);
            });
            let (mut guards, mut single, mut open) = ([zero; 9], [zero; 9], [zero; 9]);
            unroll!(I in [0, 1, 2, 3, 4, 5, 6, 7, 8] {
                let kept = s.and3(load_word(s, &vectors[from], I / 3, J, I % 3), rows[I / 3][J], columns[I % 3][J]);
                // One minirow and one minicolumn are left: the only cell in the box.
                let hidden = s.and(row[I / 3], column[I % 3]);
                let hidden_guards = s.add(hidden, all);
                two_hidden = s.or_and(two_hidden, hidden, hidden_guards);
                open[I] = s.and(kept, full_where_guard_clear(s, hidden_guards));
                // Naked singles are computed from the cell before hidden singles filter it. That shortens the
                // dependency chain: sweeps take 7 % less time on Zen 5. It needs `two_hidden`: without two hidden
                // singles in a cell the cell has at most one single.
                guards[I] = s.add(kept, all);
                let second = s.and(kept, guards[I]);
                single[I] = s.or_then_and(hidden, full_where_guard_clear(s, s.add(second, all)), kept);
                if I % 2 == 1 {
                    nonempty = s.and3(nonempty, guards[I - 1], guards[I]);
                }
            });
            nonempty = s.and(nonempty, guards[8]);
            let (mut by_row, mut by_column) = ([zero; 3], [zero; 3]);
            // Rows and columns lose singles at once in the boxes of the next diagonals: 14 % fewer sweeps on easy
            // puzzles. This does not count as progress: in a lane that is otherwise stuck it hardly ever leads on.
            unroll!(L in [0, 1, 2] {
                by_row[L] = s.or3(single[3 * L], single[3 * L + 1], single[3 * L + 2]);
                by_column[L] = s.or3(single[L], single[3 + L], single[6 + L]);
                seen_in_row[L] = s.or(seen_in_row[L], by_row[L]);
                seen_in_column[L] = s.or(seen_in_column[L], by_column[L]);
                if J < 2 {
                    seen_in_column[L] = rotate_2(s, seen_in_column[L]);
                    const NEXT: usize = (J + 1) % 3;
                    rows[L][NEXT] = s.and_not(rows[L][NEXT], seen_in_row[L]);
                    columns[L][NEXT] = s.and_not(columns[L][NEXT], seen_in_column[L]);
                }
            });
            if J < 2 {
                let lines = vectors[to][ID + 1 + 4 * J..].first_chunk_mut::<4>().expect("4 of 8");
                for (line, digits) in lines.iter_mut().zip([by_row[0], by_row[1], by_column[0], by_column[1]]) {
                    s.store(digits, line);
                }
            }
            let in_box = s.or3(by_row[0], by_row[1], by_row[2]);
            complete = s.and(complete, in_box);
            let mut after = [zero; 9];
            unroll!(I in [0, 1, 2, 3, 4, 5, 6, 7, 8] {
                after[I] = s.or(single[I], s.and_not(open[I], in_box));
                s.store(after[I], &mut vectors[to][word(I / 3, J, I % 3)]);
            });
            // Progress is a change in the digits of a minirow or minicolumn. Two diagonals are enough: changes in the
            // first alone seldom lead on, and waiting for them takes 2 % more sweeps on the hardest puzzles.
            if J != 0 {
                unroll!(L in [0, 1, 2] {
                    changed = s.or_xor(changed, rows[L][J], s.or3(after[3 * L], after[3 * L + 1], after[3 * L + 2]));
                    changed = s.or_xor(changed, columns[L][J], s.or3(after[L], after[3 + L], after[6 + L]));
                });
            }
        });

        // 5. Verdict.
        let any_band = s.or3(rows[0][2], rows[1][2], rows[2][2]);
        let contradiction = s.or3(two_hidden, s.and_nand(all, any_band, any_stack), s.and_not(all_guards(s), nonempty));
        let lanes = u32::MAX >> (32 - S::LANES);
        let alive = s.zero_lanes(contradiction);
        let complete = s.and3(
            complete,
            s.and3(seen_in_row[0], seen_in_row[1], seen_in_row[2]),
            s.and3(seen_in_column[0], seen_in_column[1], seen_in_column[2]),
        );
        let solved = s.zero_lanes(s.xor(complete, all)) & alive;
        // Gathered are unmasked rotations: bits above the last guard are unspecified.
        let stuck = s.zero_lanes(s.and(changed, all)) & alive & !solved;
        Verdict { dead: !alive & lanes, solved, stuck }
    }
}

/// Moves field `f` to field `f + 1`, and the last to the first. Bits from the last guard up are unspecified.
#[inline(always)]
fn rotate_1_unmasked<S: Simd>(s: S, x: S::V) -> S::V {
    s.or(s.shl::<10>(x), s.shr::<20>(x))
}

/// Moves field `f` to field `f + 2` modulo 3, likewise.
#[inline(always)]
fn rotate_2_unmasked<S: Simd>(s: S, x: S::V) -> S::V {
    s.or(s.shl::<20>(x), s.shr::<10>(x))
}

/// The candidates of three cells in all lanes.
#[inline(always)]
fn load_word<S: Simd>(s: S, words: &[S::Row; ROWS], r: usize, j: usize, k: usize) -> S::V {
    s.load(&words[word(r, j, k)])
}

#[inline(always)]
fn all_guards<S: Simd>(s: S) -> S::V {
    s.splat(GUARD)
}
