//! A grid with its candidates, and the search for the next step.

use super::{Contradiction, Digits, Removed, Step, Technique};
use crate::grid::{CELLS, Candidates, Cell, HOUSE_CELLS, HOUSES, House, PEERS, box_of, column_of, row_of};

/// All nine digits, or all nine cells of a house.
const ALL: u16 = 0x1FF;

/// A grid with its candidates. Sets of digits and of cells of a house are bits `0..9`.
#[derive(Clone)]
pub struct Board {
    digits: [u8; CELLS],
    /// The candidates of cells without a digit; 0 for others.
    candidates: [u16; CELLS],
    /// The digits placed in each house.
    placed: [u16; HOUSES],
    /// Cells without a digit.
    open: usize,
}

/// Result of one pass over the candidates of all cells.
struct Scan {
    naked: Option<usize>,
    empty: Option<usize>,
    /// Digits with at least one place and with at least two places in each house.
    once: [u16; HOUSES],
    twice: [u16; HOUSES],
}

impl Board {
    /// The board of a puzzle without clashing clues.
    pub fn new(start: impl Into<Candidates>) -> Board {
        let start = start.into();
        let mut board =
            Board { digits: [0; CELLS], candidates: *start.cells(), placed: [0; HOUSES], open: CELLS };
        for (cell, &digit) in start.clues().cells().iter().enumerate() {
            if digit != 0 {
                board.place(Cell(cell as u8), digit);
            }
        }
        board
    }

    /// The digits placed so far, 0 for none.
    pub fn digits(&self) -> &[u8; CELLS] {
        &self.digits
    }

    /// The candidates of a cell; none if it has a digit.
    pub fn candidates(&self, cell: Cell) -> Digits {
        Digits(self.candidates[cell.0 as usize])
    }

    /// Whether every cell has a digit.
    pub fn is_full(&self) -> bool {
        self.open == 0
    }

    /// Puts a digit into a cell and takes it from the candidates of the peers.
    pub fn place(&mut self, Cell(cell): Cell, digit: u8) {
        let (cell, bit) = (cell as usize, 1 << (digit - 1));
        self.digits[cell] = digit;
        self.candidates[cell] = 0;
        for peer in PEERS[cell] {
            self.candidates[peer as usize] &= !bit;
        }
        for house in houses_of(cell) {
            self.placed[house] |= bit;
        }
        self.open -= 1;
    }

    /// Removes candidates.
    pub fn remove(&mut self, removed: &[Removed]) {
        for &Removed { cell, digits } in removed {
            self.candidates[cell.0 as usize] &= !digits.0;
        }
    }

    /// Applies a step.
    pub fn apply(&mut self, step: &Step) {
        match step.placement() {
            Some((cell, digit)) => self.place(cell, digit),
            None => self.remove(&step.removed),
        }
    }

    /// The next single.
    ///
    /// # Errors
    /// A cell without candidate, or else a digit without place in a house.
    pub fn next_single(&self) -> Result<Option<Step>, Contradiction> {
        let scan = self.scan();
        if let Some(cell) = scan.empty {
            return Err(Contradiction::Cell { cell: Cell(cell as u8) });
        }
        for house in 0..HOUSES {
            let missing = ALL & !(scan.once[house] | self.placed[house]);
            if missing != 0 {
                let digit = missing.trailing_zeros() as u8 + 1;
                return Err(Contradiction::Digit { digit, house: House(house as u8) });
            }
        }
        if let Some(cell) = scan.naked {
            return Ok(Some(single(Technique::NakedSingle, None, cell, self.candidates[cell])));
        }
        let hidden = (0..HOUSES).find_map(|house| {
            let bits = scan.once[house] & !scan.twice[house];
            (bits != 0).then_some((house, bits & bits.wrapping_neg()))
        });
        Ok(hidden.map(|(house, bit)| {
            let mut cells = HOUSE_CELLS[house].iter().map(|&cell| cell as usize);
            let cell = cells.find(|&cell| self.candidates[cell] & bit != 0).expect("it has one place");
            single(Technique::HiddenSingle, Some(House(house as u8)), cell, bit)
        }))
    }

    /// The next step other than singles and guesses, on a board without singles.
    pub fn next_elimination(&self) -> Option<Step> {
        let places = self.places();
        let naked_or_hidden = |size| {
            (0..HOUSES)
                .find_map(|house| self.naked_subset(house, size))
                .or_else(|| (0..HOUSES).find_map(|house| self.hidden_subset(house, &places[house], size)))
        };
        (18..HOUSES)
            .find_map(|house| self.locked(Technique::Pointing, house, &places))
            .or_else(|| (0..18).find_map(|house| self.locked(Technique::Claiming, house, &places)))
            .or_else(|| (2..=4).find_map(naked_or_hidden))
    }

    /// The guess: the lowest candidate of the first cell with the fewest.
    pub fn guess(&self) -> Step {
        let open = (0..CELLS).filter(|&cell| self.digits[cell] == 0);
        let cell =
            open.min_by_key(|&cell| self.candidates[cell].count_ones()).expect("there is an open cell");
        let candidates = self.candidates[cell];
        single(Technique::Guess, None, cell, candidates & candidates.wrapping_neg())
    }

    fn scan(&self) -> Scan {
        let mut scan = Scan { naked: None, empty: None, once: [0; HOUSES], twice: [0; HOUSES] };
        for (cell, &candidates) in self.candidates.iter().enumerate() {
            if self.digits[cell] != 0 {
                continue;
            }
            if candidates & candidates.wrapping_sub(1) == 0 {
                let place = if candidates == 0 { &mut scan.empty } else { &mut scan.naked };
                place.get_or_insert(cell);
            }
            for house in houses_of(cell) {
                scan.twice[house] |= scan.once[house] & candidates;
                scan.once[house] |= candidates;
            }
        }
        scan
    }

    /// The places of each digit in each house.
    fn places(&self) -> [[u16; 9]; HOUSES] {
        let mut places = [[0; 9]; HOUSES];
        for (places, cells) in places.iter_mut().zip(&HOUSE_CELLS) {
            for (i, &cell) in cells.iter().enumerate() {
                for digit in bits(self.candidates[cell as usize]) {
                    places[digit] |= 1 << i;
                }
            }
        }
        places
    }

    /// Locked candidates: digits whose places in the house are all in another house too.
    fn locked(&self, technique: Technique, house: usize, places: &[[u16; 9]; HOUSES]) -> Option<Step> {
        (0..9).filter(|&digit| places[house][digit].count_ones() >= 2).find_map(|digit| {
            let cells: Vec<_> = bits(places[house][digit]).map(|i| HOUSE_CELLS[house][i] as usize).collect();
            let common = |&other: &usize| cells.iter().all(|&cell| houses_of(cell).contains(&other));
            let mut others = houses_of(cells[0]).into_iter().filter(|&other| other != house);
            let other = others.find(common)?;
            let elsewhere =
                HOUSE_CELLS[other].iter().map(|&cell| cell as usize).filter(|cell| !cells.contains(cell));
            self.step(technique, house, cells.clone(), 1 << digit, elsewhere.map(|cell| (cell, 1 << digit)))
        })
    }

    fn naked_subset(&self, house: usize, size: u32) -> Option<Step> {
        let cells = HOUSE_CELLS[house].map(usize::from);
        let sets = cells.map(|cell| self.candidates[cell]);
        let few = mask(|i| (1..=size).contains(&sets[i].count_ones()));
        subsets(few, size).find_map(|subset| {
            let union = bits(subset).fold(0, |union, i| union | sets[i]);
            if union.count_ones() != size {
                return None;
            }
            let elsewhere = bits(ALL & !subset).map(|i| (cells[i], union));
            self.step(naked(size), house, bits(subset).map(|i| cells[i]).collect(), union, elsewhere)
        })
    }

    fn hidden_subset(&self, house: usize, places: &[u16; 9], size: u32) -> Option<Step> {
        let cells = HOUSE_CELLS[house].map(usize::from);
        let few = mask(|digit| (1..=size).contains(&places[digit].count_ones()));
        subsets(few, size).find_map(|subset| {
            let union = bits(subset).fold(0, |union, digit| union | places[digit]);
            if union.count_ones() != size {
                return None;
            }
            let there = bits(union).map(|i| (cells[i], ALL & !subset));
            self.step(hidden(size), house, bits(union).map(|i| cells[i]).collect(), subset, there)
        })
    }

    /// A step that removes those of `removed` that are candidates, or `None` if there are none.
    fn step(
        &self,
        technique: Technique,
        house: usize,
        cells: Vec<usize>,
        digits: u16,
        removed: impl Iterator<Item = (usize, u16)>,
    ) -> Option<Step> {
        let removed: Vec<_> = removed
            .map(|(cell, bits)| (cell, bits & self.candidates[cell]))
            .filter(|&(_, bits)| bits != 0)
            .map(|(cell, bits)| Removed { cell: Cell(cell as u8), digits: Digits(bits) })
            .collect();
        let cells = cells.into_iter().map(|cell| Cell(cell as u8)).collect();
        let house = Some(House(house as u8));
        (!removed.is_empty()).then_some(Step { technique, house, cells, digits: Digits(digits), removed })
    }
}

fn single(technique: Technique, house: Option<House>, cell: usize, bit: u16) -> Step {
    Step { technique, house, cells: vec![Cell(cell as u8)], digits: Digits(bit), removed: Vec::new() }
}

fn naked(size: u32) -> Technique {
    [Technique::NakedPair, Technique::NakedTriple, Technique::NakedQuad][size as usize - 2]
}

fn hidden(size: u32) -> Technique {
    [Technique::HiddenPair, Technique::HiddenTriple, Technique::HiddenQuad][size as usize - 2]
}

/// The row, column and box of a cell.
#[inline]
fn houses_of(cell: usize) -> [usize; 3] {
    [row_of(cell), 9 + column_of(cell), 18 + box_of(cell)]
}

/// The set of `0..9` for which `is_in` holds.
fn mask(is_in: impl Fn(usize) -> bool) -> u16 {
    (0..9).fold(0, |mask, i| mask | (is_in(i) as u16) << i)
}

/// The members of a set, ascending.
fn bits(mut set: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (bit < 16).then_some(bit)
    })
}

/// The subsets with `size` members, ascending as numbers.
fn subsets(set: u16, size: u32) -> impl Iterator<Item = u16> {
    let all = std::iter::successors(Some(0), move |&subset: &u16| {
        let next = subset.wrapping_sub(set) & set;
        (next != 0).then_some(next)
    });
    all.filter(move |subset| subset.count_ones() == size)
}
