//! The description as a self-contained page in the style of the report of `bench`.

use rapidoku::file::Description;

use super::{Histogram, facts, histograms, inputs};
use crate::bench::html::{SCRIPT, command_section, date, escape, figure, page_of};
use crate::bench::number::{count, share};
use crate::bench::{chart, command_line, now};

/// The page.
pub fn page(description: &Description) -> String {
    let version = concat!("rapidoku ", env!("CARGO_PKG_VERSION"));
    let mut body = format!("<h1>Puzzle set</h1>\n<p class=\"sub\">{version} · {}</p>\n", date(&now()));
    let rows = facts(description).into_iter().map(|(name, value)| [name.to_owned(), value]);
    body += &table(&["", ""], rows);
    for histogram in histograms(description) {
        let plot = chart::bars(histogram.title, &histogram.to_bars());
        let figure = figure("", &plot, &capitalised(&histogram.note));
        body +=
            &format!("<section>\n<h2>{}</h2>\n{figure}{}</section>\n", histogram.title, numbers(&histogram));
    }
    body += &format!(
        "<section>\n<h2>Inputs</h2>\n{}</section>\n",
        table(&["Input", "Content"], inputs(description))
    );
    body += &format!("<section>\n<h2>Command</h2>\n{}</section>\n", command_section(&command_line()));
    page_of("rapidoku puzzle set", &body, SCRIPT)
}

/// The numbers of a histogram, folded.
fn numbers(histogram: &Histogram) -> String {
    let total = histogram.total();
    let row = |(name, puzzles): &(String, u64)| {
        [name.clone(), count(*puzzles as usize).to_string(), share(*puzzles, total)]
    };
    let rows = table(&[histogram.title, "Puzzles", "Share"], histogram.bars.iter().map(row));
    format!("<details><summary>Numbers</summary>\n{rows}</details>\n")
}

fn table<const N: usize>(header: &[&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let cells = |tag: &str, cells: &mut dyn Iterator<Item = String>| {
        cells.map(|cell| format!("<{tag}>{}</{tag}>", escape(&cell))).collect::<String>()
    };
    let mut html = String::new();
    if header.iter().any(|name| !name.is_empty()) {
        html = format!(
            "<thead><tr>{}</tr></thead>\n",
            cells("th", &mut header.iter().map(|name| name.to_string()))
        );
    }
    let class = if N == 2 { " class=\"left words\"" } else { "" };
    let rows = rows.into_iter().map(|row| format!("<tr>{}</tr>\n", cells("td", &mut row.into_iter())));
    let rows: String = rows.collect();
    format!("<div class=\"scroll\"><table>{html}<tbody{class}>\n{rows}</tbody></table></div>\n")
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    let end = if text.is_empty() { "" } else { "." };
    format!("{first}{}{end}", characters.as_str())
}
