//! Canonical forms of complete grids, and of clues by way of the complete grid.
//!
//! 1. Of each chute, take the pairs of lines, in both orders, 36 in all. The class of a pair (see [`Tables`]) determines the
//!    least second row that it can have below `123456789`. Only pairs of the least class go on: 2.1 on average.
//! 2. The table gives the orders of columns that reach this second row, 11 to 14 for all pairs together. Each of them
//!    determines the third row. Only the least go on: 1.5.
//! 3. Each of these determines the names of the digits, and so all rows. The rows are sorted by their first digits, in each
//!    band and the bands themselves. The least grid is the form, and the number of ways to it that of the automorphisms.

use super::Canonical;
use super::lines::{self, Lines};
use super::tables::{PAIRS, Places, Tables};
use super::way::Way;
use crate::grid::CELLS;
use crate::simd::{Kernel, Simd};

/// Complete grids at a time. Vectors are loaded from what was stored bytewise only after several grids, or each load
/// would wait for the stores.
const GROUP: usize = 16;

/// A complete grid, prepared.
#[derive(Clone)]
struct Grid {
    lines: Lines,
    places: [Places; 18],
    clues: Lines,
}

/// Buffers that are used again.
#[derive(Default)]
pub struct Scratch {
    grids: Vec<Grid>,
    thirds: Vec<Third>,
    ways: Vec<Way>,
}

/// A pair of lines and an order of columns that make the first two rows least.
#[derive(Clone, Copy)]
struct Third {
    /// The third row: its first eight places, which determine the last.
    row: u64,
    order: u16,
    pair: u8,
}

/// Computes the forms of complete grids, or of clues within them. The form is `None` where the grid breaks the rules.
pub struct Forms<'a, G> {
    pub tables: &'static Tables,
    pub scratch: &'a mut Scratch,
    /// Complete grid number `k`, each cell from 1 to 9 in its low four bits, or `None` if it has no form.
    pub grid: G,
    /// The clues in these grids; `None` for the grids themselves.
    pub clues: Option<&'a [crate::grid::Puzzle]>,
    pub forms: &'a mut [Option<Canonical>],
}

impl<G: Fn(usize) -> Option<[u8; CELLS]>> Kernel for Forms<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Forms { tables, scratch: Scratch { grids, thirds, ways }, grid, clues, forms } = self;
        grids.resize(GROUP, Grid { lines: [[0; 16]; 18], places: [[0; 16]; 18], clues: [[0; 16]; 18] });
        for start in (0..forms.len()).step_by(GROUP) {
            let forms = &mut forms[start..];
            let mut exists = [false; GROUP];
            for (k, prepared) in grids.iter_mut().take(forms.len()).enumerate() {
                if let Some(cells) = grid(start + k) {
                    exists[k] = true;
                    lines::fill(&cells, &mut prepared.lines);
                    lines::fill_places(&cells, &mut prepared.places);
                    if let Some(clues) = clues {
                        lines::fill(&clues[start + k].0, &mut prepared.clues);
                    }
                }
            }
            for (k, form) in forms.iter_mut().take(GROUP).enumerate() {
                let prepared = &grids[k];
                *form = None;
                if !exists[k] || !find_ways(s, tables, prepared, thirds, ways) {
                    continue;
                }
                *form = Some(match clues {
                    None => ways[0].canonical(s, &prepared.lines, ways.len() as u32),
                    Some(_) => least_image(s, &prepared.clues, ways),
                });
            }
        }
    }
}

/// The least image of lines, and in how many of the ways it is reached.
#[inline(always)]
fn least_image<S: Simd>(s: S, lines: &Lines, ways: &mut Vec<Way>) -> Canonical {
    // Images are compared row by row, and only the ways to the least so far go on.
    for row in 0..9 {
        if ways.len() == 1 {
            break;
        }
        let (mut least, mut kept) = (u64::MAX, 0);
        for i in 0..ways.len() {
            let image = s.ten_nibbles(ways[i].row(s, lines, row));
            if image < least {
                (least, kept) = (image, 0);
            }
            if image == least {
                ways[kept] = ways[i];
                kept += 1;
            }
        }
        ways.truncate(kept);
    }
    ways[0].canonical(s, lines, ways.len() as u32)
}

/// Finds all ways from a grid to its canonical form. Returns whether the grid obeys the rules.
#[inline(always)]
fn find_ways<S: Simd>(
    s: S,
    tables: &Tables,
    grid: &Grid,
    thirds: &mut Vec<Third>,
    ways: &mut Vec<Way>,
) -> bool {
    let Some((pairs, least)) = classify(s, tables, grid) else { return false };
    let thirds = find_thirds(s, tables, grid, &pairs, least, thirds);
    ways.clear();
    let mut best = [u64::MAX; 6];
    for &third in thirds {
        let (way, rows) = complete(s, tables, grid, third);
        if thirds.len() > 1 {
            if rows > best {
                continue;
            }
            if rows < best {
                ways.clear();
                best = rows;
            }
        }
        ways.push(way);
    }
    true
}

/// The numbers of the 18 pairs, and their classes: of all pairs, then of the inverse pairs.
struct Pairs {
    numbers: [u16; 18],
    classes: [[u8; 2]; 18],
}

/// The three lines of a chute, as offsets: a pair and the third line.
const THREE_LINES: [[u8; 3]; 3] = [[0, 1, 2], [0, 2, 1], [1, 2, 0]];

/// Finds the class of each pair and the least class; `None` if the grid breaks the rules.
#[inline(always)]
fn classify<S: Simd>(s: S, tables: &Tables, grid: &Grid) -> Option<(Pairs, u8)> {
    // Three places and a gap, three times.
    let spread = s.load_bytes(&[0, 1, 2, 15, 3, 4, 5, 15, 6, 7, 8, 15, 15, 15, 15, 15]);
    let weights = [1, 9, 81, 0, 1, 9, 81, 0, 1, 9, 81, 0, 0, 0, 0, 0];
    let mut pairs = Pairs { numbers: [0; 18], classes: [[0; 2]; 18] };
    let mut all_places = s.splat_byte(0);
    let (mut least, mut greatest_number) = (u8::MAX, 0);
    for chute in 0..6 {
        for (i, [first, second, _]) in THREE_LINES.into_iter().enumerate() {
            all_places = s.max_bytes(all_places, s.load_bytes(&grid.places[3 * chute + i]));
            let places = s.load_bytes(&grid.places[3 * chute + first as usize]);
            let line = s.lookup(s.load_bytes(&grid.lines[3 * chute + second as usize]), spread);
            let sums = s.weighted_sums(s.lookup(places, line), &weights);
            let mut number = 0;
            for (numbers, sum) in tables.numbers.iter().zip(sums) {
                number += numbers[sum as usize & 2047];
            }
            greatest_number = number.max(greatest_number);
            let classes = tables.classes[usize::from(number).min(PAIRS)];
            pairs.numbers[3 * chute + i] = number;
            pairs.classes[3 * chute + i] = classes;
            least = least.min(classes[0]).min(classes[1]);
        }
    }
    // A digit is missing in a line if its place is 15, which becomes the high bit. Lines that are permutations, in bands
    // and stacks of valid pairs, are all rules.
    let missing = s.high_bits(s.add_bytes(all_places, s.splat_byte(128 - 15))) & 0b11_1111_1110;
    (missing == 0 && usize::from(greatest_number) < PAIRS).then_some((pairs, least))
}

/// Finds all pairs and orders of columns that lead to the least third row.
#[inline(always)]
fn find_thirds<'a, S: Simd>(
    s: S,
    tables: &Tables,
    grid: &Grid,
    pairs: &Pairs,
    least: u8,
    thirds: &'a mut Vec<Third>,
) -> &'a [Third] {
    let mut chosen = [0; 36];
    let mut n = 0;
    for (i, &class) in pairs.classes.as_flattened().iter().enumerate() {
        chosen[n] = i as u8;
        n += usize::from(class == least);
    }
    // All pairs of a class have the same number of orders.
    let length = tables.length(least);
    if thirds.len() < n * length {
        thirds.resize(n * length, Third { row: 0, order: 0, pair: 0 });
    }
    let thirds = &mut thirds[..n * length];
    let mut least_row = u64::MAX;
    for (&pair, thirds) in chosen[..n].iter().zip(thirds.chunks_exact_mut(length)) {
        let number = pairs.numbers[pair as usize / 2];
        let number = if pair % 2 == 0 { number } else { tables.inverses[number as usize] };
        let [first, _, third] = lines_of_pair(pair);
        let places = s.lookup(s.load_bytes(&grid.places[first]), s.load_bytes(&grid.lines[third]));
        for (third, &order) in thirds.iter_mut().zip(tables.orders_to_least(number, least)) {
            let source = s.load_bytes(&tables.sources[order as usize]);
            let target = s.load_bytes(&tables.targets[order as usize]);
            let row = s.first_eight(s.lookup(target, s.lookup(places, source)));
            least_row = least_row.min(row);
            *third = Third { row, order, pair };
        }
    }
    let mut kept = 0;
    for i in 0..thirds.len() {
        let third = thirds[i];
        thirds[kept] = third;
        kept += usize::from(third.row == least_row);
    }
    &thirds[..kept]
}

/// The first, second and third line of a pair of the 36.
#[inline(always)]
fn lines_of_pair(pair: u8) -> [usize; 3] {
    let (chute, [first, second, third]) = (pair as usize / 6, THREE_LINES[pair as usize / 2 % 3]);
    let lines = if pair.is_multiple_of(2) { [first, second, third] } else { [second, first, third] };
    lines.map(|line| 3 * chute + line as usize)
}

/// The way whose first three rows are given, and the other six rows of its image: the first eight digits, which determine
/// the last.
#[inline(always)]
fn complete<S: Simd>(s: S, tables: &Tables, grid: &Grid, third: Third) -> (Way, [u64; 6]) {
    let top = lines_of_pair(third.pair);
    let sources = tables.sources[third.order as usize];
    let target = s.load_bytes(&tables.targets[third.order as usize]);
    // A digit is named after its place in the first row.
    let digits = s.load_bytes(&[0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0]);
    let named = s.lookup(target, s.load_bytes(&grid.places[top[0]]));
    let names = s.and_bytes(s.add_bytes(named, s.splat_byte(1)), digits);

    let (chute, source) = (top[0] / 3, s.load_bytes(&sources));
    let others = [[1, 2], [0, 2], [0, 1]][chute % 3].map(|band| 3 * (chute / 3 * 3 + band));
    let mut rows = [[0; 3]; 2];
    for (rows, first) in rows.iter_mut().zip(others) {
        for (i, row) in rows.iter_mut().enumerate() {
            let line = s.load_bytes(&grid.lines[first + i]);
            *row = s.first_eight(s.lookup(names, s.lookup(line, source)));
        }
    }
    let least = rows.map(|[a, b, c]| a.min(b).min(c));
    let is_later = usize::from(least[0] > least[1]);
    let mut lines = [0; 9];
    let mut sorted = [0; 6];
    for (i, line) in top.into_iter().enumerate() {
        lines[i] = line as u8;
    }
    for (band, [a, b, c]) in rows.into_iter().enumerate() {
        let first = 3 * (is_later ^ band);
        let ranks = [
            usize::from(a > b) + usize::from(a > c),
            usize::from(b > a) + usize::from(b > c),
            usize::from(c > a) + usize::from(c > b),
        ];
        for (i, (rank, row)) in ranks.into_iter().zip([a, b, c]).enumerate() {
            sorted[first + rank] = row;
            lines[3 + first + rank] = (others[band] + i) as u8;
        }
    }
    (Way { lines, sources, names: s.bytes_of(names) }, sorted)
}
