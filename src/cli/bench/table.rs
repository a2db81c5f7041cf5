//! The results as text: tables for people, CSV for programs.

use rapidoku::bench::{Latency, Row, Session};
use rapidoku::grid::Status;
use rapidoku::stats::Counts;

/// Side on which the cells of a column line up.
#[derive(Clone, Copy)]
pub enum Align {
    Left,
    Right,
}
use Align::{Left, Right};

/// The machine, how fast, and how long.
pub fn tables(session: &Session) -> String {
    let mut text = headline(session) + &throughput(session) + "\n" + &latencies(session);
    let rivals = rivals(session);
    if !rivals.is_empty() {
        text = text + "\n" + &rivals;
    }
    text + &notes(session)
}

fn headline(session: &Session) -> String {
    let Session { version, limit, warmup, rounds, machine, .. } = session;
    format!("rapidoku {version}, limit {limit}, rounds {rounds} after {warmup}, {}\n", machine.cpu)
}

fn throughput(session: &Session) -> String {
    const HEAD: [&str; 11] = [
        "file",
        "solver",
        "records",
        "puzzles/s",
        "spread",
        "ratio",
        "interval",
        "guesses/puzzle",
        "lanes busy",
        "outcomes",
        "statuses",
    ];
    let rows = session.results.iter().map(|row| {
        let report = &row.report;
        let ratio = report.ratio_to_first;
        vec![
            row.file.clone(),
            row.name.clone(),
            report.records.to_string(),
            rate(report.puzzles_per_second.median),
            format!("{:.1} %", 100.0 * report.puzzles_per_second.spread),
            ratio.map_or("1".into(), |ratio| significant(ratio.median)),
            ratio.map_or("-".into(), |r| format!("{} to {}", significant(r.low), significant(r.high))),
            format!("{:.2}", report.guesses_per_puzzle),
            report.occupancy.map_or("-".into(), percent),
            report.outcomes_hash.clone(),
            statuses(report.counts),
        ]
    });
    let aligns = [Left, Left, Right, Right, Right, Right, Right, Right, Right, Left, Left];
    align(&with_head(&HEAD, rows), &aligns)
}

fn latencies(session: &Session) -> String {
    const HEAD: [&str; 13] = [
        "microseconds for",
        "solver",
        "a batch of",
        "p50",
        "p90",
        "p99",
        "max",
        "a puzzle: p50",
        "p90",
        "p99",
        "max",
        "parse/solve/write",
        "share",
    ];
    let times = |latency: Option<Latency>| match latency {
        Some(Latency { p50_us, p90_us, p99_us, max_us, .. }) => {
            [p50_us, p90_us, p99_us, max_us].map(significant)
        }
        None => ["-"; 4].map(String::from),
    };
    let rows = session.results.iter().map(|Row { file, name, report, .. }| {
        let shares = report.shares;
        let mut row = vec![file.clone(), name.clone(), format!("{:.0}", report.records_per_batch)];
        row.extend(times(Some(report.batch_latency)));
        row.extend(times(report.puzzle_latency));
        row.push(format!(
            "{:.0}/{:.0}/{:.0} %",
            100.0 * shares.parse,
            100.0 * shares.solve,
            100.0 * shares.write
        ));
        row
    });
    let aligns = [Left, Left].into_iter().chain([Right; 10]).collect::<Vec<_>>();
    align(&with_head(&HEAD[..12], rows), &aligns)
}

fn rivals(session: &Session) -> String {
    const HEAD: [&str; 6] = ["file", "rival, whole command", "puzzles/s", "spread", "ratio", "start-up"];
    let rows: Vec<_> = session
        .datasets
        .iter()
        .flat_map(|dataset| dataset.rivals.iter().map(move |rival| (dataset, rival)))
        .map(|(dataset, rival)| {
            let ratio = rival.ratio_to_first;
            vec![
                dataset.file.clone(),
                rival.name.clone(),
                rate(rival.puzzles_per_second.median),
                format!("{:.1} %", 100.0 * rival.puzzles_per_second.spread),
                format!(
                    "{} ({} to {})",
                    significant(ratio.median),
                    significant(ratio.low),
                    significant(ratio.high)
                ),
                format!("{:.1} ms", rival.startup_ms),
            ]
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    align(&with_head(&HEAD, rows.into_iter()), &[Left, Left, Right, Right, Right, Right])
        + "Rivals' answers are not checked; their times include start-up, reading and writing.\n"
}

/// What a reader has to know about the figures.
fn notes(session: &Session) -> String {
    let mut notes = String::new();
    if session.results.iter().any(|row| row.report.records < row.report.records_in_text) {
        notes += "Where fewer records stand, the solver was given an even spread of them (--slow-records).\n";
    }
    if session.results.iter().any(|row| row.report.counts.limit > 0) {
        notes += "What was given up at the cap on guesses (status limit) takes time, but does not count in the rate.\n";
    }
    if let Some(ratio) = session.results.iter().find_map(|row| row.report.ratio_to_first) {
        let percent = 100.0 * ratio.confidence;
        notes += &format!("ratio: median over the rounds against the first row, {percent:.1} % interval.\n");
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

fn with_head(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Vec<Vec<String>> {
    [head.iter().map(|&word| word.to_owned()).collect()].into_iter().chain(rows).collect()
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
