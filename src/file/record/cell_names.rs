//! Stage 2, records: names of 81 columns that tell the cells, such as `c0` to `c80`, `1` to `81`, `r1c1` or `A1`.
//!
//! Two numbers are the row and the column, unless letters say that the column is first. Without such letters, a table in which the
//! first number changes fastest may have either in front, so it is taken to be row by row.

use crate::grid::CELLS;

/// The name of a column, and the numbers in it.
pub(super) struct Name<'n> {
    text: &'n [u8],
    numbers: Vec<Number>,
}

#[derive(Clone, Copy)]
struct Number {
    value: usize,
    start: usize,
    /// The last letter before it.
    letter: u8,
}

impl Name<'_> {
    pub fn new(text: &[u8]) -> Name<'_> {
        let (mut numbers, mut letter, mut start) = (Vec::new(), 0, 0);
        while let Some(&byte) = text.get(start) {
            let digits = text[start..].iter().take_while(|byte| byte.is_ascii_digit());
            let value = digits.clone().take(4).fold(0, |value, digit| 10 * value + usize::from(digit - b'0'));
            let length = digits.count();
            if length > 0 {
                numbers.push(Number { value, start, letter });
            } else if byte.is_ascii_alphabetic() {
                letter = byte.to_ascii_lowercase();
            }
            start += length.max(1);
        }
        Name { text, numbers }
    }

    /// The last number, after the text before it.
    fn last(&self) -> (&[u8], usize) {
        self.numbers.last().map_or((self.text, 0), |number| (&self.text[..number.start], number.value))
    }

    /// The row and the column: two numbers, a letter and a digit, or a number of two digits. After the text before them, and with
    /// the letters of two numbers.
    fn pair(&self) -> (&[u8], [usize; 2], [u8; 2]) {
        match self.numbers[..] {
            [.., a, b] => (&self.text[..a.start], [a.value, b.value], [a.letter, b.letter]),
            [Number { letter: letter @ b'a'..=b'i', value: digit @ 1..=9, start }] => {
                (&self.text[..start - 1], [usize::from(letter - b'a') + 1, digit], [0; 2])
            }
            _ => {
                let (before, value) = self.last();
                (before, [value / 10, value % 10], [0; 2])
            }
        }
    }
}

fn are_equal<T: PartialEq>(items: &[T]) -> bool {
    items.iter().all(|item| *item == items[0])
}

/// The cells of numbers that are a cell each, from 0 or 1 on. `None` if two are the same.
fn cells(numbers: impl Iterator<Item = usize> + Clone) -> Option<[u8; CELLS]> {
    let least = numbers.clone().min().filter(|&least| least < 2)?;
    let (mut cells, mut seen) = ([0; CELLS], [false; CELLS]);
    for (cell, number) in cells.iter_mut().zip(numbers) {
        let index = number - least;
        if std::mem::replace(seen.get_mut(index)?, true) {
            return None;
        }
        *cell = index as u8;
    }
    Some(cells)
}

/// The same for pairs of a row and a column, each from 0 or 1 on.
fn cells_of_pairs(pairs: &[[usize; 2]]) -> Option<[u8; CELLS]> {
    let least = pairs.iter().flatten().copied().min().filter(|&least| least < 2)?;
    let is_digit = |pair: &[usize; 2]| pair.iter().all(|&number| number - least < 9);
    let number = |&[row, column]: &[usize; 2]| 9 * (row - least) + column - least;
    if pairs.iter().all(is_digit) { cells(pairs.iter().map(number)) } else { None }
}

/// The cell of each of 81 columns, if their names tell it: they differ in these numbers only.
pub(super) fn cells_of_names(names: &[Name]) -> Option<[u8; CELLS]> {
    let count = names.first()?.numbers.len();
    if names.len() != CELLS || count == 0 || names.iter().any(|name| name.numbers.len() != count) {
        return None;
    }
    let (before, last): (Vec<_>, Vec<_>) = names.iter().map(Name::last).unzip();
    if let Some(cells) = cells(last.into_iter()).filter(|_| are_equal(&before)) {
        return Some(cells);
    }
    let before: Vec<_> = names.iter().map(|name| name.pair().0).collect();
    let pairs: Vec<_> = names.iter().map(|name| name.pair().1).collect();
    let swapped: Vec<_> = pairs.iter().map(|&[first, second]| [second, first]).collect();
    let by_columns = cells_of_pairs(&swapped).filter(|_| are_equal(&before))?;
    let has_letters = |first: &[u8], second: &[u8]| {
        let mut letters = names.iter().map(|name| name.pair().2);
        letters.all(|letters| first.contains(&letters[0]) && second.contains(&letters[1]))
    };
    // The last letters of "row" and "y", and of "col", "column" and "x".
    let (row, column) = (b"rwy", b"clnx");
    let is_swapped = has_letters(column, row) || (!has_letters(row, column) && by_columns.is_sorted());
    if is_swapped { Some(by_columns) } else { cells_of_pairs(&pairs) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_cells_in_any_order() {
        let cells = |name: &dyn Fn(usize, usize) -> String, order: &dyn Fn(usize) -> usize| {
            let names = (0..CELLS).map(|k| name(order(k) / 9, order(k) % 9));
            let names: Vec<_> = names.collect();
            cells_of_names(&names.iter().map(|name| Name::new(name.as_bytes())).collect::<Vec<_>>())
        };
        let letter = |row: usize| char::from(b'A' + row as u8);
        let transposed = |k: usize| k % 9 * 9 + k / 9;
        let mixed = |k: usize| k * 50 % 81;
        type NameOf<'a> = &'a dyn Fn(usize, usize) -> String;
        let numbered: [(NameOf, bool); 10] = [
            (&|r, c| format!("{}", 9 * r + c), true),
            (&|r, c| format!("puzzle2_{:02}", 9 * r + c + 1), true),
            (&|r, c| format!("r{}c{}", r + 1, c + 1), true),
            (&|r, c| format!("Col{c}_Row{r}"), true),
            (&|r, c| format!("c{}r{}", c + 1, r + 1), true),
            (&|r, c| format!("x{c}y{r}"), true),
            // The first may be the row or the column.
            (&|r, c| format!("cell_{r}_{c}"), false),
            (&|r, c| format!("{}{}", letter(r), c + 1), false),
            (&|r, c| format!("{}{}", r + 1, c + 1), false),
            (&|r, c| format!("x{r}{c}"), false),
        ];
        for (name, is_certain) in numbered {
            let example = name(1, 2);
            let expected = |order: &dyn Fn(usize) -> usize| Some(std::array::from_fn(|k| order(k) as u8));
            assert_eq!(cells(name, &|k| k), expected(&|k| k), "{example}");
            assert_eq!(cells(name, &mixed), expected(&mixed), "{example}");
            let by_columns = if is_certain { expected(&transposed) } else { expected(&|k| k) };
            assert_eq!(cells(name, &transposed), by_columns, "{example}");
        }
        let others: [fn(usize, usize) -> String; 4] = [
            |_, c| format!("x{c}"),
            |r, c| format!("r{r}x{}", c + 2),
            |_, _| "a".to_owned(),
            |r, c| format!("{}{}", if r < 8 { "c" } else { "s" }, 9 * r + c),
        ];
        for name in others {
            assert_eq!(cells(&name, &|k| k), None, "{}", name(1, 2));
        }
    }
}
