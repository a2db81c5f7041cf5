//! The HTML report: one self-contained page without other files or network access.

mod plots;
mod tables;

pub use plots::figure;

use super::Session;
pub use super::escape::escape;
use super::number::count;
use super::quality;

/// Unfolds numbers on wide screens, and copies the command.
pub const SCRIPT: &str = concat!(include_str!("unfold.js"), include_str!("copy.js"));

/// The page of a session.
pub fn page(session: &Session) -> String {
    let sections = [
        ("throughput", "Throughput", plots::throughput(session) + &tables::throughput(session)),
        ("levels", "Instruction sets", plots::levels(session)),
        ("threads", "Threads", tables::threads(session)),
        ("difficulty", "Difficulty", plots::difficulty(session)),
        ("latency", "Latency and shares", tables::latencies(session)),
        ("datasets", "Datasets", tables::datasets(session)),
        ("method", "How this was measured", method(session)),
    ];
    let sections: Vec<_> = sections.iter().filter(|(_, _, body)| !body.is_empty()).collect();
    let mut body = head(session) + &warnings(session) + &summary(session);
    let links = sections.iter().map(|(id, title, _)| format!("<a href=\"#{id}\">{title}</a>\n"));
    body += &format!("<nav>{}</nav>\n", links.collect::<String>());
    for (id, title, section) in sections {
        body += &format!("<section id=\"{id}\">\n<h2>{title}</h2>\n{section}</section>\n");
    }
    page_of(&format!("rapidoku benchmark, {}", session.date), &body, SCRIPT)
}

/// A page in the style of the report.
pub fn page_of(title: &str, body: &str, script: &str) -> String {
    let script = match script {
        "" => String::new(),
        _ => format!("<script type=\"module\">\n{script}</script>\n"),
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n{body}</main>\n{script}</body>\n</html>\n",
        escape(title),
        include_str!("style.css"),
    )
}

/// The title and, in one line each, the machine and the program.
fn head(session: &Session) -> String {
    let date = date(&session.date);
    let program = quality::program(session).into_iter().chain([date]).collect();
    let line = |parts: Vec<String>| format!("<p class=\"sub\">{}</p>\n", escape(&parts.join(" · ")));
    format!("<h1>rapidoku benchmark</h1>\n{}{}", line(quality::machine(session)), line(program))
}

fn warnings(session: &Session) -> String {
    let warnings = quality::warnings(session);
    if warnings.is_empty() {
        return String::new();
    }
    let items: String = warnings.iter().map(|warning| format!("<li>{}\n", escape(warning))).collect();
    let open = if warnings.len() <= 3 { " open" } else { "" };
    format!(
        "<details class=\"warning\"{open}><summary>{} about these results</summary>\n<ul>\n{items}</ul>\n</details>\n",
        if warnings.len() == 1 { "One warning".to_owned() } else { format!("{} warnings", warnings.len()) }
    )
}

/// A sentence for each dataset.
fn summary(session: &Session) -> String {
    let problem = match session.limit {
        _ if session.workload.is_rating() => {
            "Each puzzle is rated on the scale of Sudoku Explainer 1.2.1".to_owned()
        }
        1 => "One solution of each puzzle".to_owned(),
        2 => "One solution of each puzzle and a proof whether it is unique".to_owned(),
        n => format!("The number of solutions of each puzzle, up to {n}"),
    };
    let sentence = |(dataset, rows): (&super::Dataset, &[super::ResultRow])| {
        let super::Dataset { file, records, .. } = dataset;
        let verb = session.workload.verb();
        let comparisons = quality::comparisons(dataset, rows);
        let mut comparisons =
            comparisons.iter().map(|text| format!("<em>{}</em>", escape(text))).collect::<Vec<_>>();
        comparisons.push(match quality::best(dataset, rows) {
            Some(best) if comparisons.is_empty() => {
                format!("<em>{}</em> {verb} {}", escape(&best.row.name), escape(&best.rate))
            }
            Some(best) => format!("{} {verb} {}", escape(&best.row.name), escape(&best.rate)),
            None => "no entry answered any puzzle".to_owned(),
        });
        let result = comparisons.join("; ");
        format!("<li><strong>{}</strong> ({} records): {result}.\n", escape(file), count(*records))
    };
    let sentences: String = session.by_dataset().map(sentence).collect();
    format!("<p>{problem}:</p>\n<ul class=\"lead\">\n{sentences}</ul>\n")
}

fn method(session: &Session) -> String {
    let Session { command, warmup, rounds, limit, .. } = session;
    let results = if session.workload.is_rating() { "ratings" } else { "solutions" };
    format!(
        "<p>From text in memory to {results} in memory. A round lasts at least 0.1 s. \
         Timed rounds: {rounds}; warm-up rounds: {warmup}. Solvers take turns, round by round. Every solution is checked against its \
         puzzle, and the answers of all solvers are compared; a wrong answer would have prevented this report. Solution limit per puzzle: \
         {limit}.</p>\n{}",
        command_section(command)
    )
}

/// A command line, and a button that copies it.
pub fn command_section(command: &str) -> String {
    format!(
        "<p>Command: <button type=\"button\" id=\"copy\" hidden>Copy</button></p>\n<pre><code id=\"command\">{}</code></pre>\n",
        command_html(command)
    )
}

/// A time such as `2026-01-31T12:00:00Z` for people.
pub fn date(date: &str) -> String {
    date.replace('T', " ").replace('Z', " UTC")
}

/// A command line that breaks between its arguments only. An option and its value stay together.
fn command_html(command: &str) -> String {
    let words = shell_words::split(command).unwrap_or_else(|_| vec![command.to_owned()]);
    let mut groups: Vec<String> = Vec::new();
    let mut after_option = false;
    for word in &words {
        let quoted = escape(&shell_words::quote(word));
        match groups.last_mut().filter(|_| after_option && !word.starts_with('-')) {
            Some(option) => *option += &format!(" {quoted}"),
            None => groups.push(quoted),
        }
        after_option = word.starts_with('-') && !word.contains('=');
    }
    let groups: Vec<_> = groups.iter().map(|group| format!("<span>{group}</span>")).collect();
    groups.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_break_between_arguments_only() {
        assert_eq!(
            command_html("rapidoku bench --engine all -j 1,2 --simd=all 'a b.txt' c<d.txt"),
            "<span>rapidoku</span> <span>bench</span> <span>--engine all</span> <span>-j 1,2</span> \
             <span>'--simd=all'</span> <span>'a b.txt'</span> <span>'c&lt;d.txt'</span>"
        );
    }
}
