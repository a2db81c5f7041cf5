//! The results as text and as a page.

use std::borrow::Cow;

use rapidoku::file::internal::escape;

use super::summary::Group;
use super::{Dataset, Session};
use crate::page;

/// The origin, warnings, and for each dataset its sentences and tables.
pub fn text(session: &Session) -> String {
    let mut text = String::new();
    for facts in session.facts() {
        text += &format!("{}\n", escape(&facts.join(", ")));
    }
    for dataset in &session.datasets {
        text += &format!("\n{}\n", escape(&dataset.title()));
        for sentence in dataset.sentences(session.workload) {
            text += &format!("{}\n", escape(&sentence));
        }
        for group in dataset.groups() {
            text += &format!("\n{}", align(&group));
        }
    }
    let warnings = session.warnings();
    let start = if warnings.is_empty() { "" } else { "\n" };
    warnings.iter().fold(text + start, |text, warning| text + "warning: " + &escape(warning) + "\n")
}

/// The lines of a table, with two spaces between columns. Columns of words are aligned to the left.
fn align(Group { head, rows, .. }: &Group) -> String {
    let escaped = rows.iter().map(|row| row.iter().map(|cell| escape(cell)).collect());
    let rows: Vec<Vec<_>> = [head.iter().map(|&name| name.into()).collect()].into_iter().chain(escaped).collect();
    let width = |k: usize| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0);
    let line = |row: &Vec<Cow<str>>| {
        let cells = row.iter().enumerate().map(|(k, cell)| match head[k] {
            "in memory" | "as a command" | "outcomes" | "answers" => format!("{cell:<0$}", width(k)),
            _ => format!("{cell:>0$}", width(k)),
        });
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

/// The page.
pub fn html(session: &Session) -> String {
    let [machine, mut program] = session.facts();
    program.push(page::date(&session.date));
    let mut body = page::headline("rapidoku benchmark", &[machine, program]);
    body += &list("warning", &session.warnings());
    for dataset in &session.datasets {
        let sentences = list("lead", &dataset.sentences(session.workload));
        body += &format!("<section>\n<h2>{}</h2>\n{sentences}", page::escape(&dataset.title()));
        body += &figures(dataset);
        body += "</section>\n";
    }
    body += &format!("<section>\n<h2>How this was measured</h2>\n<p>{METHOD}</p>\n");
    body += &format!("{}</section>\n", list("note", &session.notes()));
    body += &page::command_section(&session.command);
    page::page(&format!("rapidoku benchmark, {}", session.date), &body)
}

const METHOD: &str = "A round lasts at least 0.1 s, from text in memory to results in memory; a suffix such as x2 is the number \
                      of threads. Commands are timed as a whole, from start to end. All take turns, round by round. A bar is the \
                      median of the rounds, a dot one of them. Every solution was checked against its puzzle, and the answers of all \
                      were compared; there is no time for a wrong answer.";

/// The plot and the tables of a dataset.
fn figures(dataset: &Dataset) -> String {
    let groups = dataset.groups();
    let bars: Vec<_> = groups.iter().flat_map(|group| &group.bars).collect();
    let longest = bars.iter().flat_map(|bar| &bar.values).copied().fold(0.0, f64::max);
    let tables = groups.iter().map(|group| page::table("numbers", &group.head, &group.rows));
    page::plot(bars, longest) + &tables.collect::<String>()
}

fn list(class: &str, items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let items: String = items.iter().map(|item| format!("<li>{}\n", page::escape(item))).collect();
    format!("<ul class=\"{class}\">\n{items}</ul>\n")
}
