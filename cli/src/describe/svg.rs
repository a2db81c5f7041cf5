//! The histograms as a single SVG file.

use rapidoku::file::Description;

use super::{facts, histograms};
use crate::bench::chart;
use crate::bench::number::count;

/// The file. It follows the light or the dark mode of the reader.
pub fn file(description: &Description) -> String {
    let histograms = histograms(description);
    let histograms: Vec<_> = histograms.iter().map(|one| (one.heading(), one.to_bars())).collect();
    let subtitle = facts(description).into_iter().skip(1).map(|(name, text)| format!("{name}: {text}"));
    let title = format!("{} records", count(description.records as usize));
    let lines: Vec<String> = std::iter::once(title).chain(subtitle).collect();
    chart::bars_file("Histograms of a set of puzzles", &lines, &histograms)
}
