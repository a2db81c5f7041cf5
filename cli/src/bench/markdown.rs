//! The results as Markdown, for `--export-markdown`.

use super::number::{count, human, percent, ratio};
use super::table::{notes, statuses};
use super::{Dataset, ResultRow, RivalReport, Session, Workload, quality};

/// The machine, and for each dataset a sentence and a table. `figures` of the terminal as far as they fit a document.
pub fn page(session: &Session) -> String {
    let Session { workload, limit, rounds, warmup, date, .. } = session;
    let run = [workload.problem(*limit), format!("rounds {rounds} after {warmup}"), date.clone()];
    let program = quality::program(session).into_iter().chain(run).collect();
    let line = |parts: Vec<String>| escape(&parts.join(", "));
    let machine = line(quality::machine(session));
    let mut text = format!("# rapidoku benchmark\n\n{}.\n{}.\n", machine, line(program));
    for (dataset, rows) in session.by_dataset() {
        text += &section(*workload, dataset, rows);
    }
    for note in notes(session).lines().filter(|line| !line.is_empty()) {
        text += &format!("\n{}\n", escape(note));
    }
    text + &format!("\n```sh\n{}\n```\n", rapidoku::file::internal::escape(&session.command))
}

fn section(workload: Workload, dataset: &Dataset, rows: &[ResultRow]) -> String {
    let Dataset { file, records, .. } = dataset;
    let sentence = match quality::best(dataset, rows) {
        Some(best) => format!("{} {} {}.", best.row.name, workload.verb(), best.rate),
        None => "No entry answered any puzzle.".to_owned(),
    };
    let comparisons = quality::comparisons(dataset, rows).into_iter().map(|text| format!("{text}. "));
    let sentence = comparisons.collect::<String>() + &sentence;
    let head =
        ["solver", "puzzles/s", "than the first", "interval", "spread", "records", "statuses", "checked"];
    let rows = rows.iter().map(result).chain(dataset.rivals.iter().map(rival));
    let title = if *records == 1 { "1 record".to_owned() } else { format!("{} records", count(*records)) };
    format!("\n## {} ({title})\n\n{}\n\n{}", escape(file), escape(&sentence), table(&head, rows.collect()))
}

fn result(row: &ResultRow) -> Vec<String> {
    let report = &row.report;
    let rates = report.puzzles_per_second.as_ref();
    let [median, interval] = report.ratio_to_first.map_or(Default::default(), ratio);
    vec![
        row.name.clone(),
        rates.map_or(String::new(), |rates| human(rates.median)),
        median,
        interval,
        rates.map_or(String::new(), |rates| percent(rates.spread)),
        count(report.records).to_string(),
        statuses(report.counts),
        String::new(),
    ]
}

fn rival(rival: &RivalReport) -> Vec<String> {
    let rates = &rival.puzzles_per_second;
    let [median, interval] = rival.ratio_to_first.map_or(Default::default(), ratio);
    let name = format!("{} (whole command)", rival.name);
    let [records, statuses] = Default::default();
    vec![
        name,
        human(rates.median),
        median,
        interval,
        percent(rates.spread),
        records,
        statuses,
        rival.checked(),
    ]
}

/// A table whose first column is aligned to the left, the others to the right. Columns without content are left out.
pub fn table(head: &[&str], rows: Vec<Vec<String>>) -> String {
    let used: Vec<_> = (0..head.len()).filter(|&k| rows.iter().any(|row| !row[k].is_empty())).collect();
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(used.iter().map(|&k| head[k].to_owned()).collect());
    text += &format!("|{}\n", used.iter().map(|&k| if k == 0 { "---|" } else { "--:|" }).collect::<String>());
    rows.iter().for_each(|row| text += &line(used.iter().map(|&k| escape(&row[k])).collect()));
    text
}

/// Escapes text, so that it has no meaning in Markdown or HTML. Control characters appear as in messages.
fn escape(text: &str) -> String {
    let text = rapidoku::file::internal::escape(text);
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '<' => escaped += "&lt;",
            '&' => escaped += "&amp;",
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' => {
                escaped.push('\\');
                escaped.push(c);
            }
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_no_empty_columns_and_no_markup_from_names() {
        let row = |cells: [&str; 3]| cells.map(String::from).to_vec();
        let text = table(&["solver", "x", "rate"], vec![row(["a|b_c", "", "1"]), row(["<d>", "", ""])]);
        assert_eq!(text, "| solver | rate |\n|---|--:|\n| a\\|b\\_c | 1 |\n| &lt;d> |  |\n");
    }
}
