//! The results as text: tables for people, CSV for programs.

use comfy_table::{CellAlignment, Table};
use rapidoku::Status;
use rapidoku::file::Counts;
use rapidoku::file::internal::escape;

use super::number::ratio;
use super::{Dataset, Latency, ResultRow, Session, quality};

/// The alignment of a column.
#[derive(Clone, Copy)]
pub enum Align {
    /// To the left.
    Left,
    /// To the right, for numbers.
    Right,
}
use Align::{Left, Right};

/// The settings and, for each dataset, tables of the speed, the outcomes and the latencies.
pub fn tables(session: &Session) -> String {
    let Session { version, workload, limit, warmup, rounds, machine, .. } = session;
    let problem = workload.problem(*limit);
    let mut text = format!(
        "rapidoku {version}, {problem}, rounds {rounds} after {warmup}, {}, hardware threads: {}\n",
        escape(&machine.cpu),
        machine.threads
    );
    if let Some(load) = quality::load(session) {
        text += &format!("{load}\n");
    }
    for (dataset, rows) in session.by_dataset() {
        let records = if dataset.records == 1 { "record" } else { "records" };
        text += &format!("\n{}: {} {records}\n", escape(&dataset.file), dataset.records);
        for comparison in quality::comparisons(dataset, rows) {
            text += &format!("{}\n", escape(&comparison));
        }
        let tables = [
            throughput(rows),
            rivals(dataset),
            outcomes(rows),
            batch_latencies(rows),
            puzzle_latencies(rows),
        ];
        text += &tables.into_iter().flatten().collect::<Vec<_>>().join("\n");
    }
    text + &notes(session)
}

fn throughput(rows: &[ResultRow]) -> Option<String> {
    let rows = rows.iter().map(|ResultRow { name, report, .. }| {
        let rates = report.puzzles_per_second.as_ref();
        let mut cells = vec![name.clone(), rates.map_or("-".into(), |rates| rate(rates.median))];
        cells.push(rates.map_or("-".into(), |rates| percent(rates.spread)));
        cells.extend(report.ratio_to_first.map_or(["-", "-"].map(String::from), ratio));
        cells.push(report.occupancy.map_or("-".into(), percent));
        cells
    });
    let head = ["solver", "puzzles/s", "spread", "than the first", "interval", "lanes busy"];
    table(&head, &[Left, Right, Right, Right, Right, Right], rows)
}

fn rivals(dataset: &Dataset) -> Option<String> {
    let rows = dataset.rivals.iter().map(|rival| {
        let rates = &rival.puzzles_per_second;
        let mut cells = vec![escape(&rival.name).into_owned(), rate(rates.median), percent(rates.spread)];
        cells.extend(rival.ratio_to_first.map_or(["-", "-"].map(String::from), ratio));
        cells.push(rival.startup_ms.map_or("-".into(), |ms| format!("{ms:.1} ms")));
        cells.push(rival.checked());
        cells
    });
    let head = ["rival", "puzzles/s", "spread", "than the first", "interval", "start-up", "checked"];
    table(&head, &[Left, Right, Right, Right, Right, Right, Left], rows)
}

/// The outcomes of each engine. They do not depend on threads and instruction set.
fn outcomes(rows: &[ResultRow]) -> Option<String> {
    let mut distinct: Vec<&ResultRow> = Vec::new();
    for row in rows {
        let is_same = |other: &&ResultRow| {
            other.engine == row.engine && other.report.outcomes_hash == row.report.outcomes_hash
        };
        if !distinct.iter().any(is_same) {
            distinct.push(row);
        }
    }
    let rows = distinct.into_iter().map(|ResultRow { engine, report, .. }| {
        vec![
            engine.clone(),
            report.records.to_string(),
            format!("{:.2}", report.guesses_per_puzzle),
            report.outcomes_hash.clone(),
            statuses(report.counts),
        ]
    });
    let head = ["engine", "records", "guesses each", "outcomes", "statuses"];
    table(&head, &[Left, Right, Right, Left, Left], rows)
}

fn batch_latencies(rows: &[ResultRow]) -> Option<String> {
    let rows = rows.iter().map(|ResultRow { name, report, .. }| {
        let mut cells = vec![name.clone(), format!("{:.0}", report.records_per_batch)];
        cells.extend(percentiles(report.batch_latency));
        let [parse, solve, write] =
            [report.shares.parse, report.shares.solve, report.shares.write].map(|share| 100.0 * share);
        cells.push(format!("{parse:.0}/{solve:.0}/{write:.0} %"));
        cells
    });
    let head = ["batch, µs", "of records", "p50", "p90", "p99", "max", "parse/solve/write"];
    table(&head, &[Left, Right, Right, Right, Right, Right, Right], rows)
}

fn puzzle_latencies(rows: &[ResultRow]) -> Option<String> {
    let rows = rows.iter().filter_map(|ResultRow { name, report, .. }| {
        let mut cells = vec![name.clone()];
        cells.extend(percentiles(report.puzzle_latency?));
        Some(cells)
    });
    let head = ["puzzle alone, µs", "p50", "p90", "p99", "max"];
    table(&head, &[Left, Right, Right, Right, Right], rows)
}

fn percentiles(latency: Latency) -> [String; 4] {
    let Latency { p50_us, p90_us, p99_us, max_us, .. } = latency;
    [p50_us, p90_us, p99_us, max_us].map(significant)
}

/// A table with a header, or `None` if there are no rows.
fn table(head: &[&str], aligns: &[Align], rows: impl Iterator<Item = Vec<String>>) -> Option<String> {
    let rows: Vec<_> = [head.iter().map(|&word| word.to_owned()).collect()].into_iter().chain(rows).collect();
    (rows.len() > 1).then(|| align(&rows, aligns))
}

/// Explanations of the figures, and warnings about them.
pub(super) fn notes(session: &Session) -> String {
    let mut notes = String::new();
    for warning in quality::warnings(session) {
        notes += &format!("warning: {}\n", escape(&warning));
    }
    if session.results.iter().any(|row| row.report.records < row.report.records_in_text) {
        notes += "A solver with fewer records got an evenly spread subset (--slow-records).\n";
    }
    if session.results.iter().any(|row| row.report.counts.limit > 0) {
        notes += "Puzzles with status limit take time but do not count in the rate.\n";
    }
    let with_interval = |row: &ResultRow| row.report.ratio_to_first.filter(|ratio| ratio.confidence > 0.0);
    if let Some(ratio) = session.results.iter().find_map(with_interval) {
        let percent = 100.0 * ratio.confidence;
        notes += &format!(
            "Column 'than the first': median ratio to the first row over all rounds; interval: {percent:.1} % confidence.\n"
        );
    }
    if session.results.iter().any(|row| row.report.occupancy.is_some()) {
        notes += "Column 'lanes busy': share of the lanes of a vector that held a puzzle, over all steps.\n";
    }
    if session.datasets.iter().any(|dataset| !dataset.rivals.is_empty()) {
        notes += "Rivals with a start-up: times include it, and reading and writing. Answers are checked if a rival prints a \
                  solution, a number of solutions or, if puzzles are rated, a rating for each record.\n";
    }
    if notes.is_empty() { notes } else { format!("\n{notes}") }
}

/// The columns of [`csv`].
const CSV_HEADER: [&str; 36] = [
    "file",
    "solver",
    "engine",
    "simd",
    "threads",
    "limit",
    "max_guesses",
    "records",
    "records_in_file",
    "puzzles_per_second",
    "min",
    "max",
    "ratio",
    "ratio_low",
    "ratio_high",
    "guesses",
    "lanes_busy",
    "batch_p50_us",
    "batch_p90_us",
    "batch_p99_us",
    "batch_max_us",
    "puzzle_p50_us",
    "puzzle_p90_us",
    "puzzle_p99_us",
    "puzzle_max_us",
    "parse_share",
    "solve_share",
    "write_share",
    "unique",
    "multiple",
    "solved",
    "none",
    "invalid",
    "given_up",
    "dataset_hash",
    "outcomes_hash",
];

/// CSV with a row for each dataset and entry. Numbers have full precision; missing ones are empty.
pub fn csv(session: &Session) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(CSV_HEADER).expect(CSV_ERROR);
    for row in &session.results {
        writer.write_record(csv_row(row, session.limit)).expect(CSV_ERROR);
    }
    let bytes = writer.into_inner().expect(CSV_ERROR);
    String::from_utf8(bytes).expect("all fields are UTF-8")
}

const CSV_ERROR: &str = "rows have one length, and a vector accepts all bytes";

fn csv_row(row: &ResultRow, limit: u64) -> Vec<String> {
    let ResultRow { file, name, engine, simd, threads, max_guesses, report } = row;
    let or_empty = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let percentiles = |latency: Option<Latency>| {
        let percentile = |of: fn(Latency) -> f64| or_empty(latency.map(of));
        [
            percentile(|l| l.p50_us),
            percentile(|l| l.p90_us),
            percentile(|l| l.p99_us),
            percentile(|l| l.max_us),
        ]
    };
    let (rates, ratio, shares) = (report.puzzles_per_second.as_ref(), report.ratio_to_first, report.shares);
    let Counts { unique, multiple, solved, none, invalid, limit: given_up } = report.counts;

    let mut fields = vec![file.clone(), name.clone(), engine.clone(), simd.clone().unwrap_or_default()];
    fields.extend([threads.to_string(), limit.to_string()]);
    fields.push(max_guesses.map_or(String::new(), |guesses| guesses.to_string()));
    fields.extend([report.records, report.records_in_text].map(|n| n.to_string()));
    fields.extend([rates.map(|r| r.median), rates.map(|r| r.min), rates.map(|r| r.max)].map(or_empty));
    fields.extend([ratio.map(|r| r.median), ratio.map(|r| r.low), ratio.map(|r| r.high)].map(or_empty));
    fields.extend([report.guesses.to_string(), or_empty(report.occupancy)]);
    fields.extend(percentiles(Some(report.batch_latency)));
    fields.extend(percentiles(report.puzzle_latency));
    fields.extend([shares.parse, shares.solve, shares.write].map(|share| share.to_string()));
    fields.extend([unique, multiple, solved, none, invalid, given_up].map(|count| count.to_string()));
    fields.extend([report.dataset_hash.clone(), report.outcomes_hash.clone()]);
    fields
}

/// Lays out rows without borders, with two spaces between columns.
pub fn align(rows: &[Vec<String>], aligns: &[Align]) -> String {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING).add_rows(rows);
    for (column, align) in table.column_iter_mut().zip(aligns) {
        column.set_padding((0, 2));
        column.set_cell_alignment(match align {
            Left => CellAlignment::Left,
            Right => CellAlignment::Right,
        });
    }
    table.trim_fmt() + "\n"
}

/// A rate, rounded to a whole number.
pub fn rate(rate: f64) -> String {
    format!("{rate:.0}")
}

/// A number with three significant digits.
fn significant(value: f64) -> String {
    match value {
        100.0.. => format!("{value:.0}"),
        10.0..100.0 => format!("{value:.1}"),
        1.0..10.0 => format!("{value:.2}"),
        0.1..1.0 => format!("{value:.3}"),
        0.01..0.1 => format!("{value:.4}"),
        0.001..0.01 => format!("{value:.5}"),
        0.0 => "0".into(),
        _ => format!("{value:.2e}"),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// The counts that are not 0: `3 unique, 1 invalid`.
pub(super) fn statuses(counts: Counts) -> String {
    let Counts { solved, unique, multiple, none, invalid, limit } = counts;
    let named = Status::ALL.into_iter().zip([solved, unique, multiple, none, invalid, limit]);
    let occurring = named.filter(|&(_, count)| count > 0);
    occurring.map(|(status, count)| format!("{count} {status}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_lines_have_no_trailing_spaces() {
        let rows = [["solver", "µs", "note"], ["a", "1", ""], ["longer", "12345", "x"]];
        let rows = rows.map(|row| row.map(String::from).to_vec());
        let text = "solver     µs  note\na           1\nlonger  12345  x\n";
        assert_eq!(align(&rows, &[Left, Right, Left]), text);
    }
}
