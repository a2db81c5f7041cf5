//! Stage 2, records: rulers, such as the line of dashes below the names of columns.
//!
//! A line of 81 or more dashes could be a puzzle without clues. It is a ruler instead if it is directly below a title, or if the
//! puzzles have another character for their blanks.

use super::foreign::long_runs;
use crate::grid::{CELLS, is_cell};

/// Whether a line is a ruler: one character, 81 times or more in succession, and delimiters or corners between columns.
pub(super) fn is_ruler(line: &[u8]) -> bool {
    rule_of(line).is_some()
}

/// Whether a byte may be the first one of a ruler.
#[inline(always)]
pub(super) fn is_rule(byte: u8) -> bool {
    matches!(byte, b'-' | b'_' | b'*' | b'=')
}

/// The character of a ruler.
fn rule_of(line: &[u8]) -> Option<u8> {
    let rule = line.iter().copied().find(|&byte| is_rule(byte))?;
    let is_alone = line.iter().all(|byte| *byte == rule || b" \t\r,;|+:".contains(byte));
    let mut runs = line.split(|&byte| byte != rule);
    (is_alone && runs.any(|run| run.len() >= CELLS)).then_some(rule)
}

/// Whether rulers among the first lines of a text are no records: the puzzles in other lines have other blanks.
pub(super) fn are_skipped<'t>(lines: impl Iterator<Item = &'t [u8]> + Clone) -> bool {
    let Some(rule) = lines.clone().find_map(rule_of) else { return false };
    let others = lines.filter(|line| !is_ruler(line));
    let puzzles = others.flat_map(|line| line.split(|&byte| !is_cell(byte)));
    let mut blanks = puzzles
        .filter(|run| run.len() >= CELLS)
        .flatten()
        .filter(|&byte| !(b'1'..=b'9').contains(byte))
        .peekable();
    blanks.peek().is_some() && blanks.all(|&byte| byte != rule)
}

/// Whether a line is a ruler below a title.
pub(super) fn follows_title(title: &[u8], line: &[u8]) -> bool {
    let has_word = title.iter().any(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii());
    has_word && long_runs(title).next().is_none() && is_ruler(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rulers_are_told_from_puzzles_without_clues() {
        let line = |text: &str, times| text.repeat(times);
        for ruler in
            [line("-", 81), line("=", 100), format!("|---|{}|\r", line("-", 81)), line("_", 81) + " __"]
        {
            assert!(is_ruler(ruler.as_bytes()), "{ruler}");
        }
        for other in [line("-", 80), line(".", 81), line("0", 81), "1,".to_owned() + &line("-", 81)] {
            assert!(!is_ruler(other.as_bytes()), "{other}");
        }
        let (dashes, puzzle) = (line("-", 81), "1........".repeat(9));
        let skipped = |lines: &[&str]| are_skipped(lines.iter().map(|line| line.as_bytes()));
        assert!(skipped(&[&dashes, &puzzle]) && skipped(&["puzzle", &dashes, &format!("7,{puzzle}")]));
        assert!(!skipped(&[&dashes, &dashes]) && !skipped(&[&dashes, &puzzle.replace('.', "-")]));
        assert!(!skipped(&[&puzzle, &puzzle]) && !skipped(&[&dashes, "other text"]));
    }
}
