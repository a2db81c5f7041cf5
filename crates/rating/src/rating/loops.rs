//! Technique 15: unique rectangles and unique loops.
//!
//! A loop of cells, each next one in the same house as the last, has the digits `v1` and `v2` everywhere. If no cell of
//! it had another candidate, the digits could be swapped and the puzzle had two solutions. So one of the extra
//! candidates holds:
//!
//! | type | extra candidates | conclusion |
//! |---|---|---|
//! | 1 | in one cell | it has neither `v1` nor `v2` |
//! | 2 | the same digit everywhere | cells that see all extra cells do not have it |
//! | 3 | in two cells of a house | they form a naked or hidden set with other cells of the house |
//! | 4 | in two cells of a house that has no other place for `v1` | neither of the two is `v2` |
//!
//! Rectangles 4.5, six cells 4.6, eight 4.7, more 5.0; a set adds 0.1 for each of its cells but the first. All hints
//! are collected; the lowest in rating, then in type, is the first. The search keeps a set of extra digits in each of
//! its frames, which also collects those of siblings; so it misses some loops of type 2, like the reference.

use std::mem::swap;
use std::ops::ControlFlow::Continue;

use super::Technique;
use super::hint::Hint;
use super::sets::{combinations, usable};
use super::state::State;
use super::tables::{
    BIT_OF, CELLS_OF, HOUSES_OF, MASK_OF, NINE, PEERS_OF, POSITION_IN, bits, cells, has_three_cells, has_two,
    has_two_cells, seen_by, size,
};
use crate::grid::{CELLS, HOUSES};

/// The search for the loops of one start and the best hint so far.
struct Search<'a> {
    state: &'a State,
    best: &'a mut Hint,
    /// The hint that is being made.
    trial: &'a mut Hint,
    /// Difficulty above the least, and type, of the best hint.
    rank: (u16, u8),
    start: usize,
    pair: u16,
    /// The cells with both digits.
    both: u128,
    /// Those of them that may be on a loop.
    core: u128,
    /// Those of them that have no other candidates.
    pairs: u128,
    /// Those of them that see one without other candidates.
    near_pairs: u128,
    path: u128,
    length: usize,
    /// The houses used by cells of even and odd index. They decide whether a loop is valid.
    used: [u32; 2],
    /// The cells of those houses, kept beside them because that is faster than asking for the houses of each cell.
    blocked: [u128; 2],
    /// The loops that were examined. The order of the cells does not matter.
    examined: Vec<u128>,
}

/// The cells that may be on a loop, by the lower and the higher digit of their pair.
pub type Cores = [[u128; NINE]; NINE];

/// Technique 15.
pub fn unique_loop(state: &State, changed: u128, cores: &mut Cores, hint: &mut Hint, trial: &mut Hint) -> bool {
    let mut search = Search {
        state,
        best: hint,
        trial,
        rank: (u16::MAX, 0),
        start: 0,
        pair: 0,
        both: 0,
        core: 0,
        pairs: 0,
        near_pairs: 0,
        path: 0,
        length: 0,
        used: [0; 2],
        blocked: [0; 2],
        examined: Vec::new(),
    };
    let bivalue = state.bivalue();
    for start in cells(bivalue) {
        search.start = start;
        search.pair = state.candidates[start];
        search.both = bits(search.pair).fold(u128::MAX, |set, digit| set & state.cells[digit]);
        let known = &mut cores[search.pair.trailing_zeros() as usize][search.pair.ilog2() as usize];
        // What is known has all cells that matter until a cell with both digits changes. The first cell with a pair
        // updates it.
        if search.both & changed != 0 && bivalue & search.both & ((1 << start) - 1) == 0 {
            *known = core(on_loops(state, search.pair, core(search.both)));
        }
        search.core = *known & search.both;
        if search.core >> start & 1 == 1 {
            search.pairs = search.core & bivalue;
            search.near_pairs = search.core & seen_by(search.pairs);
            search.visit(start, usize::MAX, 2, 0, u128::MAX);
        }
    }
    search.rank.0 != u16::MAX
}

/// What a loop of so many cells at least adds to the rating of a rectangle, without a set.
fn base(length: usize) -> u16 {
    [0, 1, 2, 5][length.saturating_sub(4).div_ceil(2).min(3)]
}

/// The cells that have others of the set in all their houses: each house of a loop has two of its cells.
fn core(mut set: u128) -> u128 {
    loop {
        let has_others =
            |&cell: &usize| HOUSES_OF[cell].iter().all(|&house| set & MASK_OF[house as usize] & !(1 << cell) != 0);
        let left = cells(set).filter(has_others).fold(0, |left, cell| left | 1 << cell);
        if left == set {
            return set;
        }
        set = left;
    }
}

/// Those of the cells with both digits of a pair that may be on a loop with a hint; none if there is no such loop.
///
/// A loop has two cells of each of its houses. So the houses of its cells, as vectors over the field of two elements,
/// have the sum zero. On a loop with a hint, either there are one or two cells with more candidates, or these have the
/// same other digit.
fn on_loops(state: &State, pair: u16, both: u128) -> u128 {
    let of_extra = |cell: usize| state.candidates[cell] & !pair;
    let pairs = cells(both).filter(|&cell| of_extra(cell) == 0).fold(0, |pairs, cell| pairs | 1 << cell);
    let mut basis = Basis::default();
    for cell in cells(pairs) {
        if !basis.add(Sum::of(cell)) {
            // Then there are several sums for the same houses.
            return both;
        }
    }
    // Cells with the same remainder have the sum zero together with some cells with the pair alone.
    let mut found = 0;
    let mut remainders = [(0, Sum::default()); CELLS];
    let mut count = 0;
    for cell in cells(both & !pairs) {
        let remainder = basis.remainder(Sum::of(cell));
        if remainder.houses == 0 && remainder.is_loop() {
            found |= remainder.cells;
        }
        for &(other, sum) in remainders[..count].iter().filter(|(_, sum)| sum.houses == remainder.houses) {
            let digits = of_extra(cell) | of_extra(other);
            let sees_both = PEERS_OF[cell] & PEERS_OF[other];
            let may_conclude = PEERS_OF[cell] >> other & 1 == 1
                || digits.is_power_of_two() && sees_both & state.cells[digits.trailing_zeros() as usize] != 0;
            let together = Sum { houses: 0, cells: remainder.cells ^ sum.cells };
            if may_conclude && together.is_loop() {
                found |= together.cells;
            }
        }
        remainders[count] = (cell, remainder);
        count += 1;
    }
    for digit in bits(0x1ff & !pair) {
        let with_digit = remainders[..count].iter().filter(|(cell, _)| of_extra(*cell) == 1 << digit);
        let singles = with_digit.clone().fold(0, |set, (cell, _)| set | 1 << cell);
        // At least three of them see the cell that loses the digit.
        if has_three_cells(singles) && cells(state.cells[digit]).any(|cell| has_three_cells(PEERS_OF[cell] & singles)) {
            let mut all = Basis::default();
            let is_independent = with_digit.fold(true, |all_are, (_, sum)| all_are & all.add(*sum));
            found |= if is_independent { 0 } else { singles | pairs };
        }
    }
    found
}

/// Cells, and the sum of their houses.
#[derive(Clone, Copy, Default)]
struct Sum {
    houses: u32,
    cells: u128,
}

impl Sum {
    fn of(cell: usize) -> Sum {
        Sum { houses: houses_of(cell), cells: 1 << cell }
    }

    /// Whether no house has more than two of the cells.
    fn is_loop(&self) -> bool {
        let (mut once, mut twice) = (0, 0);
        cells(self.cells).all(|cell| {
            let (houses, before) = (houses_of(cell), twice);
            twice |= once & houses;
            once |= houses;
            before & houses == 0
        })
    }
}

/// Sums with independent houses, by the highest of them.
#[derive(Default)]
struct Basis {
    sums: [Sum; HOUSES],
    highest: u32,
}

impl Basis {
    /// What is left of a sum, the same for houses that differ by a sum of the basis.
    fn remainder(&self, mut sum: Sum) -> Sum {
        let mut left = sum.houses & self.highest;
        while left != 0 {
            let bit = left.ilog2();
            let Sum { houses, cells } = self.sums[bit as usize];
            sum = Sum { houses: sum.houses ^ houses, cells: sum.cells ^ cells };
            left = sum.houses & self.highest & ((1 << bit) - 1);
        }
        sum
    }

    /// Adds a sum. Returns whether it is independent of the others.
    fn add(&mut self, sum: Sum) -> bool {
        let sum = self.remainder(sum);
        if sum.houses != 0 {
            self.highest |= 1 << sum.houses.ilog2();
            self.sums[sum.houses.ilog2() as usize] = sum;
        }
        sum.houses != 0
    }
}

#[inline]
fn houses_of(cell: usize) -> u32 {
    let [block, row, column] = HOUSES_OF[cell];
    1 << block | 1 << row | 1 << column
}

impl Search<'_> {
    /// Appends a cell that was reached by a house of the kind `by`, and continues. `common` are the cells that see all
    /// cells with other candidates than the pair.
    fn visit(&mut self, cell: usize, by: usize, allowed: i32, mut extra: u16, common: u128) {
        let (parity, houses) = (self.length % 2, houses_of(cell));
        let blocked = self.blocked[parity];
        self.used[parity] |= houses;
        self.blocked[parity] |= PEERS_OF[cell] | BIT_OF[cell];
        self.path |= BIT_OF[cell];
        self.length += 1;
        // Where the loop may go on. A house that is used twice by the same parity makes all loops from there invalid.
        let mut targets = self.core & !self.path & !self.blocked[1 - parity];
        if self.length >= 4 {
            targets |= BIT_OF[self.start];
        }
        let leads_on = targets & PEERS_OF[cell] != 0;
        for kind in (0..3).filter(|&kind| leads_on && kind != by) {
            let house = MASK_OF[HOUSES_OF[cell][kind] as usize];
            // Extra digits never become fewer. With several, at most `allowed` cells with more candidates follow, and
            // then only the cells with the pair alone.
            let near = if !has_two(extra) {
                self.both
            } else {
                match allowed {
                    0 => self.pairs,
                    1 => self.pairs | self.near_pairs,
                    _ => self.core,
                }
            };
            // Cells of a house in order of position are in ascending order.
            for next in cells(near & house) {
                let bit = BIT_OF[next];
                if next == self.start && self.length >= 4 {
                    if self.used[0] == self.used[1] && !self.examined.contains(&self.path) {
                        self.examined.push(self.path);
                        self.examine();
                    }
                } else if self.path & bit == 0 {
                    let candidates = self.state.candidates[next];
                    extra = (extra | candidates) & !self.pair;
                    if targets & bit == 0 || (base(self.length + 1), 1) >= self.rank {
                        continue;
                    }
                    let bivalue = candidates == self.pair;
                    let common = if bivalue { common } else { common & PEERS_OF[next] };
                    let may_go = bivalue
                        || extra.is_power_of_two() && (allowed > 0 || self.loses(extra, common))
                        || allowed > 1 && has_two_cells(self.pairs)
                        || allowed == 1 && self.near_pairs & bit != 0;
                    if may_go {
                        self.visit(next, kind, allowed - !bivalue as i32, extra, common);
                    }
                }
            }
        }
        self.length -= 1;
        self.path &= !BIT_OF[cell];
        self.blocked[parity] = blocked;
        self.used[parity] &= !houses;
    }

    /// Whether one of the cells loses the only extra digit: with three or more extra cells there is no other
    /// conclusion.
    fn loses(&self, extra: u16, common: u128) -> bool {
        self.state.cells[extra.trailing_zeros() as usize] & common != 0
    }

    /// The hints of the loop that is the path.
    fn examine(&mut self) {
        let extras = self.path & !self.pairs;
        let digits = cells(extras).fold(0, |all, cell| all | self.state.candidates[cell]) & !self.pair;
        let base = base(self.length);
        let mut list = cells(extras);
        match [list.next(), list.next(), list.next()] {
            [None, ..] => (),
            [Some(cell), None, _] => {
                if self.start_hint(base, 1) {
                    self.trial.remove(self.state, cell, self.pair);
                    self.offer(1);
                }
            }
            [Some(first), Some(second), None] => {
                if digits.is_power_of_two() {
                    self.same_digit(base, extras, digits);
                } else {
                    self.with_set(base, [first, second], digits);
                }
                self.locked_pair(base, [first, second]);
            }
            _ => self.same_digit(base, extras, digits),
        }
    }

    /// Starts a hint, if it would be better than the best.
    fn start_hint(&mut self, difficulty: u16, kind: u8) -> bool {
        if (difficulty, kind) >= self.rank {
            return false;
        }
        self.trial.begin(Technique::UniqueLoop, difficulty);
        self.trial.pattern(self.path, self.pair, []);
        true
    }

    /// Takes the hint if it removes anything.
    fn offer(&mut self, kind: u8) {
        if !self.trial.removals.is_empty() {
            self.rank = (self.trial.difficulty - Technique::UniqueLoop.least().0, kind);
            swap(self.best, self.trial);
        }
    }

    /// Type 2.
    fn same_digit(&mut self, base: u16, extras: u128, digits: u16) {
        if self.start_hint(base, 2) {
            let sees = cells(extras).fold(u128::MAX, |set, cell| set & PEERS_OF[cell]);
            self.trial.remove_digit(self.state, digits.trailing_zeros() as usize, sees);
            self.offer(2);
        }
    }

    /// Type 3.
    fn with_set(&mut self, base: u16, extras: [usize; 2], digits: u16) {
        for k in size(digits)..=7 {
            for house in common_houses(extras) {
                let empty = size(self.state.empties[house]);
                let positions = extras.map(|cell| 1u16 << POSITION_IN[cell][house / NINE]);
                if 2 * k <= empty && base + (k as u16 - 1) <= self.rank.0 {
                    self.with_naked_set(base, extras, digits, k, house, positions);
                }
                if 2 * k < empty && base + (k as u16 - 2) <= self.rank.0 {
                    self.with_hidden_set(base, digits, k, house, positions);
                }
            }
        }
    }

    fn with_naked_set(&mut self, base: u16, extras: [usize; 2], digits: u16, k: usize, house: usize, at: [u16; 2]) {
        let [p, q] = extras.map(|cell| self.state.candidates[cell]);
        let items = CELLS_OF[house].map(|cell| self.state.candidates[cell as usize]);
        let usable = usable(&items, |set| has_two(set) && size(set | digits) <= k) & !(at[0] | at[1]);
        let _ = combinations(&items, usable, k - 1, digits, k, |set, all| {
            let union = bits(set).fold(0, |union, i| union | items[i]);
            if size(union | digits & p & q) == k && self.start_hint(base + (k as u16 - 1), 3) {
                for i in bits(0x1ff & !(set | at[0] | at[1])) {
                    self.trial.remove(self.state, CELLS_OF[house][i] as usize, all);
                }
                self.trial.set = (State::at(house, set), all);
                self.trial.houses = 1 << house;
                self.offer(3);
            }
            Continue(())
        });
    }

    fn with_hidden_set(&mut self, base: u16, digits: u16, k: usize, house: usize, at: [u16; 2]) {
        let items = self.state.places[house].map(|places| places & !at[1]);
        let own = bits(self.pair).fold(0, |union, digit| union | items[digit]);
        let usable = usable(&items, |set| set != 0 && size(set | own) <= k) & !(digits | self.pair);
        let _ = combinations(&items, usable, k - 2, own, k, |others, union| {
            if self.start_hint(base + (k as u16 - 2), 3) {
                let set = others | self.pair;
                for i in bits(union & !at[0]) {
                    self.trial.remove(self.state, CELLS_OF[house][i] as usize, !set);
                }
                self.trial.set = (State::at(house, union & !at[0]), set);
                self.trial.houses = 1 << house;
                self.offer(3);
            }
            Continue(())
        });
    }

    /// Type 4.
    fn locked_pair(&mut self, base: u16, extras: [usize; 2]) {
        if !self.start_hint(base, 4) {
            return;
        }
        let ends = 1u128 << extras[0] | 1 << extras[1];
        let only = |digit: usize, house: usize| self.state.cells[digit] & MASK_OF[house] == ends;
        let locks = |digit| common_houses(extras).rfind(|&house| only(digit, house));
        let [v1, v2] = [self.pair.trailing_zeros(), 15 - self.pair.leading_zeros()].map(|digit| digit as usize);
        let (removed, house) = match (locks(v1), locks(v2)) {
            (Some(house), _) => (v2, house),
            (None, Some(house)) => (v1, house),
            (None, None) => return,
        };
        self.trial.houses = 1 << house;
        self.trial.remove_digit(self.state, removed, ends);
        self.offer(4);
    }
}

/// The houses of both cells.
fn common_houses([p, q]: [usize; 2]) -> impl DoubleEndedIterator<Item = usize> {
    HOUSES_OF[p].into_iter().map(usize::from).filter(move |&house| MASK_OF[house] >> q & 1 == 1)
}
