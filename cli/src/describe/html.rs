//! The description as a page.

use rapidoku::file::Description;

use super::{Histogram, facts, histograms, inputs};
use crate::number::{count, share};
use crate::origin::command_line;
use crate::page::{self, Bar, escape};

/// The page.
pub fn page(description: &Description) -> String {
    // Without a date: the same input gives the same page.
    let origin = concat!("rapidoku ", env!("CARGO_PKG_VERSION")).to_owned();
    let facts: Vec<_> = facts(description).into_iter().map(|(name, value)| [name.to_owned(), value]).collect();
    let mut body = page::headline("Puzzle set", &[vec![origin]]);
    body += &page::table("words", &[], &facts);
    body += &histograms(description).iter().map(section).collect::<String>();
    body += &format!("<h2>Inputs</h2>\n{}", page::table("words", &[], &inputs(description)));
    body += &page::command_section(&command_line());
    page::page("rapidoku puzzle set", &body)
}

fn section(histogram: &Histogram) -> String {
    let total = histogram.total();
    let bar = |(label, puzzles): &(String, u64)| Bar {
        label: label.clone(),
        number: format!("{} · {}", count(*puzzles as usize), share(*puzzles, total)),
        length: *puzzles as f64,
        values: Vec::new(),
    };
    let bars: Vec<_> = histogram.bars.iter().map(bar).collect();
    let longest = bars.iter().map(|bar| bar.length).fold(0.0, f64::max);
    let note = match &*histogram.note {
        "" => String::new(),
        note => format!("<p class=\"note\">{}</p>\n", escape(note)),
    };
    format!("<section>\n<h2>{}</h2>\n{note}{}</section>\n", histogram.title, page::plot(&bars, longest))
}
