//! The tables of the HTML report.

use super::escape;
use super::plots::{distinct, engine};
use crate::bench::number::{count, human, percent, ratio, time, times};
use crate::bench::{Dataset, Latency, Ratio, ResultRow, RivalReport, Session};

/// The speed of each entry, in one table per dataset.
pub fn throughput(session: &Session) -> String {
    let head = [
        "solver",
        "puzzles/s",
        "compared with the first",
        "spread",
        "records",
        "given up",
        "guesses per puzzle",
        "lanes busy",
    ];
    let mut html = String::new();
    for (dataset, rows) in session.by_dataset() {
        let rows = rows.iter().map(throughput_row).chain(dataset.rivals.iter().map(rival_row));
        html += &folded(&dataset.file, &head, rows.collect());
    }
    let mut note = "Spread: the range of the rounds over their median.".to_owned();
    if let Some(Ratio { confidence, .. }) = session
        .results
        .iter()
        .find_map(|row| row.report.ratio_to_first.filter(|ratio| ratio.confidence > 0.0))
    {
        note += &format!(
            " Comparison: median of the ratios of pairs of consecutive rounds, with its {:.1} % confidence interval (sign test).",
            100.0 * confidence
        );
    }
    if session.results.iter().any(|row| row.report.occupancy.is_some()) {
        note += " Lanes busy: the share of the lanes of a vector that held a puzzle, over all steps of the lane engine; \
                 the rest is empty at the end of a batch.";
    }
    if session.results.iter().any(|row| row.threads > 1) {
        note += " A suffix such as x2 is the number of threads.";
    }
    if session.datasets.iter().any(|dataset| !dataset.rivals.is_empty()) {
        note += " A rival with a start-up is timed as a whole command, including start-up, reading and writing. Its answers are \
                 checked if it prints a solution, a number of solutions or, if puzzles are rated, a rating for each record.";
    }
    format!("{html}<p class=\"note\">{note}</p>\n")
}

fn throughput_row(row: &ResultRow) -> Vec<String> {
    let report = &row.report;
    let rates = report.puzzles_per_second.as_ref();
    let of = match report.records_in_text {
        all if report.records < all => format!(" <small>of {}</small>", count(all)),
        _ => String::new(),
    };
    vec![
        escape(&row.name),
        rates.map_or("–".to_owned(), |rates| human(rates.median)),
        report.ratio_to_first.map_or(String::new(), with_interval),
        rates.map_or(String::new(), |rates| percent(rates.spread)),
        format!("{}{of}", count(report.records)),
        if report.counts.limit > 0 { count(report.counts.limit as usize).to_string() } else { String::new() },
        human(report.guesses_per_puzzle),
        report.occupancy.map_or(String::new(), percent),
    ]
}

fn rival_row(rival: &RivalReport) -> Vec<String> {
    let startup = rival.startup_ms.map_or(String::new(), |ms| format!("start-up {}, ", time(1e3 * ms)));
    let mut cells = vec![
        format!("{} <small>{startup}checked: {}</small>", escape(&rival.name), rival.checked()),
        human(rival.puzzles_per_second.median),
        rival.ratio_to_first.map_or(String::new(), with_interval),
        percent(rival.puzzles_per_second.spread),
    ];
    cells.resize(8, String::new());
    cells
}

fn with_interval(value: Ratio) -> String {
    let [median, interval] = ratio(value);
    format!("{median} <small class=\"range\">{interval}</small>")
}

/// The speed of each entry with each number of threads. Empty if there is only one number.
pub fn threads(session: &Session) -> String {
    let mut html = String::new();
    for (dataset, rows) in session.by_dataset() {
        let mut numbers: Vec<_> = rows.iter().map(|row| row.threads).collect();
        numbers.sort_unstable();
        numbers.dedup();
        if numbers.len() < 2 {
            continue;
        }
        let rate = |name: &str, threads| {
            let row = rows.iter().find(|row| engine(row) == name && row.threads == threads)?;
            Some(row.report.puzzles_per_second.as_ref()?.median)
        };
        let row = |name: String| {
            let base = rate(&name, numbers[0]);
            let cell = |&threads: &usize| match (rate(&name, threads), base) {
                (Some(rate), Some(_)) if threads == numbers[0] => human(rate),
                (Some(rate), Some(base)) => format!("{} <small>{}</small>", human(rate), times(rate / base)),
                (Some(rate), None) => human(rate),
                (None, _) => "–".to_owned(),
            };
            [escape(&name)].into_iter().chain(numbers.iter().map(cell)).collect()
        };
        let rows = distinct(rows.iter().map(engine)).into_iter().map(row).collect();
        let head: Vec<_> = numbers
            .iter()
            .map(|threads| if *threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") })
            .collect();
        let head: Vec<_> = ["solver"].into_iter().chain(head.iter().map(String::as_str)).collect();
        html += &folded(&dataset.file, &head, rows);
    }
    if html.is_empty() {
        return html;
    }
    let threads = session.machine.threads;
    format!(
        "<p>Puzzles per second, and the speed relative to the smallest number of threads; medians of the rounds. Hardware threads: {threads}.</p>\n{html}"
    )
}

/// Latencies of batches and puzzles, and the shares of the stages.
pub fn latencies(session: &Session) -> String {
    let head = [
        "solver",
        "records per batch",
        "batch p50",
        "p90",
        "p99",
        "max",
        "puzzle alone p50",
        "p90",
        "p99",
        "max",
        "parse/<wbr>solve/<wbr>write, %",
    ];
    let mut tables = String::new();
    for (dataset, rows) in session.by_dataset() {
        tables += &folded(&dataset.file, &head, rows.iter().map(latency_row).collect());
    }
    format!(
        "<p>Batch: the time from text to rows in the timed rounds, as percentiles. Puzzle alone: the \
         time of each puzzle when solved one at a time, in a separate pass; the lane engine always solves many at once. The last \
         column shows how one thread divides its time if it also writes the rows to a file.</p>\n{tables}"
    )
}

fn latency_row(row: &ResultRow) -> Vec<String> {
    let report = &row.report;
    let mut cells = vec![escape(&row.name), count(report.records_per_batch.round() as usize).to_string()];
    for latency in [Some(report.batch_latency), report.puzzle_latency] {
        let times =
            latency.map(|Latency { p50_us, p90_us, p99_us, max_us, .. }| [p50_us, p90_us, p99_us, max_us]);
        cells.extend(times.map_or([const { String::new() }; 4], |times| times.map(time)));
    }
    let [parse, solve, write] =
        [report.shares.parse, report.shares.solve, report.shares.write].map(|share| 100.0 * share);
    cells.push(format!("{parse:.0}/{solve:.0}/{write:.0}"));
    cells
}

/// The hashes of the datasets and of the outcomes.
pub fn datasets(session: &Session) -> String {
    let row = |(Dataset { file, records, hash, .. }, rows): (&Dataset, &[ResultRow])| {
        let outcomes = rows.iter().map(|row| format!("{} {}", row.report.outcomes_hash, row.engine));
        let outcomes: Vec<_> = distinct(outcomes).iter().map(|outcomes| escape(outcomes)).collect();
        vec![
            escape(file),
            count(*records).to_string(),
            format!("<code>{hash}</code>"),
            format!("<code>{}</code>", outcomes.join("<br>")),
        ]
    };
    let rows = session.by_dataset().map(row).collect();
    let table =
        folded("Hashes", &["dataset", "records", "hash of the bytes", "hashes of the outcomes"], rows);
    format!(
        "<div class=\"left\">{table}</div>\n<p class=\"note\">FNV-1a, 64 bits. Equal hashes mean equal puzzles and equal \
         outcomes, including guesses, on any machine.</p>\n"
    )
}

/// A table that is folded to its title. Columns without any content are left out.
fn folded(title: &str, head: &[&str], rows: Vec<Vec<String>>) -> String {
    let used: Vec<_> = (0..head.len()).filter(|&k| rows.iter().any(|row| !row[k].is_empty())).collect();
    let cells = |tag: &str, cells: &dyn Fn(usize) -> String| {
        let cells = used.iter().map(|&k| format!("<{tag}>{}", cells(k)));
        format!("<tr>{}\n", cells.collect::<String>())
    };
    let head = cells("th", &|k| head[k].to_owned());
    let body: String = rows.iter().map(|row| cells("td", &|k| row[k].clone())).collect();
    let number = if rows.len() == 1 { "1 row".to_owned() } else { format!("{} rows", rows.len()) };
    format!(
        "<details><summary>{} <small>{number}</small></summary>\n<p class=\"hint\">Scroll sideways for more columns.</p>\n\
         <div class=\"scroll\"><table>\n<thead>{head}</thead>\n<tbody>\n{body}</tbody>\n</table></div>\n</details>\n",
        escape(title),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_without_content_are_left_out() {
        let row = |cells: [&str; 3]| cells.map(String::from).to_vec();
        let html =
            folded("a<b", &["solver", "given up", "rate"], vec![row(["x", "", "1"]), row(["y", "", ""])]);
        assert!(html.contains("a&lt;b") && html.contains("2 rows"), "{html}");
        assert!(html.contains("<th>solver<th>rate") && !html.contains("given up"), "{html}");
        assert!(html.contains("<tr><td>y<td>\n"), "{html}");
    }
}
