//! `bench --compare`: compares a session with an earlier one.

use std::path::Path;

use rapidoku::file::Error;
use rapidoku::file::internal::escape;

use super::table::{self, Align};
use super::{ResultRow, Session};
use crate::files::read_whole;

/// Reads a session that `bench --json` wrote.
///
/// # Errors
/// When the file cannot be read or has another content.
pub fn read(path: &Path) -> Result<Session, Error> {
    let name = path.display().to_string();
    let text = read_whole(path).map_err(|source| Error::Open { name: name.clone(), source })?;
    serde_json::from_slice(&text)
        .map_err(|error| Error::Format { name, reason: format!("not the output of 'bench --json': {error}") })
}

/// A table of the results that both sessions have, and warnings if the sessions differ in what they measured.
///
/// Rounds of two sessions cannot be paired. The range therefore extends from the slowest round now over the fastest
/// round then to the fastest round now over the slowest round then. Only a range that excludes 1 counts as a change.
pub fn compare(earlier: &Session, now: &Session) -> String {
    let mut rows = vec![["file", "solver", "then", "now", "ratio", "range", ""].map(String::from).to_vec()];
    let mut warnings = Vec::new();
    for row in &now.results {
        let Some(then) = earlier.results.iter().find(|then| is_same_work(then, row)) else { continue };
        if then.report.outcomes_hash != row.report.outcomes_hash {
            let (file, name) = (escape(&row.file), escape(&row.name));
            warnings.push(format!("{file}, {name}: the outcomes differ from the earlier run"));
        }
        let both = [&then.report.puzzles_per_second, &row.report.puzzles_per_second];
        let [Some(a), Some(b)] = both else {
            let mut cells = vec![escape(&row.file).into_owned(), escape(&row.name).into_owned()];
            cells.extend(
                both.map(|rates| rates.as_ref().map_or("-".into(), |rates| table::rate(rates.median))),
            );
            cells.extend(["-", "-", "gave up on every puzzle"].map(String::from));
            rows.push(cells);
            continue;
        };
        let (low, high) = (b.min / a.max, b.max / a.min);
        let verdict = if low > 1.0 {
            "faster"
        } else if high < 1.0 {
            "slower"
        } else {
            "no clear change"
        };
        rows.push(vec![
            escape(&row.file).into_owned(),
            escape(&row.name).into_owned(),
            table::rate(a.median),
            table::rate(b.median),
            format!("{:.3}", b.median / a.median),
            format!("{low:.3} to {high:.3}"),
            verdict.to_owned(),
        ]);
    }
    if !earlier.machine.is_same(&now.machine) {
        warnings.push(format!("the earlier run was on another machine: {}", escape(&earlier.machine.cpu)));
    }
    if earlier.limit != now.limit {
        warnings.push(format!("the earlier run had limit {}, this one has {}", earlier.limit, now.limit));
    }
    let (version, date) = (escape(&earlier.version), escape(&earlier.date));
    let title = format!("\nAgainst {version} of {date} (puzzles/s):\n");
    if rows.len() == 1 {
        return title + "no dataset and solver in common\n";
    }
    use Align::{Left, Right};
    let body = table::align(&rows, &[Left, Left, Right, Right, Right, Right, Left]);
    warnings.iter().fold(title + &body, |text, warning| text + "warning: " + warning + "\n")
}

/// Whether two results measured the same work: dataset, entry, threads, number of records and cap on guesses.
fn is_same_work(a: &ResultRow, b: &ResultRow) -> bool {
    fn key(row: &ResultRow) -> (&str, &str, usize, usize, Option<u64>) {
        (&row.report.dataset_hash, &row.name, row.threads, row.report.records, row.max_guesses)
    }
    key(a) == key(b)
}
