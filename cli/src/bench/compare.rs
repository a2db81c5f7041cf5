//! A run held against an earlier one.

use std::fs;
use std::path::PathBuf;

use crate::bench::{Row, Session};
use anyhow::Context;

use super::table::{self, Align};

/// Reads what `--json` wrote.
pub fn read(path: &PathBuf) -> anyhow::Result<Session> {
    let name = path.display();
    let text = fs::read(path).with_context(|| format!("cannot read '{name}'"))?;
    serde_json::from_slice(&text).with_context(|| format!("'{name}' is no run that `bench --json` wrote"))
}

/// A table of all contestants that took part in both, and warnings where the two are not of the same thing.
///
/// The rounds of two runs were not made in turns, so there are no pairs: the range is from the slowest round now over
/// the fastest then, to the fastest now over the slowest then. Only a change whose range leaves out 1 is called one.
pub fn compare(earlier: &Session, now: &Session) -> String {
    let mut rows = vec![["file", "solver", "then", "now", "ratio", "range", ""].map(String::from).to_vec()];
    let mut warnings = Vec::new();
    for row in &now.results {
        let Some(then) = earlier.results.iter().find(|then| is_same(then, row)) else { continue };
        if then.report.outcomes_hash != row.report.outcomes_hash {
            warnings.push(format!("{}, {}: the outcomes are not those of then", row.file, row.name));
        }
        let (a, b) = (&then.report.puzzles_per_second, &row.report.puzzles_per_second);
        let (low, high) = (b.min / a.max, b.max / a.min);
        let verdict = if low > 1.0 {
            "faster"
        } else if high < 1.0 {
            "slower"
        } else {
            "no clear change"
        };
        rows.push(vec![
            row.file.clone(),
            row.name.clone(),
            table::rate(a.median),
            table::rate(b.median),
            format!("{:.3}", b.median / a.median),
            format!("{low:.3} to {high:.3}"),
            verdict.to_owned(),
        ]);
    }
    if earlier.machine != now.machine {
        warnings.push(format!("the earlier run was on another machine: {}", earlier.machine.cpu));
    }
    if earlier.limit != now.limit {
        warnings.push(format!("the earlier run had limit {}, this one has {}", earlier.limit, now.limit));
    }
    let head = format!("\nAgainst {} of {} (puzzles/s):\n", earlier.version, earlier.date);
    if rows.len() == 1 {
        return head + "no dataset and solver took part in both\n";
    }
    use Align::{Left, Right};
    let body = table::align(&rows, &[Left, Left, Right, Right, Right, Right, Left]);
    warnings.iter().fold(head + &body, |text, warning| text + "warning: " + warning + "\n")
}

/// The same work: bytes of the dataset, contestant, threads, and part of the records.
fn is_same(a: &Row, b: &Row) -> bool {
    let key = |row: &Row| {
        (row.report.dataset_hash.clone(), row.name.clone(), row.threads, row.report.records, row.max_guesses)
    };
    key(a) == key(b)
}
