//! The report as a page of HTML that needs nothing else: no script, no other file, no network.

mod chart;

use self::chart::{Line, Series, color, human};
use super::{Dataset, Latency, Ratio, RivalReport, Row, Session};

/// Makes the page.
pub fn write(session: &Session) -> String {
    let mut body = String::new();
    body += &head(session);
    body += &throughput(session);
    body += &levels(session);
    body += &threads(session);
    body += &difficulty(session);
    body += &latencies(session);
    body += &datasets(session);
    body += &how(session);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>rapidoku benchmark, {}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escape(&session.date),
        include_str!("style.css"),
    )
}

/// For text and attributes of HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn head(session: &Session) -> String {
    let Session { version, date, machine, limit, .. } = session;
    let fastest = session
        .results
        .iter()
        .max_by(|a, b| a.report.puzzles_per_second.median.total_cmp(&b.report.puzzles_per_second.median))
        .expect("a report has results");
    let problem = match limit {
        1 => "finding one solution of each puzzle".to_owned(),
        2 => "finding a solution and proving whether it is the only one".to_owned(),
        n => format!("counting solutions up to {n}"),
    };
    format!(
        "<h1>rapidoku benchmark</h1>\n<p class=\"sub\">{} · {} hardware threads, {} · rapidoku {} · {}</p>\n\
         <p class=\"lead\"><strong>{}</strong> puzzles per second at best: <em>{}</em> on {}, {problem}.</p>\n",
        escape(&machine.cpu),
        machine.threads,
        escape(&machine.system),
        escape(version),
        escape(&date.replace('T', " ").replace('Z', " UTC")),
        human(fastest.report.puzzles_per_second.median),
        escape(&fastest.name),
        escape(&fastest.file),
    )
}

fn throughput(session: &Session) -> String {
    let files = files(session);
    let labels = distinct(session.results.iter().map(|row| row.name.clone()));
    let series: Vec<_> = files.iter().map(|file| series(session, file, &labels, |_| true)).collect();
    let plot = chart::dots("Puzzles per second of each solver and dataset", &labels, &series);
    let mut notes = String::from(
        "Dots are medians of the rounds, lines (where longer than a dot) go from the slowest to the fastest round.",
    );
    if session.results.iter().any(|row| row.report.counts.limit > 0) {
        notes += " A puzzle given up at the cap on guesses takes its time but is not counted; a solver that gave all of them up has no dot.";
    }
    if session.results.iter().any(|row| row.report.records < row.report.records_in_text) {
        notes += " Slow solvers got an even spread of the records, see the table.";
    }
    let plot = figure(&legend(&files), &plot, &notes);
    let mut html = format!("<h2>Throughput</h2>\n{plot}");
    for dataset in &session.datasets {
        let rows = session.rows(&dataset.file).map(throughput_row);
        let rows: String = rows.chain(dataset.rivals.iter().map(rival_row)).collect();
        let head = "<th>solver<th>records<th>given up<th>puzzles/s<th>spread<th>ratio<th>guesses per puzzle<th>lanes busy";
        html += &format!("<h3>{}</h3>\n{}", escape(&dataset.file), table(head, &rows));
    }
    let ratio = session.results.iter().find_map(|row| row.report.ratio_to_first);
    if let Some(ratio) = ratio {
        html += &format!(
            "<p class=\"note\">Ratio: median over the rounds of the rate over that of the first row in the same round, \
             with the {:.1} % interval of the sign test.</p>\n",
            100.0 * ratio.confidence
        );
    }
    html
}

fn throughput_row(row: &Row) -> String {
    let report = &row.report;
    let rates = &report.puzzles_per_second;
    let counts = report.counts;
    let of = match report.records_in_text {
        all if report.records < all => format!(" <small>of {all}</small>"),
        _ => String::new(),
    };
    format!(
        "<tr><td>{}<td>{}{of}<td>{}<td>{}<td>{:.1} %<td>{}<td>{}<td>{}\n",
        escape(&row.name),
        report.records,
        if counts.limit > 0 { counts.limit.to_string() } else { String::new() },
        human(rates.median),
        100.0 * rates.spread,
        report.ratio_to_first.map_or("1".to_owned(), times),
        human(report.guesses_per_puzzle),
        report.occupancy.map_or(String::new(), |share| format!("{:.1} %", 100.0 * share)),
    )
}

fn rival_row(rival: &RivalReport) -> String {
    format!(
        "<tr><td>{} <small>whole command, not checked,<br>start-up {:.1} ms</small><td><td><td>{}<td>{:.1} %<td>{}<td><td>\n",
        escape(&rival.name),
        rival.startup_ms,
        human(rival.puzzles_per_second.median),
        100.0 * rival.puzzles_per_second.spread,
        times(rival.ratio_to_first),
    )
}

fn levels(session: &Session) -> String {
    let least = session.results.iter().map(|row| row.threads).min().unwrap_or(1);
    let has_level = |row: &Row| row.simd.is_some() && row.threads == least;
    let rows = session.results.iter().filter(|row| has_level(row));
    let labels = distinct(rows.map(|row| row.name.clone()));
    if labels.len() < 2 {
        return String::new();
    }
    let files = files(session);
    let series: Vec<_> = files.iter().map(|file| series(session, file, &labels, has_level)).collect();
    let plot = chart::bars("Puzzles per second for each instruction set", &labels, &series);
    let plot = figure(&legend(&files), &plot, "");
    format!(
        "<h2>Instruction sets</h2>\n<p>The lane engine at each level of this machine, threads: {least}.</p>\n{plot}"
    )
}

fn threads(session: &Session) -> String {
    let mut plots = String::new();
    for file in files(session) {
        let engines = distinct(session.rows(&file).map(engine));
        let lines = engines.into_iter().filter_map(|name| {
            let rows = session.rows(&file).filter(|row| engine(row) == name);
            let mut rates: Vec<_> =
                rows.map(|row| (row.threads as f64, row.report.puzzles_per_second.median)).collect();
            rates.sort_by(|a, b| a.0.total_cmp(&b.0));
            let base = rates.first().filter(|first| first.1 > 0.0)?.1;
            let points: Vec<_> = rates.iter().map(|&(threads, rate)| (threads, rate / base)).collect();
            (points.len() > 1).then_some(Line { name, points })
        });
        let lines: Vec<_> = lines.collect();
        if !lines.is_empty() {
            let plot = chart::scaling(&format!("Speed over threads on {file}"), &lines);
            plots += &format!("<h3>{}</h3>\n{}", escape(&file), figure("", &plot, ""));
        }
    }
    if plots.is_empty() {
        return plots;
    }
    let threads = session.machine.threads;
    format!(
        "<h2>Threads</h2>\n<p>How many times as fast as with the fewest threads. The machine runs {threads} at the same time.</p>\n{plots}"
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
                    points: points.filter(|point| point.1 > 0.0).collect(),
                }
            })
            .filter(|line| !line.points.is_empty())
            .collect();
        let plot = chart::difficulty(&format!("Speed over difficulty on {}", dataset.file), &classes, &lines);
        let counts =
            classes.iter().zip(buckets).map(|(class, bucket)| format!("{class}: {}", bucket.records));
        let caption = format!(
            "Puzzles per second, one thread. Puzzles by guesses: {}.",
            counts.collect::<Vec<_>>().join(", ")
        );
        plots += &format!("<h3>{}</h3>\n{}", escape(&dataset.file), figure("", &plot, &caption));
    }
    if plots.is_empty() {
        return plots;
    }
    format!(
        "<h2>Difficulty</h2>\n<p>Puzzles are put together by the guesses that the scalar solver needs for its verdict; classes of fewer than ten are left out.</p>\n{plots}"
    )
}

fn latencies(session: &Session) -> String {
    let mut tables = String::new();
    let head = "<th>solver<th>records in a batch<th>batch p50<th>p90<th>p99<th>max<th>puzzle p50<th>p90<th>p99<th>max\
                <th>parse<th>solve<th>write";
    for Dataset { file, .. } in &session.datasets {
        let rows: String = session.rows(file).map(latency_row).collect();
        tables += &format!("<h3>{}</h3>\n{}", escape(file), table(head, &rows));
    }
    format!(
        "<h2>Latency and shares</h2>\n<p>How long a batch takes from text to rows, in the timed rounds. How long a puzzle takes when \
         it is solved alone, in a pass of its own; the lanes never solve one alone. And where the time of one thread goes when \
         the rows are written to a file.</p>\n{tables}"
    )
}

fn latency_row(row: &Row) -> String {
    let report = &row.report;
    let mut html = format!("<tr><td>{}<td>{:.0}", escape(&row.name), report.records_per_batch);
    for latency in [Some(report.batch_latency), report.puzzle_latency] {
        let cells =
            latency.map(|Latency { p50_us, p90_us, p99_us, max_us, .. }| [p50_us, p90_us, p99_us, max_us]);
        for k in 0..4 {
            html += "<td>";
            html += &cells.map_or(String::new(), |cells| time(cells[k]));
        }
    }
    for share in [report.shares.parse, report.shares.solve, report.shares.write] {
        html += &format!("<td>{:.1} %", 100.0 * share);
    }
    html + "\n"
}

fn datasets(session: &Session) -> String {
    let row = |Dataset { file, records, hash, .. }: &Dataset| {
        let outcomes = session.rows(file).map(|row| format!("{} {}", row.engine, row.report.outcomes_hash));
        let outcomes: Vec<_> = distinct(outcomes).iter().map(|outcomes| escape(outcomes)).collect();
        let (file, outcomes) = (escape(file), outcomes.join("<br>"));
        format!("<tr><td>{file}<td>{records}<td><code>{hash}</code><td><code>{outcomes}</code>\n")
    };
    let rows: String = session.datasets.iter().map(row).collect();
    let table = table("<th>dataset<th>records<th>hash of its bytes<th>hashes of the outcomes", &rows);
    format!(
        "<h2>Datasets</h2>\n<div class=\"left\">{table}</div>\n<p class=\"note\">FNV-1a, 64 bits. Same hashes, same puzzles and same answers, \
         guesses included, on whatever machine.</p>\n"
    )
}

fn how(session: &Session) -> String {
    let Session { command, warmup, rounds, limit, .. } = session;
    format!(
        "<h2>How this was measured</h2>\n<p>From text in memory to solutions in memory. A round lasts 0.1 s at least; \
         {rounds} were timed after {warmup} to warm up. Solvers took turns, round by round. Every solution was checked against its puzzle, and all \
         solvers against one another; there would be no page if one had been wrong. Limit: {limit}.</p>\n\
         <p>To repeat it:</p>\n<pre><code>{}</code></pre>\n",
        escape(command)
    )
}

/// The values of one dataset for each label, of those rows that `wanted` lets through.
fn series(session: &Session, file: &str, labels: &[String], wanted: impl Fn(&Row) -> bool) -> Series {
    let value = |label: &String| {
        let row = session.rows(file).find(|row| row.name == *label && wanted(row))?;
        let rates = &row.report.puzzles_per_second;
        (rates.median > 0.0).then_some((rates.median, rates.min..rates.max))
    };
    Series { values: labels.iter().map(value).collect() }
}

fn files(session: &Session) -> Vec<String> {
    distinct(session.datasets.iter().map(|dataset| dataset.file.clone()))
}

/// The engine and its instruction set, without threads.
fn engine(row: &Row) -> String {
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

fn table(head: &str, rows: &str) -> String {
    format!(
        "<div class=\"scroll\"><table>\n<thead><tr>{head}</thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

/// A ratio with its interval: three significant digits, and fractions of one where it is small.
fn times(ratio: Ratio) -> String {
    let Ratio { median, low, high, .. } = ratio;
    let plain = |value: f64| if value < 0.9995 { format!("{value:.3}") } else { human(value) };
    let fraction =
        |value: f64| if value == 0.0 { "0".to_owned() } else { format!("1/{}", human(1.0 / value)) };
    let [median, low, high] =
        [median, low, high].map(|value| if median < 0.0995 { fraction(value) } else { plain(value) });
    format!("{median} <small>{low} to {high}</small>")
}

/// Microseconds with a unit that fits.
fn time(us: f64) -> String {
    match us {
        1e6.. => format!("{} s", human(us / 1e6)),
        1e3.. => format!("{} ms", human(us / 1e3)),
        _ => format!("{} µs", human(us)),
    }
}
