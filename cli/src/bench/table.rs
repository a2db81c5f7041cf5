//! The results as text: tables for people, CSV for programs.

use crate::bench::{Dataset, Latency, Ratio, Row, Session};
use rapidoku::Status;
use rapidoku::file::Counts;

/// Side on which the cells of a column line up.
#[derive(Clone, Copy)]
pub enum Align {
    Left,
    Right,
}
use Align::{Left, Right};

/// The machine, and for each dataset how fast, what came out, and how long.
pub fn tables(session: &Session) -> String {
    let Session { version, limit, warmup, rounds, machine, .. } = session;
    let mut text = format!(
        "rapidoku {version}, limit {limit}, rounds {rounds} after {warmup}, {}, hardware threads: {}\n",
        machine.cpu, machine.threads
    );
    for (dataset, rows) in session.by_dataset() {
        let records = if dataset.records == 1 { "record" } else { "records" };
        text += &format!("\n{}: {} {records}\n", dataset.file, dataset.records);
        let tables = [throughput(rows), rivals(dataset), answers(rows), batches(rows), puzzles(rows)];
        text += &tables.into_iter().flatten().collect::<Vec<_>>().join("\n");
    }
    text + &notes(session)
}

fn throughput(rows: &[Row]) -> Option<String> {
    let rows = rows.iter().map(|Row { name, report, .. }| {
        let ratio = report.ratio_to_first;
        let mut cells = vec![name.clone(), rate(report.puzzles_per_second.median)];
        cells.push(percent(report.puzzles_per_second.spread));
        cells.push(ratio.map_or("1".into(), |ratio| significant(ratio.median)));
        cells.push(ratio.map_or("-".into(), interval));
        cells.push(report.occupancy.map_or("-".into(), percent));
        cells
    });
    let head = ["solver", "puzzles/s", "spread", "ratio", "interval", "lanes busy"];
    table(&head, &[Left, Right, Right, Right, Right, Right], rows)
}

fn rivals(dataset: &Dataset) -> Option<String> {
    let rows = dataset.rivals.iter().map(|rival| {
        let rates = &rival.puzzles_per_second;
        let ratio = rival.ratio_to_first;
        vec![
            rival.name.clone(),
            rate(rates.median),
            percent(rates.spread),
            significant(ratio.median),
            interval(ratio),
            format!("{:.1} ms", rival.startup_ms),
        ]
    });
    let head = ["rival, whole command", "puzzles/s", "spread", "ratio", "interval", "start-up"];
    table(&head, &[Left, Right, Right, Right, Right, Right], rows)
}

/// What came out, which is the same for all threads and instruction sets of an engine.
fn answers(rows: &[Row]) -> Option<String> {
    let mut different: Vec<&Row> = Vec::new();
    for row in rows {
        let is_same = |other: &&Row| {
            other.engine == row.engine && other.report.outcomes_hash == row.report.outcomes_hash
        };
        if !different.iter().any(is_same) {
            different.push(row);
        }
    }
    let rows = different.into_iter().map(|Row { engine, report, .. }| {
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

fn batches(rows: &[Row]) -> Option<String> {
    let rows = rows.iter().map(|Row { name, report, .. }| {
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

fn puzzles(rows: &[Row]) -> Option<String> {
    let rows = rows.iter().filter_map(|Row { name, report, .. }| {
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

fn interval(ratio: Ratio) -> String {
    format!("{} to {}", significant(ratio.low), significant(ratio.high))
}

/// Nothing without rows.
fn table(head: &[&str], aligns: &[Align], rows: impl Iterator<Item = Vec<String>>) -> Option<String> {
    let rows: Vec<_> = [head.iter().map(|&word| word.to_owned()).collect()].into_iter().chain(rows).collect();
    (rows.len() > 1).then(|| align(&rows, aligns))
}

/// What a reader has to know about the figures.
fn notes(session: &Session) -> String {
    let mut notes = String::new();
    if session.results.iter().any(|row| row.report.records < row.report.records_in_text) {
        notes += "A solver with fewer records was given an even spread of them (--slow-records).\n";
    }
    if session.results.iter().any(|row| row.report.counts.limit > 0) {
        notes += "What was given up (status limit) takes time, but does not count in the rate.\n";
    }
    if let Some(ratio) = session.results.iter().find_map(|row| row.report.ratio_to_first) {
        let percent = 100.0 * ratio.confidence;
        notes += &format!("ratio: median over the rounds against the first row, {percent:.1} % interval.\n");
    }
    if session.datasets.iter().any(|dataset| !dataset.rivals.is_empty()) {
        notes += "Rivals are timed with start-up, reading and writing; their answers are not checked.\n";
    }
    if notes.is_empty() { notes } else { format!("\n{notes}") }
}

/// A row for each file and contestant, with plain numbers.
pub fn csv(session: &Session) -> String {
    let mut text = "file,solver,engine,simd,threads,limit,max_guesses,records,records_in_file,puzzles_per_second,min,max,\
                    ratio,ratio_low,ratio_high,guesses,lanes_busy,batch_p50_us,batch_p90_us,batch_p99_us,batch_max_us,\
                    puzzle_p50_us,puzzle_p90_us,puzzle_p99_us,puzzle_max_us,parse_share,solve_share,write_share,\
                    unique,multiple,solved,none,invalid,given_up,dataset_hash,outcomes_hash\n"
        .to_owned();
    for Row { file, name, engine, simd, threads, max_guesses, report } in &session.results {
        let or_empty = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
        let latency = |latency: Option<Latency>| {
            [
                latency.map(|l| l.p50_us),
                latency.map(|l| l.p90_us),
                latency.map(|l| l.p99_us),
                latency.map(|l| l.max_us),
            ]
            .map(or_empty)
        };
        let (rates, ratio, counts) = (&report.puzzles_per_second, report.ratio_to_first, report.counts);
        let mut cells = vec![quoted(file), name.clone(), engine.clone(), simd.clone().unwrap_or_default()];
        cells.extend([threads.to_string(), session.limit.to_string()]);
        cells.push(max_guesses.map_or(String::new(), |guesses| guesses.to_string()));
        cells.extend([report.records, report.records_in_text].map(|n| n.to_string()));
        cells.extend([rates.median, rates.min, rates.max].map(|rate| rate.to_string()));
        cells.extend([ratio.map(|r| r.median), ratio.map(|r| r.low), ratio.map(|r| r.high)].map(or_empty));
        cells.extend([report.guesses.to_string(), or_empty(report.occupancy)]);
        cells.extend(latency(Some(report.batch_latency)));
        cells.extend(latency(report.puzzle_latency));
        cells.extend(
            [report.shares.parse, report.shares.solve, report.shares.write].map(|part| part.to_string()),
        );
        let Counts { unique, multiple, solved, none, invalid, limit } = counts;
        cells.extend([unique, multiple, solved, none, invalid, limit].map(|count| count.to_string()));
        cells.extend([report.dataset_hash.clone(), report.outcomes_hash.clone()]);
        text += &cells.join(",");
        text.push('\n');
    }
    text
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Every column as wide as its widest cell.
pub fn align(rows: &[Vec<String>], aligns: &[Align]) -> String {
    let width = |i: usize| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0);
    let widths: Vec<_> = (0..aligns.len()).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).zip(aligns).map(|((cell, width), align)| match align {
            Left => format!("{cell:width$}"),
            Right => format!("{cell:>width$}"),
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

/// Puzzles per second, whole.
pub fn rate(rate: f64) -> String {
    format!("{rate:.0}")
}

/// Three significant digits.
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

/// Those that occur: `3 unique, 1 invalid`.
fn statuses(counts: Counts) -> String {
    let Counts { solved, unique, multiple, none, invalid, limit } = counts;
    let named = Status::ALL.into_iter().zip([solved, unique, multiple, none, invalid, limit]);
    let occurring = named.filter(|&(_, count)| count > 0);
    occurring.map(|(status, count)| format!("{count} {status}")).collect::<Vec<_>>().join(", ")
}
