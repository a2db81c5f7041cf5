//! What a look tries: the candidates of cells, and the places of digits in houses.

use super::super::layout::{ALL, FIELD, GUARD, WORDS, word};
use super::{State, TRIALS};
use crate::grid::CELLS;
use crate::simd::MOST_LANES;

/// Choices of a look at most. More than one can share a trial.
const MOST_CHOICES: usize = 12;
/// Indices of choices: cells as `3 * word + field`, then digits of houses as `CELLS + 32 * group + bit`, see
/// [`GROUPS`].
const PLACES: usize = CELLS + 32 * GROUPS.len();
/// The choices of a grid: 81 cells and 9 digits of 27 houses, rounded up to whole vectors.
const MOST_KEYS: usize = (CELLS + 9 * 27usize).next_multiple_of(MOST_LANES);
/// No weight is greater.
const MOST_WEIGHT: u32 = 0x7_ffff;
/// The lowest bits of a key: the place, and a flag.
const PLACE_BITS: u32 = (PLACES as u32).next_power_of_two().ilog2() + 1;

/// How choices are compared: those with the greatest `(weight + base) / max(candidates, fewest)` come first.
#[derive(Clone, Copy)]
struct Rule {
    base: u32,
    fewest: u32,
    /// The least weight with which a cell with three candidates may come before a choice with two.
    heavy: u32,
}

impl Rule {
    const fn new(base: u32, fewest: u32) -> Rule {
        let most = if fewest > 3 { fewest } else { 3 };
        Rule { base, fewest, heavy: base * most / fewest - base }
    }
}

/// An almost empty grid has choices with two candidates everywhere, but its contradictions are often in cells with
/// three or four. The rule for pencilmarks takes up to 8,800 guesses to refute one.
const OF_CLUES: Rule = Rule::new(16, 4);
/// With the rule for clues, hard pencilmarks take more than twice as many guesses.
const OF_MARKS: Rule = Rule::new(512, 2);

/// The words of three rows, three boxes or three columns, and the number of bits by which they are turned so that the
/// cells of a house are in the same field.
const GROUPS: [[(u8, u8); 9]; 9] = {
    let mut groups = [[(0, 0); 9]; 9];
    let mut i = 0;
    while i < 27 {
        let (a, b, c) = (i / 9, i / 3 % 3, i % 3);
        groups[a][3 * b + c] = (word(a, b, c) as u8, 0);
        groups[3 + a][3 * b + c] = (word(b, a, c) as u8, 0);
        groups[6 + a][3 * b + c] = (word(b, c, a) as u8, FIELD as u8 * c as u8);
        i += 1;
    }
    groups
};

/// A cell, or a digit of a house, of which exactly one candidate is right.
#[derive(Clone, Copy, Default)]
pub(super) struct Choice {
    place: u16,
    /// The mask of its trials.
    pub trials: u32,
}

/// [`for_each_cell`] packs a flag for each cell into two masks: that of field `f` of word `w` is bit
/// `32 * (w / 10 % 2) + 10 * f + w % 10` of mask `w / 20`. This is the index of the choice for each bit.
const CELL_OF_BIT: [[u8; 64]; 2] = {
    let mut cells = [[0; 64]; 2];
    let mut i = 0;
    while i < CELLS {
        let (word, field) = (i / 3, i % 3);
        cells[word / 20][word / 10 % 2 * 32 + word % 10 + 10 * field] = i as u8;
        i += 1;
    }
    cells
};

/// A candidate that is tried: its word and its bit there.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Trial {
    pub word: u8,
    pub bit: u8,
}

/// The candidates that are tried, and the trial of each at `32 * word + bit`.
struct Tried {
    candidates: [u32; WORDS],
    trials: [u8; 32 * WORDS],
}

/// The choices of a look and their trials, and the weights of all choices of a puzzle.
pub(super) struct Choices {
    /// The key of each place, see [`keys`](Choices::keys), if it has two candidates.
    keys: [u32; PLACES],
    /// The rule for this puzzle.
    rule: Rule,
    /// The guards of cells whose weight is at least [`Rule::heavy`].
    heavy: [u32; WORDS],
    choices: [Choice; MOST_CHOICES],
    n_choices: usize,
    /// One more than there can be, because candidates that are tried already are written after the last one.
    trials: [Trial; TRIALS + 1],
    n_trials: usize,
}

impl Choices {
    pub fn new() -> Choices {
        Choices {
            keys: [0; PLACES],
            rule: OF_MARKS,
            heavy: [0; WORDS],
            choices: [Choice::default(); MOST_CHOICES],
            n_choices: 0,
            trials: [Trial::default(); TRIALS + 1],
            n_trials: 0,
        }
    }

    /// Starts on another puzzle.
    pub fn clear(&mut self, is_like_clues: bool) {
        self.rule = if is_like_clues { OF_CLUES } else { OF_MARKS };
        self.keys = std::array::from_fn(|place| key(MOST_WEIGHT, place));
        self.heavy = [if self.rule.heavy == 0 { GUARD } else { 0 }; WORDS];
    }

    pub fn as_slice(&self) -> &[Choice] {
        &self.choices[..self.n_choices]
    }

    pub fn trials(&self) -> &[Trial] {
        &self.trials[..self.n_trials]
    }

    /// Adds to the weight of a choice and drops an eighth of it, so that it remains below nine times the greatest gain.
    pub fn gain(&mut self, choice: Choice, gain: u32) {
        let place = choice.place as usize;
        let weight = self.weight(place);
        let weight = weight - weight / 8 + gain;
        self.keys[place] = key(MOST_WEIGHT - weight, place);
        if place < CELLS {
            let guard = 1 << (FIELD * (place as u32 % 3) + FIELD - 1);
            let heavy = &mut self.heavy[place / 3];
            *heavy = *heavy & !guard | if weight >= self.rule.heavy { guard } else { 0 };
        }
    }

    fn weight(&self, place: usize) -> u32 {
        MOST_WEIGHT - (self.keys[place] >> PLACE_BITS)
    }

    /// Chooses from a grid. There is no choice if no cell is open. Returns `false` if a cell has no candidate.
    #[inline(always)]
    pub fn choose(&mut self, state: &State) -> bool {
        (self.n_choices, self.n_trials) = (0, 0);
        let mut keys = [u32::MAX; MOST_KEYS];
        let Some(n) = self.keys(state, &mut keys) else { return false };
        let vectors = &keys.as_chunks::<MOST_LANES>().0[..n.div_ceil(MOST_LANES)];
        let (mut tried, mut last) = (Tried { candidates: [0; WORDS], trials: [0; 32 * WORDS] }, 0);
        for _ in 0..MOST_CHOICES.min(n) {
            // The least key after the last one. A sorted list of the least keys takes longer: comparisons of keys are
            // not predictable.
            let mut least = [u32::MAX; MOST_LANES];
            for vector in vectors {
                for (least, &key) in least.iter_mut().zip(vector) {
                    *least = (*least).min(if key > last { key } else { u32::MAX });
                }
            }
            last = least.into_iter().fold(u32::MAX, u32::min);
            self.add(state, last, &mut tried);
        }
        true
    }

    /// Replaces the start of `keys` by those of the choices with two candidates, which are cells and digits of houses,
    /// and of the other open cells. Returns their number. If there are [`MOST_CHOICES`] with two candidates, cells that
    /// have more and are not heavy are left out: their keys would be greater.
    ///
    /// Keys ascend in the order of the [`Rule`]. Their lowest bits are the place, so that keys are different, and a
    /// flag for more than two candidates.
    #[inline(always)]
    fn keys(&self, state: &State, keys: &mut [u32; MOST_KEYS]) -> Option<usize> {
        let mut end = 0;
        // Returns the number of keys.
        let mut push = |key: u32| {
            keys[end] = key;
            end += 1;
            end
        };
        // The guards of fields with two candidates, with more, and, in all words, with any.
        let (mut pairs, mut more, mut any) = ([0; WORDS], [0; WORDS], GUARD);
        for (word, &set) in state.iter().take(WORDS).enumerate() {
            let second = set & (set + ALL);
            let third = second & (second + ALL);
            any &= set + ALL;
            more[word] = (third + ALL) & GUARD;
            pairs[word] = (second + ALL) & GUARD & !more[word];
        }
        if any != GUARD {
            return None;
        }
        let mut n_pairs = 0;
        for_each_cell(&pairs, |cell| n_pairs = push(self.keys[cell]));
        // The words of `GROUPS`, with constant indices and turns, because reading them from the table takes longer.
        let mut groups = [0; GROUPS.len() + 1];
        for a in 0..3 {
            groups[a] = in_two(|b, c| state[word(a, b, c)]);
            groups[3 + a] = in_two(|b, c| state[word(b, a, c)]);
            groups[6 + a] = in_two(|b, c| turned(state[word(b, c, a)], FIELD as u8 * c as u8));
        }
        for (pair, groups) in groups.as_chunks::<2>().0.iter().enumerate() {
            for bit in bits(u64::from(groups[0]) | u64::from(groups[1]) << 32) {
                n_pairs = push(self.keys[CELLS + 64 * pair + bit as usize]);
            }
        }
        let mut n = n_pairs;
        if n_pairs >= MOST_CHOICES {
            more.iter_mut().zip(&self.heavy).for_each(|(more, heavy)| *more &= heavy);
        }
        let Rule { base, fewest, .. } = self.rule;
        for_each_cell(&more, |cell| {
            let candidates = (state[cell / 3] >> (FIELD * (cell as u32 % 3)) & 0x1ff).count_ones();
            // In this scale, the score of a choice with two candidates is its weight and the base, so that its key is
            // known.
            let score = fewest * (self.weight(cell) + base) / candidates.max(fewest);
            n = push(key(MOST_WEIGHT + base - score, cell) | 1);
        });
        Some(n)
    }

    /// Adds the choice with this key if there is room for its trials.
    #[inline(always)]
    fn add(&mut self, state: &State, key: u32, tried: &mut Tried) {
        let place = (key >> 1) as usize & ((1 << (PLACE_BITS - 1)) - 1);
        if key & 1 == 0 {
            self.add_candidates(place, &two_candidates(state, place), tried);
        } else {
            let (candidates, n) = candidates_of_cell(state, place);
            self.add_candidates(place, &candidates[..n], tried);
        }
    }

    #[inline(always)]
    fn add_candidates(&mut self, place: usize, candidates: &[Trial], tried: &mut Tried) {
        let is_new = |tried: &Tried, trial: Trial| tried.candidates[trial.word as usize] >> trial.bit & 1 == 0;
        let new: usize = candidates.iter().map(|&trial| usize::from(is_new(tried, trial))).sum();
        if self.n_trials + new > TRIALS {
            return;
        }
        let mut trials = 0;
        for &trial in candidates {
            let index = 32 * trial.word as usize + trial.bit as usize;
            let is_new = is_new(tried, trial);
            let at = if is_new { self.n_trials as u8 } else { tried.trials[index] };
            tried.candidates[trial.word as usize] |= 1 << trial.bit;
            tried.trials[index] = at;
            self.trials[self.n_trials] = trial;
            self.n_trials += usize::from(is_new);
            trials |= 1 << at;
        }
        // A digit may have the same two places in a box and in a line.
        if new > 0 || self.as_slice().iter().all(|choice| choice.trials != trials) {
            self.choices[self.n_choices] = Choice { place: place as u16, trials };
            self.n_choices += 1;
        }
    }
}

/// The key of a place with two candidates.
const fn key(order: u32, place: usize) -> u32 {
    order << PLACE_BITS | (place as u32) << 1
}

/// Calls `each` with the indices of the cells that have their guard in some words. Few loops over many bits, because
/// the end of each is not predictable.
#[inline(always)]
fn for_each_cell(guards: &[u32; WORDS], mut each: impl FnMut(usize)) {
    let mut cells = [0; 2];
    for (word, fields) in guards.iter().enumerate() {
        cells[word / 20] |= u64::from(fields >> (FIELD - 1)) << (word / 10 % 2 * 32 + word % 10);
    }
    for (cells, of_bit) in cells.into_iter().zip(&CELL_OF_BIT) {
        for bit in bits(cells) {
            each(of_bit[bit as usize].into());
        }
    }
}

/// The bits that exactly two of nine words have.
#[inline(always)]
fn in_two(word: impl Fn(usize, usize) -> u32) -> u32 {
    // Bits that at least one, two or three words have.
    let (mut one, mut two, mut three) = (0, 0, 0);
    for i in 0..9 {
        let word = word(i / 3, i % 3);
        three |= two & word;
        two |= one & word;
        one |= word;
    }
    two & !three
}

/// The candidates of a choice that has two.
#[inline(always)]
fn two_candidates(state: &State, place: usize) -> [Trial; 2] {
    if place < CELLS {
        let (word, field) = (place / 3, 0x1ff << (FIELD * (place as u32 % 3)));
        let set = state[word] & field;
        return [set.trailing_zeros(), set.ilog2()].map(|bit| Trial { word: word as u8, bit: bit as u8 });
    }
    let (group, bit) = (&GROUPS[(place - CELLS) / 32], (place - CELLS) as u32 % 32);
    let has = |(word, turn): (u8, u8)| turned(state[word as usize], turn) >> bit & 1;
    let places = (0..9).fold(0, |places, at| places | has(group[at]) << at);
    [places.trailing_zeros(), places.ilog2()].map(|at| {
        let (word, turn) = group[at as usize];
        Trial { word, bit: ((bit + 3 * FIELD - u32::from(turn)) % (3 * FIELD)) as u8 }
    })
}

/// The candidates of a cell, and their number.
#[inline(always)]
fn candidates_of_cell(state: &State, cell: usize) -> ([Trial; 9], usize) {
    let (mut candidates, mut n) = ([Trial::default(); 9], 0);
    let (word, field) = (cell / 3, 0x1ff << (FIELD * (cell as u32 % 3)));
    for bit in bits((state[word] & field).into()) {
        candidates[n] = Trial { word: word as u8, bit: bit as u8 };
        n += 1;
    }
    (candidates, n)
}

/// Turns the fields of a word.
#[inline(always)]
fn turned(word: u32, bits: u8) -> u32 {
    (word << bits | word >> (3 * FIELD as u8 - bits)) & ALL
}

/// The numbers of the bits that are set, lowest first.
#[inline(always)]
fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros();
            word &= word - 1;
            bit
        })
    })
}
