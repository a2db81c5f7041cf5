//! The HTML report: one self-contained page without scripts, other files or network access.

mod chart;
mod number;
mod tables;

use self::chart::{Line, Series, color};
use self::number::{count, human};
use super::{ResultRow, Session};

/// The page of a session.
pub fn page(session: &Session) -> String {
    let mut body = String::new();
    body += &summary(session);
    body += &throughput(session);
    body += &levels(session);
    body += &threads(session);
    body += &difficulty(session);
    body += &tables::latencies(session);
    body += &tables::datasets(session);
    body += &method(session);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>rapidoku benchmark, {}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escape(&session.date),
        include_str!("style.css"),
    )
}

/// Escapes text for the content and the attributes of HTML elements. Control characters appear as in messages.
fn escape(text: &str) -> String {
    let text = rapidoku::file::internal::escape(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn summary(session: &Session) -> String {
    let Session { version, date, machine, limit, .. } = session;
    let fastest = session
        .results
        .iter()
        .max_by(|a, b| a.report.puzzles_per_second.median.total_cmp(&b.report.puzzles_per_second.median))
        .expect("the page is written only if there are results");
    let problem = match limit {
        1 => "one solution of each puzzle".to_owned(),
        2 => "one solution of each puzzle and a proof whether it is unique".to_owned(),
        n => format!("number of solutions up to {n}"),
    };
    let threads = match fastest.threads {
        1 => "one thread".to_owned(),
        n => format!("{n} threads"),
    };
    format!(
        "<h1>rapidoku benchmark</h1>\n<p class=\"sub\">{} · hardware threads: {}, {} · rapidoku {} · {}</p>\n\
         <p class=\"lead\"><strong>{}</strong> puzzles per second at best: <em>{}</em> with {threads} on {} ({problem}).</p>\n",
        escape(&machine.cpu),
        machine.threads,
        escape(&machine.system),
        escape(version),
        escape(&date.replace('T', " ").replace('Z', " UTC")),
        human(fastest.report.puzzles_per_second.median),
        escape(&engine(fastest)),
        escape(&fastest.file),
    )
}

fn throughput(session: &Session) -> String {
    let files = files(session);
    let least = fewest_threads(session);
    let rows = session.results.iter().filter(|row| row.threads == least);
    let labels = distinct(rows.map(engine));
    let series: Vec<_> = files.iter().map(|file| series(session, file, &labels)).collect();
    let plot = chart::dot_plot("Puzzles per second of each solver and dataset", &labels, &series);
    let mut notes = format!(
        "Threads: {least}. A dot is the median of the rounds; a line extends from the slowest to the fastest round. \
         Datasets appear in the order of the legend.",
    );
    if session.results.iter().any(|row| row.report.counts.limit > 0) {
        notes += " A puzzle that reaches the cap on guesses takes time but is not counted; a solver that answers none has no dot.";
    }
    if session.results.iter().any(|row| row.report.records < row.report.records_in_text) {
        notes += " Slow solvers got an evenly spread subset of the records, as the table shows.";
    }
    let plot = figure(&legend(&files), &plot, &notes);
    format!("<h2>Throughput</h2>\n{plot}{}", tables::throughput(session))
}

fn levels(session: &Session) -> String {
    let least = fewest_threads(session);
    let rows = session.results.iter().filter(|row| row.simd.is_some() && row.threads == least);
    let labels = distinct(rows.map(engine));
    if labels.len() < 2 {
        return String::new();
    }
    let files = files(session);
    let series: Vec<_> = files.iter().map(|file| series(session, file, &labels)).collect();
    let plot = chart::bar_chart("Puzzles per second for each instruction set", &labels, &series);
    let plot = figure(&legend(&files), &plot, &format!("Threads: {least}. Medians of the rounds."));
    format!("<h2>Instruction sets</h2>\n<p>The lane engine with each instruction set.</p>\n{plot}")
}

fn threads(session: &Session) -> String {
    let mut plots = String::new();
    for file in files(session) {
        let engines = distinct(session.rows(&file).map(engine));
        let lines = engines.into_iter().enumerate().filter_map(|(series, name)| {
            let rows = session.rows(&file).filter(|row| engine(row) == name);
            let mut rates: Vec<_> =
                rows.map(|row| (row.threads as f64, row.report.puzzles_per_second.median)).collect();
            rates.sort_by(|a, b| a.0.total_cmp(&b.0));
            let base = rates.first().filter(|first| first.1 > 0.0)?.1;
            let points: Vec<_> = rates.iter().map(|&(threads, rate)| (threads, rate / base)).collect();
            (points.len() > 1).then_some(Line { name, series, points })
        });
        let lines: Vec<_> = lines.collect();
        if !lines.is_empty() {
            let plot = chart::scaling(&format!("Speed by number of threads on {file}"), &lines);
            plots += &format!("<h3>{}</h3>\n{}", escape(&file), figure("", &plot, ""));
        }
    }
    if plots.is_empty() {
        return plots;
    }
    let threads = session.machine.threads;
    format!(
        "<h2>Threads</h2>\n<p>Speed relative to the smallest number of threads; medians of the rounds. Hardware threads: {threads}.</p>\n{plots}"
    )
}

fn difficulty(session: &Session) -> String {
    let mut plots = String::new();
    for dataset in &session.datasets {
        let Some(difficulty) = dataset.difficulty.as_ref().filter(|found| found.buckets.len() > 1) else {
            continue;
        };
        let buckets = &difficulty.buckets;
        let classes: Vec<_> = buckets
            .iter()
            .map(|bucket| {
                if bucket.from == bucket.to {
                    bucket.from.to_string()
                } else {
                    format!("{}–{}", bucket.from, bucket.to)
                }
            })
            .collect();
        let lines: Vec<_> = (0..buckets[0].rates.len())
            .map(|k| {
                let points = buckets.iter().enumerate().map(|(x, bucket)| (x as f64, bucket.rates[k].1));
                Line {
                    name: buckets[0].rates[k].0.clone(),
                    series: k,
                    points: points.filter(|point| point.1 > 0.0).collect(),
                }
            })
            .filter(|line| !line.points.is_empty())
            .collect();
        let plot = chart::difficulty(&format!("Speed by difficulty on {}", dataset.file), &classes, &lines);
        let counts =
            classes.iter().zip(buckets).map(|(class, bucket)| format!("{} ({class})", count(bucket.records)));
        let caption = format!(
            "Puzzles per second on one thread, logarithmic. Puzzles in each class (guesses): {}.",
            counts.collect::<Vec<_>>().join(", ")
        );
        plots += &format!("<h3>{}</h3>\n{}", escape(&dataset.file), figure("", &plot, &caption));
    }
    if plots.is_empty() {
        return plots;
    }
    format!(
        "<h2>Difficulty</h2>\n<p>Puzzles are grouped by the number of guesses of the scalar solver. Groups of fewer than ten are left out.</p>\n{plots}"
    )
}

fn method(session: &Session) -> String {
    let Session { command, warmup, rounds, limit, .. } = session;
    format!(
        "<h2>How this was measured</h2>\n<p>From text in memory to solutions in memory. A round lasts at least 0.1 s. \
         Timed rounds: {rounds}; warm-up rounds: {warmup}. Solvers take turns, round by round. Every solution is checked against its \
         puzzle, and the answers of all solvers are compared; a wrong answer would have prevented this report. Solution limit per puzzle: \
         {limit}.</p>\n<p>Command:</p>\n<pre><code>{}</code></pre>\n",
        escape(command)
    )
}

/// The rates on one dataset for each label, with the smallest number of threads.
fn series(session: &Session, file: &str, labels: &[String]) -> Series {
    let least = fewest_threads(session);
    let value = |label: &String| {
        let row = session.rows(file).find(|row| engine(row) == *label && row.threads == least)?;
        let rates = &row.report.puzzles_per_second;
        (rates.median > 0.0).then_some((rates.median, rates.min..rates.max))
    };
    Series { values: labels.iter().map(value).collect() }
}

fn fewest_threads(session: &Session) -> usize {
    session.results.iter().map(|row| row.threads).min().unwrap_or(1)
}

fn files(session: &Session) -> Vec<String> {
    distinct(session.datasets.iter().map(|dataset| dataset.file.clone()))
}

/// The engine and its instruction set, without the number of threads.
fn engine(row: &ResultRow) -> String {
    row.simd.as_ref().map_or(row.engine.clone(), |simd| format!("{} {simd}", row.engine))
}

fn distinct(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut distinct = Vec::new();
    words.for_each(|word| {
        if !distinct.contains(&word) {
            distinct.push(word)
        }
    });
    distinct
}

fn legend(names: &[String]) -> String {
    let entry = |(k, name): (usize, &String)| {
        format!(
            "<span><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><circle cx=\"5\" cy=\"5\" r=\"5\" fill=\"{}\"/></svg>{}</span>",
            color(k),
            escape(name)
        )
    };
    names.iter().enumerate().map(entry).collect()
}

fn figure(legend: &str, plot: &str, caption: &str) -> String {
    let legend =
        if legend.is_empty() { String::new() } else { format!("<div class=\"legend\">{legend}</div>\n") };
    let caption = if caption.is_empty() {
        String::new()
    } else {
        format!("<figcaption>{}</figcaption>\n", escape(caption))
    };
    format!("<figure>\n{legend}{plot}{caption}</figure>\n")
}
