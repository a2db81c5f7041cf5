//! The plots of the HTML report, with legends and captions.

use super::escape;
use crate::bench::chart::{self, Class, Line, Series, color};
use crate::bench::number::count;
use crate::bench::{Difficulty, MIN_PUZZLES, ResultRow, Session};

/// The rounds of each entry with the smallest number of threads.
pub fn throughput(session: &Session) -> String {
    let files = files(session);
    let least = fewest_threads(session);
    let rows = session.results.iter().filter(|row| row.threads == least);
    let labels = distinct(rows.map(engine));
    let rivals =
        distinct(session.datasets.iter().flat_map(|dataset| &dataset.rivals).map(|rival| rival.name.clone()));
    let series = |file: &String| {
        let rounds = |label: &String| {
            let row = find(session, file, label)?;
            Some(row.report.puzzles_per_second.as_ref()?.rounds.clone())
        };
        let rounds_of_rival = |name: &String| {
            let dataset = session.datasets.iter().find(|dataset| dataset.file == *file)?;
            let rival = dataset.rivals.iter().find(|rival| rival.name == *name)?;
            Some(rival.puzzles_per_second.rounds.clone())
        };
        Series { values: labels.iter().map(rounds).chain(rivals.iter().map(rounds_of_rival)).collect() }
    };
    let series: Vec<_> = files.iter().map(series).collect();
    let rivals = rivals.iter().map(|name| rapidoku::file::internal::escape(name).into_owned());
    let labels: Vec<_> = labels.iter().cloned().chain(rivals).collect();
    let rated = if session.workload.is_rating() { " rated" } else { "" };
    let description = format!("Puzzles{rated} per second of each solver and dataset");
    let plot = chart::rate_dots(&description, &labels, &series);
    let mut notes = format!("Threads: {least}. A dot is a round, a stroke the median.");
    if files.len() > 1 {
        notes += " Datasets appear in the order of the legend.";
    }
    if session.datasets.iter().flat_map(|dataset| &dataset.rivals).any(|rival| rival.startup_ms.is_some()) {
        notes += " Rivals are timed as whole commands.";
    }
    if session.results.iter().any(|row| row.report.counts.limit > 0) {
        notes += " A puzzle that reaches the cap on guesses takes time but is not counted; a solver that answers none has no rate.";
    }
    if session.results.iter().any(|row| row.report.records < row.report.records_in_text) {
        notes += " Slow solvers got an evenly spread subset of the records, as the table shows.";
    }
    figure(&legend(&files, ""), &plot, &notes)
}

/// The speed of the lane engine with each instruction set, relative to the narrowest one. Empty if there is only one.
pub fn levels(session: &Session) -> String {
    let least = fewest_threads(session);
    let rows = session.results.iter().filter(|row| row.simd.is_some() && row.threads == least);
    let labels = distinct(rows.map(engine));
    let Some((base, wider)) = labels.split_last().filter(|(_, wider)| !wider.is_empty()) else {
        return String::new();
    };
    let files = files(session);
    let series = |label: &String| {
        let ratios = |file: &String| {
            let rounds =
                |label| Some(find(session, file, label)?.report.puzzles_per_second.as_ref()?.rounds.iter());
            Some(rounds(label)?.zip(rounds(base)?).map(|(wide, narrow)| wide / narrow).collect())
        };
        Series { values: files.iter().map(ratios).collect() }
    };
    let series: Vec<_> = wider.iter().map(series).collect();
    let plot = chart::ratio_bars("Speed-up by instruction set", &files, &series);
    let notes = format!(
        "How many times as fast as {base} the lane engine is on each dataset. Threads: {least}. A bar is the median of \
         the ratios of the rounds, a dot one of them."
    );
    figure(&legend(wider, ""), &plot, &notes)
}

/// Speed by difficulty, for each dataset with more than one class.
pub fn difficulty(session: &Session) -> String {
    let mut html = String::new();
    for dataset in &session.datasets {
        let Some(difficulty) = &dataset.difficulty else { continue };
        html +=
            &format!("<h3>{}</h3>\n{}", escape(&dataset.file), difficulty_figure(&dataset.file, difficulty));
    }
    if html.is_empty() {
        return html;
    }
    format!(
        "<p>Puzzles are grouped by the number of guesses of the scalar solver, and each group is timed by itself, on one thread.</p>\n{html}"
    )
}

fn difficulty_figure(file: &str, difficulty: &Difficulty) -> String {
    let Difficulty { buckets, invalid } = difficulty;
    let first = buckets.iter().position(|bucket| bucket.records > 0).unwrap_or(0);
    let buckets = &buckets[first..];
    let name = |from: u64, to: u64| if from == to { from.to_string() } else { format!("{from}–{to}") };
    let class = |bucket: &crate::bench::Bucket| Class {
        name: name(bucket.from, bucket.to),
        records: count(bucket.records).to_string(),
    };
    let classes: Vec<_> = buckets.iter().map(class).collect();
    let names = buckets.iter().find(|bucket| !bucket.rates.is_empty()).map(|bucket| &bucket.rates);
    let names: Vec<_> = names.into_iter().flatten().map(|(name, _)| name.clone()).collect();
    let line = |(series, name): (usize, &String)| {
        let point = |(x, bucket): (usize, &crate::bench::Bucket)| {
            let (_, rates) = bucket.rates.get(series)?;
            Some((x as f64, rates.as_ref()?.rounds.clone()))
        };
        let points: Vec<_> = buckets.iter().enumerate().filter_map(point).collect();
        (!points.is_empty()).then(|| Line { name: name.clone(), series, points })
    };
    let lines: Vec<_> = names.iter().enumerate().filter_map(line).collect();
    let mut notes = Vec::new();
    // A plot of one class would only repeat the throughput.
    let is_plotted = lines.iter().any(|line| line.points.len() > 1);
    if !is_plotted {
        let classes = classes.iter().map(|class| format!("{} ({})", class.name, class.records));
        let classes: Vec<_> = classes.collect();
        notes.push(format!("Too few classes with enough records for a plot: {}.", classes.join(", ")));
    } else {
        notes.push(
            "Puzzles per second, logarithmic: the median of five rounds, and a stroke from the slowest to the fastest. \
             Below each class its number of records."
                .to_owned(),
        );
    }
    let small: Vec<_> = buckets.iter().filter(|bucket| (1..MIN_PUZZLES).contains(&bucket.records)).collect();
    if !small.is_empty() {
        let small: Vec<_> = small
            .iter()
            .map(|bucket| format!("{} ({})", name(bucket.from, bucket.to), bucket.records))
            .collect();
        notes.push(format!(
            "Classes of fewer than {MIN_PUZZLES} records were not timed: {}.",
            small.join(", ")
        ));
    }
    let mut tired = Vec::new();
    for (k, name) in names.iter().enumerate() {
        let gave_up =
            |bucket: &&crate::bench::Bucket| bucket.rates.get(k).is_some_and(|(_, rates)| rates.is_none());
        let missing = buckets.iter().filter(gave_up).count();
        if missing > 0 {
            let classes = if missing == 1 { "one class".to_owned() } else { format!("{missing} classes") };
            tired.push(format!("{name} ({classes})"));
        }
    }
    if !tired.is_empty() {
        notes.push(format!("Gave up on all puzzles of a class: {}.", tired.join(", ")));
    }
    if *invalid > 0 {
        notes.push(format!("Invalid records, which are in no class: {}.", count(*invalid)));
    }
    if !is_plotted {
        return format!("<p>{}</p>\n", escape(&notes.join(" ")));
    }
    let plot = chart::difficulty(&format!("Speed by difficulty on {file}"), &classes, &lines);
    figure(&legend(&names, " narrow"), &plot, &notes.join(" "))
}

fn find<'s>(session: &'s Session, file: &'s str, label: &str) -> Option<&'s ResultRow> {
    let least = fewest_threads(session);
    session.rows(file).find(|row| engine(row) == *label && row.threads == least)
}

fn fewest_threads(session: &Session) -> usize {
    session.results.iter().map(|row| row.threads).min().unwrap_or(1)
}

fn files(session: &Session) -> Vec<String> {
    distinct(session.datasets.iter().map(|dataset| dataset.file.clone()))
}

/// The engine and its instruction set, without the number of threads.
pub fn engine(row: &ResultRow) -> String {
    row.simd.as_ref().map_or(row.engine.clone(), |simd| format!("{} {simd}", row.engine))
}

/// The words without repetitions, in the order of their first occurrence.
pub fn distinct(words: impl Iterator<Item = String>) -> Vec<String> {
    let mut distinct = Vec::new();
    words.for_each(|word| {
        if !distinct.contains(&word) {
            distinct.push(word)
        }
    });
    distinct
}

/// The colours of series. `class` is appended to the class of the element.
fn legend(names: &[String], class: &str) -> String {
    let entry = |(k, name): (usize, &String)| {
        format!(
            "<span><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><circle cx=\"5\" cy=\"5\" r=\"5\" fill=\"{}\"/></svg>{}</span>",
            color(k),
            escape(name)
        )
    };
    let entries: String = names.iter().enumerate().map(entry).collect();
    format!("<div class=\"legend{class}\">{entries}</div>\n")
}

/// A plot with a legend and a caption; both may be empty.
pub fn figure(legend: &str, plot: &str, caption: &str) -> String {
    format!("<figure>\n{legend}{plot}<figcaption>{}</figcaption>\n</figure>\n", escape(caption))
}
