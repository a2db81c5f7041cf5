//! What a reader should know about results: where they come from, warnings, a sentence for each comparison, and tables.

use super::report::{Answers, Rival};
use super::{Dataset, Rates, Ratio, Report, Session, Workload};
use crate::number::{count, human, multiple, percent, statuses};
use crate::page::Bar;

/// A larger spread of the rounds is worth a warning.
const MAX_SPREAD: f64 = 0.1;
/// So is a larger share of the start-up in the time of a command.
const MAX_STARTUP: f64 = 0.25;

impl Session {
    /// The machine and what it was doing, and the program: a phrase for each fact that is known.
    pub fn facts(&self) -> [Vec<String>; 2] {
        let Session { machine, load_at_start, load_at_end, .. } = self;
        let load = |load: &Option<[f64; 3]>| load.map(|[minute, ..]| format!("{minute:.2}"));
        let loads: Vec<_> = [load_at_start, load_at_end].into_iter().filter_map(load).collect();
        let machine = [
            Some(machine.cpu.clone()),
            machine.cpu_model.clone(),
            Some(format!("hardware threads: {}", machine.threads)),
            Some(machine.system.clone()),
            machine.kernel.as_ref().map(|kernel| format!("kernel {kernel}")),
            machine.governor.as_ref().map(|governor| format!("governor {governor}")),
            (!loads.is_empty()).then(|| format!("load average {}", loads.join(" to "))),
        ];
        let program = [
            Some(format!("rapidoku {}", self.version)),
            self.revision.map(|revision| format!("revision {revision}")),
            self.compiler.map(str::to_owned),
            Some(self.problem()),
            Some(format!("rounds: {}", self.rounds)),
        ];
        let known = |facts: &[Option<String>]| facts.iter().flatten().cloned().collect();
        [known(&machine), known(&program)]
    }

    /// What was solved.
    fn problem(&self) -> String {
        match (self.workload, self.limit) {
            (Workload::Rating, _) => "ratings on the scale of Sudoku Explainer 1.2.1".to_owned(),
            (_, 1) => "one solution of each puzzle (--limit 1)".to_owned(),
            (_, 2) => "one solution of each puzzle and a proof whether it is unique (--limit 2)".to_owned(),
            (_, n) => format!("the number of solutions of each puzzle, up to {n}"),
        }
    }

    /// Warnings about results that are not reliable.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings: Vec<_> = self.busy_machine().into_iter().collect();
        for dataset in &self.datasets {
            let rates = dataset.reports().filter_map(|r| Some((&r.name, r.puzzles_per_second.as_ref()?)));
            let rates: Vec<_> = rates.collect();
            let file = &dataset.file;
            let rounds = rates.iter().map(|(_, rates)| rates.rounds.len()).min().unwrap_or(self.rounds);
            if rounds < self.rounds {
                warnings.push(format!("{file}: interrupted after {rounds} of {} rounds", self.rounds));
            }
            let noisy = rates.iter().filter(|(_, rates)| rates.spread > MAX_SPREAD);
            let noisy = noisy.map(|(name, rates)| format!("{name} ({})", percent(rates.spread))).collect();
            let starting = dataset.rivals.iter().filter_map(|report| {
                let seconds = dataset.records as f64 / report.puzzles_per_second.as_ref()?.median;
                let share = report.rival.as_ref()?.startup_ms? / 1e3 / seconds;
                (share > MAX_STARTUP).then(|| format!("{} ({})", report.name, percent(share.min(1.0))))
            });
            let groups: [(&str, Vec<_>); 2] = [
                ("large spread of the rounds", noisy),
                ("the file is too short, start-up takes much of the time", starting.collect()),
            ];
            for (what, names) in groups.iter().filter(|(_, names)| !names.is_empty()) {
                warnings.push(format!("{file}: {what}: {}", names.join(", ")));
            }
        }
        warnings
    }

    fn busy_machine(&self) -> Option<String> {
        let [load, ..] = self.load_at_start?;
        let entries = self.datasets.iter().flat_map(Dataset::reports).filter_map(|r| r.entry.as_ref());
        let threads = entries.map(|entry| entry.threads).max()?;
        let cores = self.machine.threads;
        (load + threads as f64 > cores as f64 + 0.5).then(|| {
            format!(
                "the load average was {load:.2} at the start: other programs competed for the {cores} hardware threads"
            )
        })
    }

    /// The explanations of the columns of all tables.
    pub fn notes(&self) -> Vec<String> {
        let groups: Vec<_> = self.datasets.iter().flat_map(Dataset::groups).collect();
        let is_shown = |column: &str| groups.iter().any(|group| group.head.contains(&column));
        let ratios = self.datasets.iter().flat_map(Dataset::reports).filter_map(|r| r.ratio_to_first);
        let confidence = ratios.map(|ratio| ratio.confidence).find(|&confidence| confidence > 0.0);
        let interval = confidence.map_or(String::new(), |confidence| {
            format!("; interval: with a confidence of {}, by the sign test", percent(confidence))
        });
        let notes = COLUMNS.iter().filter(|(column, note, _)| !note.is_empty() && is_shown(column));
        notes
            .map(|(column, note, _)| match *column {
                "speed" => format!("speed: {note}{interval}"),
                _ => format!("{column}: {note}"),
            })
            .collect()
    }
}

/// A table, whose first row the others are compared with, and a bar for each rate. The head of the first column says
/// what is timed.
pub struct Group {
    pub head: Vec<&'static str>,
    pub rows: Vec<Vec<String>>,
    pub bars: Vec<Bar>,
}

impl Dataset {
    /// The name, and how many records have which status.
    pub fn title(&self) -> String {
        let records = if self.records == 1 { "record" } else { "records" };
        let counts = self.results[0].entry.as_ref().map(|entry| entry.counts).unwrap_or_default();
        let statuses = statuses(&counts).map(|(status, n)| format!("{} {status}", count(n as usize)));
        let statuses = statuses.collect::<Vec<_>>().join(", ");
        format!("{}: {} {records} ({statuses})", self.file, count(self.records))
    }

    /// What is wrong with rivals, how the others compare, and the rate of the fastest entry. Names are not escaped.
    pub fn sentences(&self, workload: Workload) -> Vec<String> {
        let mut sentences: Vec<_> = self.problems().collect();
        for report in &self.rivals {
            if let Some(ratio) = report.ratio_to_first {
                let first = if report.is_command() { Rival::OWN } else { &self.results[0].name };
                sentences.push(comparison(first, &report.name, ratio));
            }
        }
        sentences.push(self.fastest(workload));
        sentences
    }

    /// What is wrong with rivals.
    pub fn problems(&self) -> impl Iterator<Item = String> {
        self.rivals.iter().filter_map(|report| Some(format!("{} {}", report.name, report.problem()?)))
    }

    fn fastest(&self, workload: Workload) -> String {
        let rated = self.results.iter().filter_map(|report| Some((report, report.puzzles_per_second.as_ref()?)));
        let Some((report, rates)) = rated.max_by(|a, b| a.1.median.total_cmp(&b.1.median)) else {
            return "no entry answered any puzzle".to_owned();
        };
        let verb = if workload == Workload::Rating { "rates" } else { "solves" };
        let mut sentence = format!("{} {verb} {} puzzles per second", report.name, human(rates.median));
        let ratio = Ratio::of(&rates.rounds, &vec![1.0; rates.rounds.len()]);
        sentence += &ratio.map_or(String::new(), |ratio| interval(ratio, human));
        if let Some(threads @ 2..) = report.entry.as_ref().map(|entry| entry.threads) {
            sentence += &format!(", {} per thread", human(rates.median / threads as f64));
        }
        sentence
    }

    /// The entries, then the rivals.
    fn reports(&self) -> impl Iterator<Item = &Report> {
        self.results.iter().chain(&self.rivals)
    }

    /// The tables: of the entries and rivals that are timed in memory, and of commands.
    pub fn groups(&self) -> Vec<Group> {
        let (commands, own): (Vec<_>, Vec<_>) = self.reports().partition(|report| report.is_command());
        let groups = [("in memory", own), ("as a command", commands)].into_iter();
        groups.filter(|(_, all)| !all.is_empty()).map(|(title, all)| Group::new(title, &all)).collect()
    }
}

/// A column of a table: its name, what it means, and its text for those that have one.
type Column = (&'static str, &'static str, fn(&Report) -> Option<String>);

/// The columns after the first. Empty ones are left out.
const COLUMNS: [Column; 9] = [
    ("puzzles/s", "", |r| Some(r.puzzles_per_second.as_ref().map_or("-".to_owned(), |rates| human(rates.median)))),
    ("spread", "the range of the rounds over their median", |r| Some(percent(r.puzzles_per_second.as_ref()?.spread))),
    ("speed", "the median of the ratios of consecutive rounds to those of the first row", |r| {
        Some(speed(r.ratio_to_first?)[0].clone())
    }),
    ("interval", "", |r| Some(speed(r.ratio_to_first?)[1].clone())),
    ("given up", "puzzles that reached the cap on guesses: they take time, but do not count in the rate", |r| {
        Some(r.entry.as_ref()?.counts.gave_up).filter(|n| *n > 0).map(|n| count(n as usize).to_string())
    }),
    ("guesses", "the mean per puzzle", |r| Some(human(r.entry.as_ref()?.guesses_per_puzzle))),
    (
        "outcomes",
        "a hash of all statuses, solutions, numbers of solutions and guesses; equal hashes mean equal outcomes, on any machine",
        |r| Some(r.entry.as_ref()?.outcomes_hash.clone()),
    ),
    ("start-up", "the time of the command on an empty file; the rate includes it", |r| {
        Some(format!("{:.1} ms", r.rival.as_ref()?.startup_ms?))
    }),
    ("answers", "what the command printed for each record, which was checked", |r| {
        let rival = r.rival.as_ref()?;
        Some(match rival.answers.filter(|_| rival.problem.is_none()) {
            None => "refused".to_owned(),
            Some(Answers::Solutions) => "solutions".to_owned(),
            Some(Answers::Counts) => "counts".to_owned(),
            Some(Answers::Ratings { different }) => format!("ratings, {different} different"),
        })
    }),
];

impl Group {
    /// A table of some reports.
    fn new(title: &'static str, reports: &[&Report]) -> Group {
        let is_used = |(.., text): &&Column| reports.iter().any(|report| text(report).is_some());
        let used: Vec<_> = COLUMNS.iter().filter(is_used).collect();
        let row = |report: &&Report| {
            let cells = used.iter().map(|(.., text)| text(report).unwrap_or_default());
            [report.name.clone()].into_iter().chain(cells).collect()
        };
        let bar = |report: &&Report| {
            let Rates { median, rounds, .. } = report.puzzles_per_second.as_ref()?;
            let (label, number) = (report.name.clone(), human(*median));
            Some(Bar { label, number, length: *median, values: rounds.clone() })
        };
        Group {
            head: [title].into_iter().chain(used.iter().map(|(name, ..)| *name)).collect(),
            rows: reports.iter().map(row).collect(),
            bars: reports.iter().filter_map(bar).collect(),
        }
    }
}

/// A ratio and its interval: `2.00× slower` and `1.60 to 2.50×`.
fn speed(ratio: Ratio) -> [String; 2] {
    let (ratio, word) = if ratio.high < 1.0 { (ratio.recip(), "slower") } else { (ratio, "faster") };
    let interval = format!("{} to {}×", multiple(ratio.low), multiple(ratio.high));
    if ratio.is_difference() {
        [format!("{}× {word}", multiple(ratio.median)), interval]
    } else {
        ["no difference".to_owned(), interval]
    }
}

/// Compares `name` with the first row in words. `ratio` is that of `name` to the first row.
fn comparison(first: &str, name: &str, ratio: Ratio) -> String {
    let (fast, slow, ratio) = if ratio.high < 1.0 { (first, name, ratio.recip()) } else { (name, first, ratio) };
    let interval = interval(ratio, multiple);
    if ratio.is_difference() {
        format!("{fast} is {} times as fast as {slow}{interval}", multiple(ratio.median))
    } else {
        format!("no difference between {first} and {name}{interval}")
    }
}

fn interval(Ratio { low, high, confidence, .. }: Ratio, number: fn(f64) -> String) -> String {
    match confidence {
        ..=0.0 => String::new(),
        _ => format!(" ({} confidence: {} to {})", percent(confidence), number(low), number(high)),
    }
}
