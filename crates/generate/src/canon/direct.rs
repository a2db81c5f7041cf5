//! The least form of a puzzle with any number of solutions.
//!
//! Row by row, breadth first, of the grid and of the transposed grid. A *state* stands for all symmetries that agree on
//! the rows chosen so far. It knows only what these rows determine: the order of columns is an ordered partition, in
//! which columns that were blank so far are not distinguished, and neither are stacks that were blank so far, which
//! come first.
//!
//! 1. *Try* each row that may follow in a state: sort the cells of each class of columns (blanks, then digits with
//!    names, then new digits), and the blank stacks. This is the least row that this state and row can give.
//! 2. Only the states and rows with the least row go on. New digits in the same class, and stacks with equal cells, may
//!    be in any order: one state for each.
//!
//! A blank row has the same effect as another one in its band, and a blank band as another one. Only one of them is
//! tried, and the state counts for all.

use super::Canonical;
use super::tables::{Places, TABLES, Tables};
use super::way::Way;
use crate::grid::{CELLS, Puzzle, box_of, column_of, row_of};
use crate::simd::{Blocks, ByteKernel, Four};

/// The key of a digit without a name.
const NEW: u8 = 15;

/// All symmetries that agree on some rows.
#[derive(Clone, Copy)]
struct State {
    /// The source of each column; columns of the same class are in any order.
    sources: Places,
    /// For each digit its key times four: zero for blank, the name, or [`NEW`].
    keys: [u8; 16],
    /// The lines that are the rows so far.
    lines: [u8; 9],
    /// Whether the source is the transposed grid.
    is_transposed: bool,
    /// Stacks that were blank so far, from the first.
    blank_stacks: u8,
    /// Bit `i`: columns `i` and `i + 1` are in the same class.
    same: u16,
    /// The rows of the source that are left.
    left: u16,
    /// The number of symmetries that differ in the order of blank rows and bands only.
    count: u32,
}

/// A state with a row that may follow.
#[derive(Clone, Copy)]
struct Hit {
    state: u32,
    line: u8,
    /// The order of the stacks, see [`Shape::stack_orders`].
    stack_order: u8,
    /// The cells in the order of columns: class, key and place in the stack.
    sorted: [u8; 16],
}

/// The states before and after a row, and the hits between them.
type Buffers = (Vec<State>, Vec<State>, Vec<Hit>);

/// Rows, then columns.
type Lines = [[u8; 16]; 18];

/// The blank rows of the grid and of the transposed grid.
type Blanks = [u16; 2];

/// What does not change in the search for the form of a puzzle.
struct Source<'a> {
    tables: &'a Tables,
    lines: &'a Lines,
    blanks: Blanks,
}

/// The least row, which all states have next.
struct Row {
    number: usize,
    /// See [`attempt`].
    value: u64,
    /// The name of its first new digit.
    name: u8,
}

/// Constants of sorting.
struct Shape {
    /// For each `same`, the class of each column within its stack times 64, plus its place in the stack. Without bits 2
    /// and 5 of `same`, which are never set.
    bases: [[u8; 16]; 256],
    /// For three stacks in two bits each, the source of each column.
    stack_orders: [[u8; 16]; 64],
}

static SHAPE: Shape = {
    let mut shape = Shape { bases: [[0; 16]; 256], stack_orders: [[15; 16]; 64] };
    let mut index = 0;
    while index < 256 {
        let mut column = 0;
        while column < 9 {
            let mut class = 0;
            let mut before = column / 3 * 3;
            while before < column {
                class += 1 - (index >> before & 1) as u8;
                before += 1;
            }
            shape.bases[index][column] = class << 6 | (column % 3) as u8;
            if index < 64 {
                let stack = index >> (column / 3 * 2) & 3;
                shape.stack_orders[index][column] = if stack == 3 { 15 } else { (3 * stack + column % 3) as u8 };
            }
            column += 1;
        }
        index += 1;
    }
    shape
};

/// The stacks 0, 1, 2 in two bits each.
const STACKS_IN_ORDER: u8 = 0b10_01_00;

/// The first column of each stack, as bits.
const FIRST_COLUMNS: u32 = 0b001_001_001;

/// Computes the least forms of puzzles. The form is `None` where clues clash.
pub struct Forms<'a> {
    pub puzzles: &'a [Puzzle],
    pub forms: &'a mut [Option<Canonical>],
}

impl ByteKernel for Forms<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Blocks>(self, s: S) {
        let (tables, mut buffers) = (&*TABLES, Buffers::default());
        let (mut chutes, mut lines) = ([Four::ZERO; 6], [[0; 16]; 18]);
        for (puzzle, form) in self.puzzles.iter().zip(self.forms) {
            *form = None;
            s.lines(puzzle.cells(), &mut chutes);
            let clues = clues_of(s, &chutes);
            // Side by side, so that the address of a line does not need a division.
            for (lines, chute) in lines.as_chunks_mut::<3>().0.iter_mut().zip(&chutes) {
                lines.copy_from_slice(&chute.0[..3]);
            }
            if !clashes(puzzle, &clues) {
                let (way, automorphisms) = least_way(s, tables, &lines, &clues, &mut buffers);
                way.write_canonical(s, puzzle.cells(), automorphisms, form);
            }
        }
    }
}

/// The row, the column and the box of each cell, as bits.
static HOUSES_OF: [u32; CELLS] = {
    let mut houses = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        houses[cell] = 1 << row_of(cell) | 1 << (9 + column_of(cell)) | 1 << (18 + box_of(cell));
        cell += 1;
    }
    houses
};

/// Whether a digit stands twice in a house.
#[inline(always)]
fn clashes(puzzle: &Puzzle, clues: &[u32; 18]) -> bool {
    // Two loops over clues instead of nine, or one over cells, since each end of a loop is mispredicted.
    let mut words = [0u64; 2];
    for (row, &clues) in clues[..9].iter().enumerate() {
        words[row / 5] |= u64::from(clues) << (9 * (row % 5));
    }
    let mut houses = [0u32; 16];
    let mut twice = 0;
    for (word, first) in words.into_iter().zip([0, 45]) {
        let mut left = word;
        while left != 0 {
            let cell = first + left.trailing_zeros() as usize;
            left &= left - 1;
            let (digit, here) = (puzzle.cells()[cell] as usize & 15, HOUSES_OF[cell]);
            twice |= houses[digit] & here;
            houses[digit] |= here;
        }
    }
    twice != 0
}

/// The places of the clues in each line, as bits.
#[inline(always)]
fn clues_of<S: Blocks>(s: S, chutes: &[Four; 6]) -> [u32; 18] {
    let mut clues = [0; 18];
    for (clues, chute) in clues.as_chunks_mut::<3>().0.iter_mut().zip(chutes) {
        let filled = !s.equal_mask(chute, 0);
        *clues = [0, 16, 32].map(|at| (filled >> at) as u32 & 0x1ff);
    }
    clues
}

/// A way to the least form, and the number of automorphisms.
#[inline(always)]
fn least_way<S: Blocks>(s: S, tables: &Tables, lines: &Lines, clues: &[u32; 18], buffers: &mut Buffers) -> (Way, u32) {
    let (states, next, hits) = buffers;
    states.clear();
    let source = Source { tables, lines, blanks: start(clues, states) };
    // The name of the next new digit.
    let mut name = 1;
    for row in 0..9 {
        hits.clear();
        let mut least = u64::MAX;
        for (state_index, state) in (0..).zip(&*states) {
            let mut left = candidates(state, row, &source.blanks);
            while left != 0 {
                let line = left.trailing_zeros() as u8 + if state.is_transposed { 9 } else { 0 };
                left &= left - 1;
                let (value, sorted, stack_order) = attempt(s, state, &lines[line as usize]);
                if value > least {
                    continue;
                }
                if value < least {
                    hits.clear();
                    least = value;
                }
                hits.push(Hit { state: state_index, line, stack_order, sorted: s.bytes_of(sorted) });
            }
        }
        next.clear();
        let row = Row { number: row, value: least, name };
        for hit in &*hits {
            follow(s, &source, &states[hit.state as usize], hit, &row, next);
        }
        name += new_digits(least);
        std::mem::swap(states, next);
    }
    let automorphisms = states.iter().map(State::symmetries).sum();
    (states[0].way(name), automorphisms)
}

/// Adds the states before the first row, which may have only the lines that can become the least first row.
#[inline(always)]
fn start(clues: &[u32; 18], states: &mut Vec<State>) -> Blanks {
    // All digits are new, so the number of clues in each stack, the least first, decides.
    let rank = |clues: u32| {
        let [a, b, c] = [0, 3, 6].map(|at| (clues >> at & 7).count_ones());
        let (low, high) = (a.min(b), a.max(b));
        16 * low.min(c) + 4 * low.max(high.min(c)) + high.max(c)
    };
    let ranks = clues.map(rank);
    let least = ranks.into_iter().min().expect("there are 18 lines");
    let mut keys = [0; 16];
    keys[1..10].fill(NEW << 2);
    for is_transposed in [false, true] {
        let first = if is_transposed { 9 } else { 0 };
        let chosen = rows_with(&ranks[first..first + 9], least);
        if chosen != 0 {
            states.push(State {
                sources: [0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 15, 15, 15, 15, 15, 15],
                keys,
                // Until the first row is chosen, the lines that it may be.
                lines: [(chosen >> 8) as u8, chosen as u8, 0, 0, 0, 0, 0, 0, 0],
                is_transposed,
                blank_stacks: 3,
                same: 0b011_011_011,
                left: 0x1ff,
                count: 1,
            });
        }
    }
    [rows_with(&clues[..9], 0), rows_with(&clues[9..], 0)]
}

/// The rows with this value, as bits.
#[inline(always)]
fn rows_with(values: &[u32], wanted: u32) -> u16 {
    (0..).zip(values).map(|(row, &value)| u16::from(value == wanted) << row).sum()
}

/// The rows of the source that are tried as this row.
#[inline(always)]
fn candidates(state: &State, row: usize, blanks: &Blanks) -> u32 {
    let candidates = u32::from(match row {
        0 => u16::from_be_bytes([state.lines[0], state.lines[1]]),
        3 | 6 => state.left,
        // The rest of the band. A line modulo 9 is a row of the source.
        _ => state.left & 7 << (state.lines[row - 1] % 9 / 3 * 3),
    });
    let blank = candidates & u32::from(blanks[usize::from(state.is_transposed)]);
    if blank == 0 {
        return candidates;
    }
    // One blank row of each band, and of one blank band only, except in the rest of a band.
    let repeated = (blank << 1 & 0o666 | blank << 2 & 0o444) & blank;
    let bands = blank & blank >> 1 & blank >> 2 & FIRST_COLUMNS;
    let repeated_bands = bands & bands.wrapping_sub(1);
    blank & !repeated & !(7 * repeated_bands)
}

/// The least row from a line in a state: its keys as hexadecimal digits, highest first. Then the cells in order of
/// columns, see [`Hit`], and the order of stacks.
#[inline(always)]
fn attempt<S: Blocks>(s: S, state: &State, line: &[u8; 16]) -> (u64, S::B, u8) {
    let low = s.load_bytes(&[255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let middle = s.load_bytes(&[0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0]);
    let first_two = s.load_bytes(&[1, 0, 2, 4, 3, 5, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15]);
    let last_two = s.load_bytes(&[0, 2, 1, 3, 5, 4, 6, 8, 7, 9, 10, 11, 12, 13, 14, 15]);

    let digits = s.lookup(s.load_bytes(line), s.load_bytes(&state.sources));
    let keys = s.lookup(s.load_bytes(&state.keys), digits);
    let cells = s.or_bytes(keys, s.load_bytes(&SHAPE.bases[state.same as usize & 255]));
    // Sorts the three cells of each stack.
    let cells = exchange(s, cells, first_two, low);
    let cells = exchange(s, cells, last_two, middle);
    let cells = exchange(s, cells, first_two, low);
    let value = s.ten_nibbles(s.middle_bits(cells));
    if state.blank_stacks < 2 {
        return (value, cells, STACKS_IN_ORDER);
    }
    // The three digits of each stack, and which one it is.
    let [a, b, c] = [(52, 0), (40, 1), (28, 2)].map(|(at, stack)| (value >> at & 0xfff) << 2 | stack);
    let (a, b) = (a.min(b), a.max(b));
    let [a, b, c] = match state.blank_stacks {
        2 => [a, b, c],
        _ => [a.min(b.min(c)), a.max(b.min(c)), b.max(c)],
    };
    let value = (a >> 2) << 52 | (b >> 2) << 40 | (c >> 2) << 28;
    (value, cells, (a & 3 | (b & 3) << 2 | (c & 3) << 4) as u8)
}

/// Puts the lesser of two partners into the bytes of `low`, the greater into its partner.
#[inline(always)]
fn exchange<S: Blocks>(s: S, cells: S::B, partners: S::B, low: S::B) -> S::B {
    let other = s.lookup(cells, partners);
    s.select_bytes(low, s.min_bytes(cells, other), s.max_bytes(cells, other))
}

/// Adds the states that follow when a row is chosen.
#[inline(always)]
fn follow<S: Blocks>(
    s: S,
    &Source { tables, lines, ref blanks }: &Source,
    state: &State,
    hit: &Hit,
    &Row { number, value, name }: &Row,
    next: &mut Vec<State>,
) {
    let line = &lines[hit.line as usize];
    let sorted = s.load_bytes(&hit.sorted);
    let stacks = s.load_bytes(&SHAPE.stack_orders[hit.stack_order as usize & 63]);
    let first_columns = s.load_bytes(&[0, 0, 0, 3, 3, 3, 6, 6, 6, 15, 15, 15, 15, 15, 15, 15]);
    let order = s.add_bytes(s.and_bytes(sorted, s.splat_byte(3)), first_columns);
    let order = s.lookup(order, stacks);
    let sources = s.lookup(s.load_bytes(&state.sources), order);
    let keys = s.lookup(s.middle_bits(sorted), stacks);
    let is_blank = s.high_bits(s.equal_bytes(keys, s.splat_byte(0)));
    let clues = !is_blank & 0x1ff;
    let new = s.high_bits(s.equal_bytes(keys, s.splat_byte(NEW)));

    let mut child = *state;
    child.lines[number] = hit.line;
    child.same &= !(clues | clues >> 1) as u16;
    let source_row = hit.line % 9;
    child.left &= !(1 << source_row);
    if is_blank & 0x1ff == 0x1ff {
        child.count *= interchangeable(state, number, source_row, blanks);
    }
    // Of the stacks that were blank, those that still are come first.
    let filled = (clues | clues >> 1 | clues >> 2) & FIRST_COLUMNS;
    child.blank_stacks = state.blank_stacks.min((filled | 1 << 9).trailing_zeros() as u8 / 3);

    // Which neighbours may be exchanged: new digits of a class, and stacks that were blank and now are equal.
    let columns = new & new >> 1 & u32::from(state.same);
    let equal = |at: u32| {
        let [a, b] = [52 - 12 * at, 40 - 12 * at].map(|shift| value >> shift & 0xfff);
        u32::from(a == b && a != 0 && at + 1 < u32::from(state.blank_stacks)) << at
    };
    let equal_stacks = equal(0) | equal(1);
    let alone = [0];
    let ties = if columns | equal_stacks == 0 { &alone[..] } else { tables.ties(columns, equal_stacks) };
    let every_digit = s.load_bytes(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
    for &tie in ties {
        let sources = s.lookup(sources, s.load_bytes(&tables.sources[tie as usize]));
        let digits = s.lookup(s.load_bytes(line), sources);
        let mut keys = s.load_bytes(&state.keys);
        let (mut new, mut name) = (new, name);
        while new != 0 {
            let column = new.trailing_zeros() as u8;
            new &= new - 1;
            let digit = s.lookup(digits, s.splat_byte(column));
            keys = s.select_bytes(s.equal_bytes(every_digit, digit), s.splat_byte(name << 2), keys);
            name += 1;
        }
        child.sources = s.bytes_of(sources);
        child.keys = s.bytes_of(keys);
        next.push(child);
    }
}

/// How many blank rows could have been chosen in place of this one with the same effect.
#[inline(always)]
fn interchangeable(state: &State, row: usize, source_row: u8, blanks: &Blanks) -> u32 {
    let blank = u32::from(blanks[usize::from(state.is_transposed)] & state.left);
    let in_band = (blank >> (source_row / 3 * 3) & 7).count_ones();
    let bands = (blank & blank >> 1 & blank >> 2 & FIRST_COLUMNS).count_ones();
    if row.is_multiple_of(3) && in_band == 3 { 3 * bands } else { in_band }
}

/// The number of new digits in a row.
#[inline(always)]
fn new_digits(value: u64) -> u8 {
    // A hexadecimal digit is 15 if all its bits are set.
    let pairs = value & value >> 1;
    (pairs & pairs >> 2 & 0x1111_1111_1111_1111).count_ones() as u8
}

impl State {
    /// The number of symmetries for which this state stands after the last row.
    fn symmetries(&self) -> u32 {
        let orders = |at: u32| [1, 2, 2, 6][(self.same >> at & 3) as usize];
        let stacks = [1, 1, 2, 6][self.blank_stacks as usize];
        self.count * stacks * orders(0) * orders(3) * orders(6)
    }

    /// One of its symmetries. Digits that do not occur get the names from `name` on, in ascending order.
    fn way(&self, mut name: u8) -> Way {
        let names = self.keys.map(|key| {
            if key >> 2 < NEW {
                return key >> 2;
            }
            name += 1;
            name - 1
        });
        let mut rows = [0; 16];
        for (row, line) in rows.iter_mut().zip(self.lines) {
            *row = line % 9;
        }
        Way { is_transposed: self.is_transposed, rows, columns: self.sources, names }
    }
}
