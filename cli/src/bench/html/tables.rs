//! The tables of the HTML report.

use super::number::{count, human, percent, ratio, time};
use super::{distinct, escape};
use crate::bench::{Dataset, Latency, Ratio, ResultRow, RivalReport, Session};

/// A table with more rows is collapsed at first.
const MAX_OPEN_ROWS: usize = 12;

/// The speed of each entry, in one table per dataset.
pub fn throughput(session: &Session) -> String {
    let head = "<th>solver<th>puzzles/s<th>ratio<th>spread<th>records<th>given up<th>guesses per puzzle<th>lanes busy";
    let mut html = String::new();
    for (dataset, rows) in session.by_dataset() {
        let rows = rows.iter().map(throughput_row);
        let rows: Vec<_> = rows.chain(dataset.rivals.iter().map(rival_row)).collect();
        html += &collapsible(&dataset.file, head, &rows);
    }
    let mut note = "Spread: the range of the rounds over their median.".to_owned();
    if let Some(Ratio { confidence, .. }) = session.results.iter().find_map(|row| row.report.ratio_to_first) {
        note += &format!(
            " Ratio: speed relative to the first row, as the median over pairs of consecutive rounds with its {:.1} % \
             confidence interval (sign test); 1/17 means 17 times slower.",
            100.0 * confidence
        );
    }
    if session.results.iter().any(|row| row.threads > 1) {
        note += " A suffix such as x2 is the number of threads.";
    }
    if session.datasets.iter().any(|dataset| !dataset.rivals.is_empty()) {
        note += " A rival is timed as a whole command, including start-up, reading and writing; its answers are not checked.";
    }
    format!("{html}<p class=\"note\">{note}</p>\n")
}

fn throughput_row(row: &ResultRow) -> String {
    let report = &row.report;
    let rates = &report.puzzles_per_second;
    let of = match report.records_in_text {
        all if report.records < all => format!(" <small>of {}</small>", count(all)),
        _ => String::new(),
    };
    format!(
        "<tr><td>{}<td>{}<td>{}<td>{}<td>{}{of}<td>{}<td>{}<td>{}\n",
        escape(&row.name),
        if rates.median > 0.0 { human(rates.median) } else { "–".to_owned() },
        report.ratio_to_first.map_or("1".to_owned(), with_interval),
        percent(rates.spread),
        count(report.records),
        if report.counts.limit > 0 { count(report.counts.limit as usize).to_string() } else { String::new() },
        human(report.guesses_per_puzzle),
        report.occupancy.map_or(String::new(), percent),
    )
}

fn rival_row(rival: &RivalReport) -> String {
    format!(
        "<tr><td>{} <small>start-up {}</small><td>{}<td>{}<td>{}<td><td><td><td>\n",
        escape(&rival.name),
        time(1e3 * rival.startup_ms),
        human(rival.puzzles_per_second.median),
        with_interval(rival.ratio_to_first),
        percent(rival.puzzles_per_second.spread),
    )
}

fn with_interval(value: Ratio) -> String {
    ratio(value).map_or("–".to_owned(), |[median, interval]| {
        format!("{median} <small class=\"range\">{interval}</small>")
    })
}

/// Latencies of batches and puzzles, and the shares of the stages.
pub fn latencies(session: &Session) -> String {
    let head = "<th rowspan=\"2\">solver<th colspan=\"5\">batch<th colspan=\"4\">puzzle alone<th rowspan=\"2\">parse/<wbr>solve/<wbr>write, %\
                <tr><th>records<th>p50<th>p90<th>p99<th>max<th>p50<th>p90<th>p99<th>max";
    let mut tables = String::new();
    for (dataset, rows) in session.by_dataset() {
        let rows: Vec<_> = rows.iter().map(latency_row).collect();
        tables += &collapsible(&dataset.file, head, &rows);
    }
    format!(
        "<h2>Latency and shares</h2>\n<p>Batch: the time from text to rows in the timed rounds, as percentiles. Puzzle alone: the \
         time of each puzzle when solved one at a time, in a separate pass; the lane engine always solves many at once. The last \
         column shows how one thread divides its time if it also writes the rows to a file.</p>\n{tables}"
    )
}

fn latency_row(row: &ResultRow) -> String {
    let report = &row.report;
    let mut html =
        format!("<tr><td>{}<td>{}", escape(&row.name), count(report.records_per_batch.round() as usize));
    for latency in [Some(report.batch_latency), report.puzzle_latency] {
        let cells =
            latency.map(|Latency { p50_us, p90_us, p99_us, max_us, .. }| [p50_us, p90_us, p99_us, max_us]);
        for k in 0..4 {
            html += "<td>";
            html += &cells.map_or(String::new(), |cells| time(cells[k]));
        }
    }
    let [parse, solve, write] =
        [report.shares.parse, report.shares.solve, report.shares.write].map(|share| 100.0 * share);
    html + &format!("<td>{parse:.0}/{solve:.0}/{write:.0}\n")
}

/// The hashes of the datasets and of the outcomes.
pub fn datasets(session: &Session) -> String {
    let row = |(Dataset { file, records, hash, .. }, rows): (&Dataset, &[ResultRow])| {
        let outcomes = rows.iter().map(|row| format!("{} {}", row.report.outcomes_hash, row.engine));
        let outcomes: Vec<_> = distinct(outcomes).iter().map(|outcomes| escape(outcomes)).collect();
        let (file, records, outcomes) = (escape(file), count(*records), outcomes.join("<br>"));
        format!("<tr><td>{file}<td>{records}<td><code>{hash}</code><td><code>{outcomes}</code>\n")
    };
    let rows: String = session.by_dataset().map(row).collect();
    let table = table("<th>dataset<th>records<th>hash of the bytes<th>hashes of the outcomes", &rows);
    format!(
        "<h2>Datasets</h2>\n<div class=\"left\">{table}</div>\n<p class=\"note\">FNV-1a, 64 bits. Equal hashes mean equal puzzles and equal \
         outcomes, including guesses, on any machine.</p>\n"
    )
}

/// A table that collapses to its title. A long one is collapsed at first.
fn collapsible(title: &str, head: &str, rows: &[String]) -> String {
    let open = if rows.len() <= MAX_OPEN_ROWS { " open" } else { "" };
    let table = table(head, &rows.concat());
    format!(
        "<details{open}><summary>{} <small>{} rows</small></summary>\n{table}</details>\n",
        escape(title),
        rows.len()
    )
}

fn table(head: &str, rows: &str) -> String {
    format!(
        "<div class=\"scroll\"><table>\n<thead><tr>{head}</thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}
