//! What a look tries: the candidates of cells, and the places of digits in houses.

use super::super::layout::{ALL, FIELD, WORDS, word};
use super::{State, TRIALS};
use crate::grid::CELLS;
use crate::simd::MOST_LANES;

/// Choices of a look at most. More than one can share a trial.
const MOST_CHOICES: usize = 12;
/// Indices of choices: cells as `3 * word + field`, then digits of houses as `CELLS + 32 * group + bit`, see [`GROUPS`].
const PLACES: usize = CELLS + 32 * GROUPS.len();
/// The choices of a grid: 81 cells and 9 digits of 27 houses, rounded up to whole vectors.
const MOST_KEYS: usize = (CELLS + 9 * 27usize).next_multiple_of(MOST_LANES);
/// No weight is greater.
const MOST_WEIGHT: u32 = 0x7_ffff;

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

/// A candidate that is tried: its word and its bit there.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Trial {
    pub word: u8,
    pub bit: u8,
}

/// The choices of a look and their trials, and the weights of all choices of a puzzle.
pub(super) struct Choices {
    /// By place.
    weights: [u32; PLACES],
    choices: [Choice; MOST_CHOICES],
    n_choices: usize,
    trials: [Trial; TRIALS],
    n_trials: usize,
}

impl Choices {
    pub fn new() -> Choices {
        Choices {
            weights: [0; PLACES],
            choices: [Choice::default(); MOST_CHOICES],
            n_choices: 0,
            trials: [Trial::default(); TRIALS],
            n_trials: 0,
        }
    }

    /// Starts on another puzzle.
    pub fn clear(&mut self) {
        self.weights.fill(0);
    }

    pub fn as_slice(&self) -> &[Choice] {
        &self.choices[..self.n_choices]
    }

    pub fn trials(&self) -> &[Trial] {
        &self.trials[..self.n_trials]
    }

    /// Adds to the weight of a choice and drops an eighth of it, so that it remains below nine times the greatest gain.
    pub fn gain(&mut self, choice: Choice, gain: u32) {
        let weight = &mut self.weights[choice.place as usize];
        *weight = *weight - *weight / 8 + gain;
    }

    /// Chooses from a grid. There is no choice if no cell is open. Returns `false` if a cell has no candidate.
    #[inline(always)]
    pub fn choose(&mut self, state: &State) -> bool {
        (self.n_choices, self.n_trials) = (0, 0);
        let mut keys = [u32::MAX; MOST_KEYS];
        let Some(n) = self.keys(state, &mut keys) else { return false };
        keys[n..].fill(u32::MAX);
        let vectors = &keys.as_chunks::<MOST_LANES>().0[..n.div_ceil(MOST_LANES)];
        let (mut tried, mut last) = ([0; WORDS], 0);
        for _ in 0..MOST_CHOICES {
            // The least key after the last one. A sorted list of the least keys takes four times as long: comparisons of
            // keys are not predictable.
            let mut least = [u32::MAX; MOST_LANES];
            for vector in vectors {
                for (least, &key) in least.iter_mut().zip(vector) {
                    *least = (*least).min(if key > last { key } else { u32::MAX });
                }
            }
            last = least.into_iter().fold(u32::MAX, u32::min);
            if last == u32::MAX {
                break;
            }
            self.add(state, (last & 0x1ff) as u16, &mut tried);
        }
        true
    }

    /// The keys of the cells that are open and of the digits with two places in a house, and their number. The keys ascend
    /// with the number of candidates, then descend with the weight. The lowest bits are the place, so keys are different.
    #[inline(always)]
    fn keys(&self, state: &State, keys: &mut [u32; MOST_KEYS]) -> Option<usize> {
        let key = |candidates: u32, place: usize| {
            candidates << 28 | (MOST_WEIGHT - self.weights[place]) << 9 | place as u32
        };
        let (mut n, mut has_empty) = (0, false);
        for (word, &set) in state.iter().enumerate() {
            for field in 0..3 {
                let candidates = (set >> (FIELD * field as u32) & 0x1ff).count_ones();
                has_empty |= candidates == 0;
                keys[n] = key(candidates, 3 * word + field);
                n += usize::from(candidates > 1);
            }
        }
        for (group, words) in GROUPS.iter().enumerate() {
            // Bits that at least one, two or three words have.
            let (mut one, mut two, mut three) = (0, 0, 0);
            for &(word, turn) in words {
                let word = turned(state[word as usize], turn);
                three |= two & word;
                two |= one & word;
                one |= word;
            }
            for bit in bits(two & !three) {
                keys[n] = key(2, CELLS + 32 * group + bit as usize);
                n += 1;
            }
        }
        (!has_empty).then_some(n)
    }

    /// Adds a choice if there is room for its trials. `tried` has the trials so far.
    #[inline(always)]
    fn add(&mut self, state: &State, place: u16, tried: &mut State) {
        let (candidates, n) = candidates(state, place.into());
        let candidates = &candidates[..n];
        let is_new = |tried: &State, trial: Trial| tried[trial.word as usize] >> trial.bit & 1 == 0;
        let new = candidates.iter().filter(|&&trial| is_new(tried, trial)).count();
        if self.n_trials + new > TRIALS {
            return;
        }
        let mut trials = 0;
        for &trial in candidates {
            let at = if is_new(tried, trial) {
                tried[trial.word as usize] |= 1 << trial.bit;
                self.trials[self.n_trials] = trial;
                self.n_trials += 1;
                self.n_trials - 1
            } else {
                self.trials().iter().position(|&other| other == trial).expect("it is tried")
            };
            trials |= 1 << at;
        }
        // A digit may have the same two places in a box and in a line.
        if new > 0 || self.as_slice().iter().all(|choice| choice.trials != trials) {
            self.choices[self.n_choices] = Choice { place, trials };
            self.n_choices += 1;
        }
    }
}

/// The candidates of a choice, and their number.
#[inline(always)]
fn candidates(state: &State, place: usize) -> ([Trial; 9], usize) {
    let (mut candidates, mut n) = ([Trial::default(); 9], 0);
    let mut push = |word: u8, bit: u32| {
        candidates[n] = Trial { word, bit: bit as u8 };
        n += 1;
    };
    if place < CELLS {
        let (word, field) = (place / 3, 0x1ff << (FIELD * (place as u32 % 3)));
        bits(state[word] & field).for_each(|bit| push(word as u8, bit));
    } else {
        let (group, bit) = (&GROUPS[(place - CELLS) / 32], (place - CELLS) as u32 % 32);
        let has = |(word, turn): (u8, u8)| turned(state[word as usize], turn) >> bit & 1;
        let places = (0..9).fold(0, |places, at| places | has(group[at]) << at);
        for at in bits(places) {
            let (word, turn) = group[at as usize];
            push(word, (bit + 3 * FIELD - u32::from(turn)) % (3 * FIELD));
        }
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
fn bits(mut word: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros();
            word &= word - 1;
            bit
        })
    })
}
