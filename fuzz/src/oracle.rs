//! The rules of the game, written as plainly as possible. Nothing here uses code of the library.

/// The candidates of each cell: bit `digit - 1`.
pub type Sets = [u16; 81];

/// All nine digits.
pub const NINE: u16 = 0x1ff;

/// A solved grid from which targets make puzzles.
pub const SOLVED: &[u8; 81] = b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Whether two different cells share a row, a column or a box.
pub fn sees(a: usize, b: usize) -> bool {
    let same_box = a / 27 == b / 27 && a % 9 / 3 == b % 9 / 3;
    a != b && (a / 9 == b / 9 || a % 9 == b % 9 || same_box)
}

/// The candidates of clues, 0 for a blank.
pub fn sets(clues: &[u8; 81]) -> Sets {
    clues.map(|digit| if digit == 0 { NINE } else { 1 << (digit - 1) })
}

/// Whether two cells that see each other have the same single candidate.
pub fn clashes(sets: &Sets) -> bool {
    let single = |cell: usize| sets[cell].count_ones() == 1;
    (0..81).any(|a| single(a) && (0..a).any(|b| sets[a] == sets[b] && sees(a, b)))
}

/// Whether a complete grid takes each digit from the candidates of its cell and has none twice in a house.
pub fn solves(grid: &[u8; 81], sets: &Sets) -> bool {
    let is_candidate = |cell: usize| {
        let digit = grid[cell];
        (1..=9).contains(&digit) && sets[cell] >> (digit - 1) & 1 == 1
    };
    (0..81).all(|cell| is_candidate(cell) && (0..cell).all(|other| grid[cell] != grid[other] || !sees(cell, other)))
}

/// The number of solutions, up to `limit`: tries each digit in a cell with the fewest candidates. `None` if that takes
/// more than `steps` digits.
pub fn count(sets: &Sets, limit: u64, mut steps: u64) -> Option<u64> {
    let mut search = Search { sets, rows: [0; 9], columns: [0; 9], boxes: [0; 9], open: (0..81).collect() };
    let mut found = 0;
    search.run(limit, &mut steps, &mut found).then_some(found)
}

struct Search<'a> {
    sets: &'a Sets,
    /// The digits that are taken in each house.
    rows: [u16; 9],
    columns: [u16; 9],
    boxes: [u16; 9],
    /// The cells without a digit.
    open: Vec<usize>,
}

impl Search<'_> {
    fn run(&mut self, limit: u64, steps: &mut u64, found: &mut u64) -> bool {
        let left = |search: &Self, cell: usize| {
            let (row, column, square) = (cell / 9, cell % 9, cell / 27 * 3 + cell % 9 / 3);
            search.sets[cell] & !(search.rows[row] | search.columns[column] | search.boxes[square])
        };
        let fewest = (0..self.open.len()).min_by_key(|&at| left(self, self.open[at]).count_ones());
        let Some(at) = fewest else {
            *found += 1;
            return true;
        };
        let cell = self.open.swap_remove(at);
        let digits = left(self, cell);
        for digit in (0..9).map(|digit| 1 << digit).filter(|digit| digits & digit != 0) {
            if *steps == 0 {
                return false;
            }
            *steps -= 1;
            self.flip(cell, digit);
            let is_complete = self.run(limit, steps, found);
            self.flip(cell, digit);
            if !is_complete {
                return false;
            }
            if *found == limit {
                break;
            }
        }
        self.open.push(cell);
        let last = self.open.len() - 1;
        self.open.swap(at, last);
        true
    }

    /// Takes a digit in the houses of a cell, or gives it back.
    fn flip(&mut self, cell: usize, digit: u16) {
        self.rows[cell / 9] ^= digit;
        self.columns[cell % 9] ^= digit;
        self.boxes[cell / 27 * 3 + cell % 9 / 3] ^= digit;
    }
}
