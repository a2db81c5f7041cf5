//! Canonical forms of complete grids, and of clues by way of the complete grid.
//!
//! 1. Of each chute, take the pairs of lines, in both orders, 36 in all. The class of a pair (see [`Tables`])
//!    determines the least second row that it can have below `123456789`. Only pairs of the least class go on: 2.1 on
//!    average.
//! 2. The table gives the orders of columns that reach this second row, 11 to 14 for all pairs together. Each of them
//!    determines the third row. Only the least go on: 1.5.
//! 3. Each of these determines the names of the digits, and so all rows. The rows are sorted by their first digits, in
//!    each band and the bands themselves. The least grid is the form, and the number of ways to it that of the
//!    automorphisms.

//!
//! Each step is done for several grids before the next one, so that mispredicted branches and the latency of one grid
//! overlap with the work of others.

use std::cmp::Ordering;

use super::Canonical;
use super::tables::{NO_CLASS, Places, TABLES, Tables};
use super::way::Way;
use crate::grid::{CELLS, Puzzle};
use crate::simd::{Blocks, ByteKernel, Four};

/// Complete grids at a time.
const GROUP: usize = 16;
/// Pairs of a grid, without their inverses.
const PAIRS_OF_GRID: usize = 18;

/// A complete grid, prepared.
#[derive(Clone)]
struct Grid {
    cells: [u8; CELLS],
    /// The lines of each chute.
    lines: [Four; 6],
    /// The place of each digit in each of these lines.
    places: [Four; 6],
    /// For the three pairs of each chute, the indices in [`Tables::numbers`], as words.
    indices: [Four; 6],
    /// The number of each pair.
    numbers: [u16; PAIRS_OF_GRID],
    /// The classes of each pair and its inverse.
    classes: Four,
    has_form: bool,
}

impl Grid {
    const EMPTY: Grid = Grid {
        cells: [0; CELLS],
        lines: [Four::ZERO; 6],
        places: [Four::ZERO; 6],
        indices: [Four::ZERO; 6],
        numbers: [0; PAIRS_OF_GRID],
        classes: Four([[NO_CLASS; 16]; 4]),
        has_form: false,
    };
}

/// A pair of lines of the least class of a grid, and an order of columns that makes it the least member.
#[derive(Clone, Copy)]
struct Candidate {
    /// The third row in terms of the first.
    third: Places,
    order: u16,
    pair: u8,
    class: u8,
    grid: u8,
}

/// A pair of lines and an order of columns that make the first three rows least.
#[derive(Clone, Copy)]
struct Third {
    candidate: u16,
    /// An order that keeps the pair, after that of the candidate.
    keeping: u16,
}

/// A way to the first three rows of the form.
#[derive(Clone, Copy)]
struct Found {
    way: Way,
    /// The other six rows.
    rest: Four,
    pair: u8,
}

/// Computes the forms of complete grids, or of clues within them. The form is `None` where the grid breaks the rules.
pub struct Forms<'a> {
    /// Complete grid number `k`, each cell from 1 to 9, or `None` if it has no form.
    pub grid: &'a dyn Fn(usize) -> Option<[u8; CELLS]>,
    /// The clues in these grids; `None` for the grids themselves.
    pub clues: Option<&'a [Puzzle]>,
    pub forms: &'a mut [Option<Canonical>],
}

impl ByteKernel for Forms<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Blocks>(self, s: S) {
        let Forms { grid, clues, forms } = self;
        let tables = &*TABLES;
        let mut grids = vec![Grid::EMPTY; GROUP];
        let (mut candidates, mut rows, mut thirds, mut found) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (at, forms) in forms.chunks_mut(GROUP).enumerate() {
            let start = at * GROUP;
            for (k, prepared) in grids[..forms.len()].iter_mut().enumerate() {
                prepared.has_form = false;
                if let Some(cells) = grid(start + k) {
                    (prepared.has_form, prepared.cells) = (true, cells);
                }
            }
            for grid in grids[..forms.len()].iter_mut().filter(|grid| grid.has_form) {
                prepare(s, grid);
            }
            for grid in grids[..forms.len()].iter_mut().filter(|grid| grid.has_form) {
                classify(tables, grid);
            }
            candidates.clear();
            for (k, grid) in (0..).zip(&mut grids[..forms.len()]) {
                // Lines with every digit, in bands and stacks of valid pairs, are all rules.
                grid.has_form &= s.equal_mask(&grid.classes, NO_CLASS) & EVERY_PAIR == 0;
                if grid.has_form {
                    find_candidates(s, tables, grid, k, &mut candidates);
                }
            }
            find_thirds(s, tables, &candidates, &mut rows, &mut thirds);
            found.clear();
            for &third in &thirds {
                let candidate = &candidates[third.candidate as usize];
                found.push(complete(s, tables, &grids[candidate.grid as usize], candidate, third));
            }
            // The thirds of a grid follow each other.
            let (mut thirds, mut found) = (&thirds[..], &mut found[..]);
            for (k, (form, grid)) in forms.iter_mut().zip(&grids).enumerate() {
                *form = None;
                if !grid.has_form {
                    continue;
                }
                let is_of_grid = |third: &&Third| candidates[third.candidate as usize].grid as usize == k;
                let n = 1 + thirds[1..].iter().take_while(is_of_grid).count();
                let ways;
                (ways, found) = found.split_at_mut(n);
                thirds = &thirds[n..];
                let n = if n == 1 { 1 } else { keep_least(s, ways) };
                let clues = clues.map_or(&grid.cells, |clues| clues[start + k].cells());
                match n {
                    1 => ways[0].way.write_canonical(s, clues, 1, form),
                    _ => least_image(s, clues, &ways[..n], form),
                }
            }
        }
    }
}

/// Fills what the cells determine.
#[inline(always)]
fn prepare<S: Blocks>(s: S, grid: &mut Grid) {
    // Three places and a gap, three times.
    let spread = s.repeat(s.load_bytes(&[0, 1, 2, 15, 3, 4, 5, 15, 6, 7, 8, 15, 15, 15, 15, 15]));
    let weights = [1, 9, 81, 0, 1, 9, 81, 0, 1, 9, 81, 0, 0, 0, 0, 0];
    grid.has_form = s.lines_and_places(&grid.cells, &mut grid.lines, &mut grid.places);
    for chute in 0..6 {
        let first = s.first_of_pairs(s.load_four(&grid.places[chute]));
        let second = s.second_of_pairs(s.load_four(&grid.lines[chute]));
        let pairs = s.lookup_each(first, s.lookup_each(second, spread));
        s.store_four(s.weighted_sums_each(pairs, &weights), &mut grid.indices[chute]);
    }
}

/// Fills the number and the classes of each pair.
#[inline(always)]
fn classify(tables: &Tables, grid: &mut Grid) {
    let classes = grid.classes.0.as_flattened_mut().as_chunks_mut::<2>().0;
    for (chute, Four(indices)) in grid.indices.iter().enumerate() {
        for (i, indices) in indices[..3].iter().enumerate() {
            let mut number = 0;
            for (numbers, index) in tables.numbers.iter().zip(indices.as_chunks().0) {
                number += numbers[u32::from_le_bytes(*index) as usize & 2047];
            }
            grid.numbers[3 * chute + i] = number;
            classes[3 * chute + i] = tables.classes[number as usize];
        }
    }
}

/// The bytes of [`Grid::classes`] that are classes.
const EVERY_PAIR: u64 = (1 << (2 * PAIRS_OF_GRID)) - 1;

/// Adds the pairs of the least class. There are none if the grid breaks the rules.
#[inline(always)]
fn find_candidates<S: Blocks>(s: S, tables: &Tables, grid: &Grid, index: u8, candidates: &mut Vec<Candidate>) {
    let class = s.least_byte(&grid.classes);
    let mut chosen = s.equal_mask(&grid.classes, class);
    while chosen != 0 {
        let pair = chosen.trailing_zeros() as usize;
        chosen &= chosen - 1;
        let [first, _, third] = LINES_OF_PAIR[pair % 6];
        let order = tables.to_least[grid.numbers[pair / 2] as usize][pair % 2];
        let source = s.load_bytes(&tables.sources[order as usize]);
        let target = s.load_bytes(&tables.targets[order as usize]);
        let places = s.load_bytes(&grid.places[pair / 6].0[first as usize]);
        let line = s.load_bytes(&grid.lines[pair / 6].0[third as usize]);
        let third = s.lookup(target, s.lookup(places, s.lookup(line, source)));
        candidates.push(Candidate { third: s.bytes_of(third), order, pair: pair as u8, class, grid: index });
    }
}

/// Finds all candidates and orders of columns that lead to the least third row.
#[inline(always)]
fn find_thirds<S: Blocks>(
    s: S,
    tables: &Tables,
    candidates: &[Candidate],
    rows: &mut Vec<Four>,
    thirds: &mut Vec<Third>,
) {
    thirds.clear();
    let mut start = 0;
    for candidates in candidates.chunk_by(|a, b| a.grid == b.grid) {
        // All are of the same class.
        let fours = &tables.keeping[candidates[0].class as usize].fours[..];
        let n = candidates.len() * fours.len();
        rows.resize(n, Four::ZERO);
        let mut least = s.repeat(s.splat_byte(u8::MAX));
        let mut at = 0;
        for candidate in candidates {
            let third = s.repeat(s.load_bytes(&candidate.third));
            for four in fours {
                let image = s.lookup_eight_each(third, s.load_four(&four.reversed_sources));
                let image = s.lookup_eight_each(s.load_four(&four.targets), image);
                least = s.min_numbers(least, image);
                s.store_four(image, &mut rows[at]);
                at += 1;
            }
        }
        let least = s.least_number(least);
        for (at, rows) in (0..).step_by(32).zip(rows.chunks(8)) {
            let mut equal = 0;
            for (i, rows) in rows.iter().enumerate() {
                equal |= u64::from(s.equal_numbers(s.load_four(rows), least)) << (8 * i);
            }
            while equal != 0 {
                let index = at + equal.trailing_zeros() / 2;
                equal &= equal - 1;
                let length = 4 * fours.len() as u32;
                let candidate = start + (index / length) as u16;
                thirds.push(Third { candidate, keeping: (index % length) as u16 });
            }
        }
        start += candidates.len() as u16;
    }
}

/// The first, second and third line of the six pairs of a chute.
const LINES_OF_PAIR: [[u8; 3]; 6] = [[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 0, 1], [1, 2, 0], [2, 1, 0]];

/// For each pair, the rows of the two other bands in places 0 to 2 and 4 to 6, and the rows of its own band in places 8
/// to 10, in order.
static ROWS_OF_PAIR: [Places; 18] = {
    let mut table = [[0; 16]; 18];
    let mut pair = 0;
    while pair < 18 {
        let band = pair / 6;
        let others = [[1, 2], [0, 2], [0, 1]][band];
        let lines = LINES_OF_PAIR[pair % 6];
        let mut i = 0;
        while i < 3 {
            table[pair][i] = 3 * others[0] + i as u8;
            table[pair][4 + i] = 3 * others[1] + i as u8;
            table[pair][8 + i] = 3 * band as u8 + lines[i];
            i += 1;
        }
        pair += 1;
    }
    table
};

/// Pairs of places of [`ROWS_OF_PAIR`]. The first six are of one band, the last nine of two.
const COMPARED: [Places; 2] =
    [[0, 0, 1, 4, 4, 5, 0, 0, 0, 1, 1, 1, 2, 2, 2, 0], [1, 2, 2, 5, 6, 6, 4, 5, 6, 4, 5, 6, 4, 5, 6, 0]];

/// The places of the nine rows in [`ROWS_OF_PAIR`], by the first six comparisons and whether the first band comes
/// first.
static ROW_ORDERS: [Places; 128] = {
    let mut table = [[0; 16]; 128];
    let mut index = 0;
    while index < 128 {
        let order = &mut table[index];
        (order[0], order[1], order[2]) = (8, 9, 10);
        let mut band = 0;
        while band < 2 {
            let less = index >> (1 + 3 * band);
            let (ab, ac, bc) = (less & 1, less >> 1 & 1, less >> 2 & 1);
            let ranks = [2 - ab - ac, ab + 1 - bc, ac + bc];
            let is_first = (index & 1 == 1) == (band == 0);
            let mut i = 0;
            while i < 3 {
                order[if is_first { 3 } else { 6 } + ranks[i]] = (4 * band + i) as u8;
                i += 1;
            }
            band += 1;
        }
        index += 1;
    }
    table
};

/// The way whose first three rows are given.
#[inline(always)]
fn complete<S: Blocks>(s: S, tables: &Tables, grid: &Grid, candidate: &Candidate, third: Third) -> Found {
    let pair = candidate.pair as usize;
    let keeping = tables.keeping[candidate.class as usize].orders[third.keeping as usize] as usize;
    let order = candidate.order as usize;
    let source = s.lookup(s.load_bytes(&tables.sources[order]), s.load_bytes(&tables.sources[keeping]));
    let target = s.lookup(s.load_bytes(&tables.targets[keeping]), s.load_bytes(&tables.targets[order]));
    // A digit is named after its place in the first row.
    let digits = s.load_bytes(&[0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0]);
    let [first, _, _] = LINES_OF_PAIR[pair % 6];
    let named = s.lookup(target, s.load_bytes(&grid.places[pair / 6].0[first as usize]));
    let names = s.and_bytes(s.add_bytes(named, s.splat_byte(1)), digits);

    let others = [[1, 2], [0, 2], [0, 1], [4, 5], [3, 5], [3, 4]][pair / 6];
    let (sources, all_names) = (s.repeat(source), s.repeat(names));
    let mut rows = [sources; 2];
    for (rows, chute) in rows.iter_mut().zip(others) {
        *rows = s.lookup_each(all_names, s.lookup_each(s.load_four(&grid.lines[chute]), sources));
    }
    let first = s.first_bytes(rows);
    let [a, b] = &COMPARED;
    let (a, b) = (s.lookup(first, s.load_bytes(a)), s.lookup(first, s.load_bytes(b)));
    let less = s.high_bits(s.equal_bytes(s.min_bytes(a, b), a));
    // A row of the first band is before all of the second.
    let before_all = less >> 6 & less >> 7 & less >> 8 & 0b1_001_001;
    let order = &ROW_ORDERS[(less as usize & 63) << 1 | usize::from(before_all != 0)];
    let order_of_rest = order[3..].first_chunk().expect("six rows");
    let mut rest = Four::ZERO;
    s.store_four(s.pack_nines(rows, order_of_rest), &mut rest);
    let rows = s.lookup(s.load_bytes(&ROWS_OF_PAIR[pair % 18]), s.load_bytes(order));
    let way = Way {
        is_transposed: pair >= 18,
        rows: s.bytes_of(rows),
        columns: s.bytes_of(source),
        names: s.bytes_of(names),
    };
    Found { way, rest, pair: candidate.pair }
}

/// Moves the ways to the least grid to the front, and returns their number.
#[inline(always)]
fn keep_least<S: Blocks>(s: S, ways: &mut [Found]) -> usize {
    let mut kept = 1;
    for i in 1..ways.len() {
        match s.compare_54(s.load_four(&ways[i].rest), s.load_four(&ways[0].rest)) {
            Ordering::Less => kept = 0,
            Ordering::Equal => {}
            Ordering::Greater => continue,
        }
        ways[kept] = ways[i];
        kept += 1;
    }
    kept
}

/// Writes the least image of cells, and in how many of the ways it is reached.
#[inline(always)]
fn least_image<S: Blocks>(s: S, cells: &[u8; CELLS], ways: &[Found], form: &mut Option<Canonical>) {
    // Of several symmetries to the form, the first in this order is given.
    let order = |Found { way: Way { columns, .. }, pair, .. }: &Found| {
        (*pair, [0, 3, 6].map(|at| columns[at] / 3), columns.map(|column| column % 3))
    };
    let (mut image, mut least, mut automorphisms, mut first) = ([0; CELLS], [u8::MAX; CELLS], 0, &ways[0]);
    for found in ways {
        found.way.write_image(s, cells, &mut image);
        match image.cmp(&least) {
            Ordering::Less => (least, automorphisms, first) = (image, 1, found),
            Ordering::Equal => {
                automorphisms += 1;
                if order(found) < order(first) {
                    first = found;
                }
            }
            Ordering::Greater => {}
        }
    }
    first.way.write_canonical(s, cells, automorphisms, form);
}
