//! The description as text of at most 80 columns.

use std::fmt::Write;

use rapidoku::file::Description;

use super::{Histogram, facts, histograms, inputs};
use crate::number::{count, share};

/// The width of the longest bar.
const BAR: usize = 36;
const COLUMNS: usize = 80;

/// The text of a description.
pub fn text(description: &Description) -> String {
    let mut text = String::new();
    let mut paragraph = |name: &str, value: &str| push_paragraph(&mut text, 16, name, value);
    for (name, value) in facts(description) {
        paragraph(name, &value);
    }
    for (k, [name, value]) in inputs(description).iter().enumerate() {
        paragraph(if k == 0 { "Inputs" } else { "" }, format!("{name}: {value}").trim_end_matches(": "));
    }
    for histogram in histograms(description) {
        text += &bars(&histogram);
    }
    text
}

/// Appends a name and a value, which starts in column `indent` of each line.
pub fn push_paragraph(text: &mut String, indent: usize, name: &str, value: &str) {
    for (k, line) in wrap(value, COLUMNS - indent).iter().enumerate() {
        let name = if k == 0 { name } else { "" };
        *text += format!("{name:<indent$}{line}").trim_end();
        text.push('\n');
    }
}

fn bars(histogram: &Histogram) -> String {
    let mut text = String::from("\n");
    let colon = if histogram.note.is_empty() { "" } else { ": " };
    for line in wrap(&format!("{}{colon}{}", histogram.title, histogram.note), COLUMNS) {
        text += &format!("{line}\n");
    }
    let (total, most) = (histogram.total(), histogram.bars.iter().map(|(_, n)| *n).max().unwrap_or(1));
    let widest = histogram.bars.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max(8);
    for (name, puzzles) in &histogram.bars {
        let line = format!(
            "  {name:<widest$} {:>13} {:>8}  {}",
            count(*puzzles as usize).to_string(),
            share(*puzzles, total),
            bar(*puzzles, most, BAR.min(COLUMNS - 27 - widest))
        );
        writeln!(text, "{}", line.trim_end()).expect("a string can be written");
    }
    text
}

/// A bar in eighths of a character. Numbers above zero have one.
fn bar(n: u64, most: u64, width: usize) -> String {
    let eighths = (n as f64 / most.max(1) as f64 * (8 * width) as f64).round() as usize;
    let eighths = eighths.max(usize::from(n > 0));
    let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    "█".repeat(eighths / 8) + part
}

/// The words of a text in lines of `width` characters, unless a word is longer.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a line");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}
