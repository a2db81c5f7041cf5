//! The tables of the page.

use super::number::{count, human, percent, ratio, time};
use super::{distinct, escape};
use crate::bench::{Dataset, Latency, Ratio, RivalReport, Row, Session};

/// More rows than that are folded away until they are asked for.
const FEW_ROWS: usize = 12;

/// How fast each contestant is, a table for each dataset.
pub fn throughput(session: &Session) -> String {
    let head = "<th>solver<th>puzzles/s<th>ratio<th>spread<th>records<th>given up<th>guesses per puzzle<th>lanes busy";
    let mut html = String::new();
    for (dataset, rows) in session.by_dataset() {
        let rows = rows.iter().map(throughput_row);
        let rows: Vec<_> = rows.chain(dataset.rivals.iter().map(rival_row)).collect();
        html += &folded(&dataset.file, head, &rows);
    }
    let mut note = "Spread: from the slowest to the fastest round, over the median.".to_owned();
    if let Some(Ratio { confidence, .. }) = session.results.iter().find_map(|row| row.report.ratio_to_first) {
        note += &format!(
            " Ratio: how many times as fast as the first row, median over pairs of rounds run one after the other, with its \
             {:.1} % interval (sign test); 1/17 is 17 times as slow.",
            100.0 * confidence
        );
    }
    if session.results.iter().any(|row| row.threads > 1) {
        note += " x2: with two threads.";
    }
    if session.datasets.iter().any(|dataset| !dataset.rivals.is_empty()) {
        note += " A rival is timed as a whole command, start-up, reading and writing included, and its answers are not checked.";
    }
    format!("{html}<p class=\"note\">{note}</p>\n")
}

fn throughput_row(row: &Row) -> String {
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
        if report.counts.limit > 0 { count(report.counts.limit as usize) } else { String::new() },
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

/// How long batches and puzzles take, and where the time goes.
pub fn latencies(session: &Session) -> String {
    let head = "<th rowspan=\"2\">solver<th colspan=\"5\">batch<th colspan=\"4\">puzzle alone<th rowspan=\"2\">parse/<wbr>solve/<wbr>write, %\
                <tr><th>records<th>p50<th>p90<th>p99<th>max<th>p50<th>p90<th>p99<th>max";
    let mut tables = String::new();
    for (dataset, rows) in session.by_dataset() {
        let rows: Vec<_> = rows.iter().map(latency_row).collect();
        tables += &folded(&dataset.file, head, &rows);
    }
    format!(
        "<h2>Latency and shares</h2>\n<p>How long a batch takes from text to rows, in the timed rounds. How long a puzzle takes when \
         it is solved alone, in a pass of its own; the lanes never solve one alone. And where the time of one thread goes when \
         the rows are written to a file. Within p90 nine of ten were done.</p>\n{tables}"
    )
}

fn latency_row(row: &Row) -> String {
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

/// What was solved, and what it came to.
pub fn datasets(session: &Session) -> String {
    let row = |(Dataset { file, records, hash, .. }, rows): (&Dataset, &[Row])| {
        let outcomes = rows.iter().map(|row| format!("{} {}", row.report.outcomes_hash, row.engine));
        let outcomes: Vec<_> = distinct(outcomes).iter().map(|outcomes| escape(outcomes)).collect();
        let (file, records, outcomes) = (escape(file), count(*records), outcomes.join("<br>"));
        format!("<tr><td>{file}<td>{records}<td><code>{hash}</code><td><code>{outcomes}</code>\n")
    };
    let rows: String = session.by_dataset().map(row).collect();
    let table = table("<th>dataset<th>records<th>hash of its bytes<th>hashes of the outcomes", &rows);
    format!(
        "<h2>Datasets</h2>\n<div class=\"left\">{table}</div>\n<p class=\"note\">FNV-1a, 64 bits. Same hashes, same puzzles and same answers, \
         guesses included, on whatever machine.</p>\n"
    )
}

/// A table with its title; a long one is opened by a click on that.
fn folded(title: &str, head: &str, rows: &[String]) -> String {
    let open = if rows.len() <= FEW_ROWS { " open" } else { "" };
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
