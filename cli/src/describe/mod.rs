//! The description of a set of puzzles: as text, JSON and a page.

pub mod html;
pub mod text;

use rapidoku::file::internal::{guess_group, technique_names};
use rapidoku::file::{Describe, Description, Duplicates};
use rapidoku::rating::Difficulty;

use crate::number::{count, counted, human, share, statuses};

/// Puzzles by some property.
pub struct Histogram {
    /// The property.
    pub title: &'static str,
    /// A note on the numbers; may be empty.
    pub note: String,
    /// The values of the property, each with its number of puzzles.
    pub bars: Vec<(String, u64)>,
}

impl Histogram {
    /// The number of all puzzles.
    pub fn total(&self) -> u64 {
        self.bars.iter().map(|(_, puzzles)| puzzles).sum()
    }
}

/// The histograms that have puzzles, in the order of their appearance.
pub fn histograms(description: &Description) -> Vec<Histogram> {
    let bars = statuses(&description.counts).map(|(status, records)| (status.to_string(), records)).collect();
    let statuses = Histogram { title: "Status", note: String::new(), bars };
    let mut all = vec![statuses, clues(description), guesses(description)];
    all.extend(description.er.as_deref().map(er));
    all.extend(description.hardest.as_deref().map(hardest));
    all.retain(|histogram| histogram.total() > 0);
    all
}

fn clues(description: &Description) -> Histogram {
    let puzzles: u64 = description.clues.iter().sum();
    let clues: u64 = (0..).zip(&description.clues).map(|(clues, puzzles)| clues * puzzles).sum();
    let used = || description.clues.iter().enumerate().filter(|(_, puzzles)| **puzzles > 0).map(|(n, _)| n);
    let range = used().min().unwrap_or(0)..=used().max().unwrap_or(0);
    let note = format!("{:.2} on average", clues as f64 / puzzles.max(1) as f64);
    // Long ranges are shown without their gaps.
    let is_shown = |n: &usize| range.clone().count() <= 40 || description.clues[*n] > 0;
    let bars = range.clone().filter(is_shown).map(|n| (n.to_string(), description.clues[n])).collect();
    Histogram { title: "Clues", note, bars }
}

fn guesses(description: &Description) -> Histogram {
    let puzzles: u64 = description.guesses.iter().sum();
    let mean = description.total_guesses as f64 / puzzles.max(1) as f64;
    let name = |group: u32| match guess_group(group).into_inner() {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}-{last}"),
    };
    let bars = (0..).zip(&description.guesses).map(|(group, puzzles)| (name(group), *puzzles)).collect();
    let note = format!(
        "of the lane engine, until the number of solutions is known; {} on average, at most {}",
        human(mean),
        count(description.max_guesses as usize)
    );
    Histogram { title: "Guesses", note, bars }
}

/// The ratings in groups by their whole numbers, which have the techniques of about the same difficulty.
fn er(puzzles: &[u64]) -> Histogram {
    let (above, rated) = puzzles.split_last().expect("there is a number for those above");
    let name = |whole: usize, last: usize| format!("{whole}.0-{}", Difficulty(last as u16));
    let groups = rated.chunks(10).zip(0..);
    let groups = groups.map(|(group, whole)| (name(whole, 10 * whole + group.len() - 1), group.iter().sum()));
    let mut bars: Vec<(String, u64)> = groups.collect();
    bars.push((format!("above {}", Describe::MAX_ER), *above));
    let used = |bar: &(String, u64)| bar.1 > 0;
    let (first, last) = (bars.iter().position(used), bars.iter().rposition(used));
    let bars = first.zip(last).map_or(Vec::new(), |(first, last)| bars[first..=last].to_vec());
    let note = "of puzzles with one solution, as in 'rapidoku rate'".to_owned();
    Histogram { title: "Rating (ER)", note, bars }
}

fn hardest(puzzles: &[u64]) -> Histogram {
    let bars = technique_names().zip(puzzles).filter(|(_, puzzles)| **puzzles > 0);
    let bars = bars.map(|(name, puzzles)| (name.to_owned(), *puzzles)).collect();
    let note = format!("of puzzles with one solution, up to ER {}", Describe::MAX_ER);
    Histogram { title: "Hardest technique", note, bars }
}

/// The facts that are no histograms: names and values.
pub fn facts(description: &Description) -> Vec<(&'static str, String)> {
    let mut facts = vec![("Records", count(description.records as usize).to_string())];
    let blanks = description.blanks.iter().map(|(blank, puzzles)| match &**blank {
        "none" => format!("none in {}", count(*puzzles as usize)),
        "mixed" => format!("several characters in {}", count(*puzzles as usize)),
        _ => format!("'{blank}' in {}", count(*puzzles as usize)),
    });
    let blanks: Vec<_> = blanks.collect();
    if !blanks.is_empty() {
        facts.push(("Blank cells", blanks.join(", ")));
    }
    let kinds = [("Equal puzzles", &description.equal), ("Equivalent", &description.equivalent)];
    for (name, found) in kinds {
        facts.extend(found.filter(|found| found.records > 0).map(|found| (name, duplicates(&found))));
    }
    facts
}

fn duplicates(found: &Duplicates) -> String {
    let Duplicates { records, distinct, duplicates, most, is_estimate, .. } = *found;
    if duplicates == 0 {
        let scope = if is_estimate { " in a random sample" } else { "" };
        return format!("no duplicates{scope}");
    }
    let about = if is_estimate { "about " } else { "" };
    format!(
        "{about}{} ({}), {about}{} different, the most frequent one {} times",
        counted(duplicates, "duplicate"),
        share(duplicates, records),
        count(distinct as usize),
        count(most as usize)
    )
}

/// The inputs in words: layout, columns, records.
pub fn inputs(description: &Description) -> Vec<[String; 2]> {
    let mut inputs: Vec<_> = description
        .inputs
        .iter()
        .map(|input| {
            let mut text = format!("{}, {}", input.layout, counted(input.records, "record"));
            if input.invalid > 0 {
                text += &format!(", {} invalid", count(input.invalid as usize));
            }
            if !input.columns.is_empty() {
                text += &format!(", columns {}", input.columns.join(","));
            }
            [rapidoku::file::internal::escape(&input.name).into_owned(), text]
        })
        .collect();
    let more = description.input_count.saturating_sub(inputs.len() as u64);
    if more > 0 {
        inputs.push([counted(more, "more input"), String::new()]);
    }
    inputs
}
