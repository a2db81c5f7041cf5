//! What a reader should know about results: where they come from, warnings, a sentence for each comparison, and tables.

use rapidoku::Status;
use rapidoku::file::Counts;

use super::answers::Answers;
use super::rival::Rival;
use super::{Dataset, Rates, Ratio, Report, RivalReport, Session, Workload};
use crate::number::{count, human, multiple, percent};
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
            let own = dataset.results.iter().map(|report| (&report.name, &report.puzzles_per_second));
            let rivals = dataset.rivals.iter().map(|report| (&report.rival.name, &report.puzzles_per_second));
            let rates: Vec<_> =
                own.chain(rivals).filter_map(|(name, rates)| Some((name, rates.as_ref()?))).collect();
            let file = &dataset.file;
            let rounds = rates.iter().map(|(_, rates)| rates.rounds.len()).min().unwrap_or(self.rounds);
            if rounds < self.rounds {
                warnings.push(format!("{file}: interrupted after {rounds} of {} rounds", self.rounds));
            }
            let noisy = rates.iter().filter(|(_, rates)| rates.spread > MAX_SPREAD);
            let noisy: Vec<_> =
                noisy.map(|(name, rates)| format!("{name} ({})", percent(rates.spread))).collect();
            if !noisy.is_empty() {
                warnings.push(format!("{file}: large spread of the rounds: {}", noisy.join(", ")));
            }
            let starting = dataset.rivals.iter().filter_map(|report| {
                let seconds = dataset.records as f64 / report.puzzles_per_second.as_ref()?.median;
                let share = report.startup_ms? / 1e3 / seconds;
                (share > MAX_STARTUP).then(|| format!("{} ({})", report.rival.name, percent(share.min(1.0))))
            });
            let starting: Vec<_> = starting.collect();
            if !starting.is_empty() {
                let names = starting.join(", ");
                warnings
                    .push(format!("{file}: the file is too short, start-up takes much of the time: {names}"));
            }
        }
        warnings
    }

    fn busy_machine(&self) -> Option<String> {
        let [load, ..] = self.load_at_start?;
        let threads =
            self.datasets.iter().flat_map(|dataset| &dataset.results).map(|report| report.threads).max()?;
        let cores = self.machine.threads;
        (load + threads as f64 > cores as f64 + 0.5).then(|| {
            format!("the load average was {load:.2} at the start: other programs competed for the {cores} hardware threads")
        })
    }

    /// The explanations of the columns of all tables.
    pub fn notes(&self) -> Vec<String> {
        let groups: Vec<_> = self.datasets.iter().flat_map(Dataset::groups).collect();
        let is_shown = |column: &str| groups.iter().any(|group| group.head.contains(&column));
        let ratios = self.datasets.iter().flat_map(Dataset::ratios);
        let confidence = ratios.map(|ratio| ratio.confidence).find(|&confidence| confidence > 0.0);
        let interval = confidence.map_or(String::new(), |confidence| {
            format!("; interval: with a confidence of {}, by the sign test", percent(confidence))
        });
        let notes = COLUMNS.iter().filter(|(column, note)| !note.is_empty() && is_shown(column));
        notes
            .map(|(column, note)| match *column {
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
        let statuses = statuses(self.results[0].counts);
        format!("{}: {} {records} ({statuses})", self.file, count(self.records))
    }

    /// What is wrong with rivals, how the others compare, and the rate of the fastest entry. Names are not escaped.
    pub fn sentences(&self, workload: Workload) -> Vec<String> {
        let mut sentences: Vec<_> = self.problems().collect();
        for RivalReport { rival, ratio_to_first, .. } in &self.rivals {
            if let Some(ratio) = ratio_to_first {
                let first = if rival.is_command() { Rival::OWN } else { &self.results[0].name };
                sentences.push(comparison(first, &rival.name, *ratio));
            }
        }
        sentences.push(self.fastest(workload));
        sentences
    }

    /// What is wrong with rivals.
    pub fn problems(&self) -> impl Iterator<Item = String> {
        let problem =
            |report: &RivalReport| Some(format!("{} {}", report.rival.name, report.problem.as_ref()?));
        self.rivals.iter().filter_map(problem)
    }

    fn fastest(&self, workload: Workload) -> String {
        let rated =
            self.results.iter().filter_map(|report| Some((report, report.puzzles_per_second.as_ref()?)));
        let Some((report, rates)) = rated.max_by(|a, b| a.1.median.total_cmp(&b.1.median)) else {
            return "no entry answered any puzzle".to_owned();
        };
        let verb = if workload == Workload::Rating { "rates" } else { "solves" };
        let mut sentence = format!("{} {verb} {} puzzles per second", report.name, human(rates.median));
        sentence += &interval(rates.interval(), human);
        if report.threads > 1 {
            sentence += &format!(", {} per thread", human(rates.median / report.threads as f64));
        }
        sentence
    }

    fn ratios(&self) -> impl Iterator<Item = Ratio> {
        let own = self.results.iter().filter_map(|report| report.ratio_to_first);
        own.chain(self.rivals.iter().filter_map(|rival| rival.ratio_to_first))
    }

    /// The tables: of the entries and rivals that are timed in memory, and of commands.
    pub fn groups(&self) -> Vec<Group> {
        let (commands, others): (Vec<_>, Vec<_>) =
            self.rivals.iter().partition(|report| report.rival.is_command());
        let own = self.results.iter().map(row_of_entry).chain(others.into_iter().map(row_of_rival)).collect();
        let commands = commands.into_iter().map(row_of_rival).collect();
        let groups = [("in memory", own), ("as a command", commands)];
        groups.into_iter().filter_map(|(title, rows)| Group::new(title, rows)).collect()
    }
}

/// The columns of a table after the first, and what they mean. Empty ones are left out.
const COLUMNS: [(&str, &str); 9] = [
    ("puzzles/s", ""),
    ("spread", "the range of the rounds over their median"),
    ("speed", "the median of the ratios of consecutive rounds to those of the first row"),
    ("interval", ""),
    ("given up", "puzzles that reached the cap on guesses: they take time, but do not count in the rate"),
    ("guesses", "the mean per puzzle"),
    (
        "outcomes",
        "a hash of all statuses, solutions, numbers of solutions and guesses; equal hashes mean equal outcomes, on any machine",
    ),
    ("start-up", "the time of the command on an empty file; the rate includes it"),
    ("answers", "what the command printed for each record, which was checked"),
];

/// The cells of a row, and its bar.
type Row = (Vec<String>, Option<Bar>);

fn row(name: &str, rates: Option<&Rates>, ratio: Option<Ratio>, more: [String; 5]) -> Row {
    let [speed, interval] = ratio.map_or([const { String::new() }; 2], speed);
    let rate = rates.map_or("-".to_owned(), |rates| human(rates.median));
    let spread = rates.map_or(String::new(), |rates| percent(rates.spread));
    let bar = rates.map(|rates| Bar {
        label: name.to_owned(),
        number: rate.clone(),
        length: rates.median,
        values: rates.rounds.clone(),
    });
    ([name.to_owned(), rate, spread, speed, interval].into_iter().chain(more).collect(), bar)
}

fn row_of_entry(report: &Report) -> Row {
    let gave_up = report.counts.gave_up;
    let given_up = if gave_up > 0 { count(gave_up as usize).to_string() } else { String::new() };
    let guesses = human(report.guesses_per_puzzle);
    let more = [given_up, guesses, report.outcomes_hash.clone(), String::new(), String::new()];
    row(&report.name, report.puzzles_per_second.as_ref(), report.ratio_to_first, more)
}

fn row_of_rival(report: &RivalReport) -> Row {
    let answers = match report.answers {
        _ if report.problem.is_some() => "refused".to_owned(),
        Some(Answers::Solutions) => "solutions".to_owned(),
        Some(Answers::Counts) => "counts".to_owned(),
        Some(Answers::Ratings { different }) => format!("ratings, {different} different"),
        None => String::new(),
    };
    let startup = report.startup_ms.map_or(String::new(), |ms| format!("{ms:.1} ms"));
    let more = [String::new(), String::new(), String::new(), startup, answers];
    row(&report.rival.name, report.puzzles_per_second.as_ref(), report.ratio_to_first, more)
}

impl Group {
    /// A table of at least one row; `None` without rows.
    fn new(title: &'static str, rows: Vec<Row>) -> Option<Group> {
        let (cells, bars): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        let head: Vec<_> = [title].into_iter().chain(COLUMNS.map(|(name, _)| name)).collect();
        let used: Vec<_> = (0..head.len()).filter(|&k| cells.iter().any(|row| !row[k].is_empty())).collect();
        let rows = cells.iter().map(|row| used.iter().map(|&k| row[k].clone()).collect()).collect();
        (!cells.is_empty()).then(|| Group {
            head: used.iter().map(|&k| head[k]).collect(),
            rows,
            bars: bars.into_iter().flatten().collect(),
        })
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
    let (fast, slow, ratio) =
        if ratio.high < 1.0 { (first, name, ratio.recip()) } else { (name, first, ratio) };
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

/// The counts that are not 0: `3 unique, 1 invalid`.
fn statuses(counts: Counts) -> String {
    let Counts { solved, unique, multiple, none, invalid, gave_up } = counts;
    let named = Status::ALL.into_iter().zip([solved, unique, multiple, none, invalid, gave_up]);
    let occurring = named.filter(|&(_, count)| count > 0);
    occurring.map(|(status, n)| format!("{} {status}", count(n as usize))).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(name: &str, rounds: &[f64]) -> Report {
        Report {
            name: name.to_owned(),
            threads: 2,
            counts: Counts { unique: 1234, invalid: 1, ..Counts::default() },
            outcomes_hash: "hash".to_owned(),
            puzzles_per_second: (!rounds.is_empty()).then(|| Rates::of(rounds.to_vec())),
            ..Report::default()
        }
    }

    fn session(results: Vec<Report>, load: f64) -> Session {
        let (file, hash) = ("file".to_owned(), String::new());
        let dataset = Dataset { file, records: 1235, hash, results, rivals: Vec::new() };
        let mut session = Session::new(Workload::Solving, 2, 3);
        session.machine.threads = 4;
        session.load_at_start = Some([load, 9.0, 9.0]);
        Session { datasets: vec![dataset], ..session }
    }

    #[test]
    fn warnings_are_about_a_busy_machine_spread_and_interruption() {
        assert_eq!(session(vec![report("a", &[100.0, 105.0, 109.0])], 2.4).warnings(), [""; 0]);
        let all = session(vec![report("a", &[100.0, 120.0]), report("b", &[100.0, 101.0])], 2.6).warnings();
        assert!(all[0].starts_with("the load average was 2.60 at the start"), "{all:?}");
        assert_eq!(
            all[1..],
            ["file: interrupted after 2 of 3 rounds", "file: large spread of the rounds: a (18.2 %)"]
        );
    }

    #[test]
    fn the_fastest_entry_has_its_interval_and_the_rate_of_a_thread() {
        let rounds = [98.0, 100.0, 104.0, 99.0, 101.0, 97.0, 103.0];
        let session = session(vec![report("a", &[5.0]), report("b", &rounds), report("c", &[])], 0.0);
        let dataset = &session.datasets[0];
        assert_eq!(dataset.title(), "file: 1,235 records (1,234 unique, 1 invalid)");
        assert_eq!(
            dataset.sentences(Workload::Solving),
            ["b solves 100 puzzles per second (98.4 % confidence: 97.0 to 104), 50.0 per thread"]
        );
        let [group] = &dataset.groups()[..] else { panic!("one table") };
        assert_eq!(group.head, ["in memory", "puzzles/s", "spread", "guesses", "outcomes"]);
        assert_eq!(group.rows[2], ["c", "-", "", "0.00", "hash"]);
    }

    #[test]
    fn ratios_are_faster_slower_or_no_difference() {
        for ([median, low, high], difference, interval, sentence) in [
            ([0.5, 0.4, 0.625], "2.00× slower", "1.60 to 2.50", "a is 2.00 times as fast as b"),
            ([62.0, 60.0, 104.2], "62.0× faster", "60.0 to 104", "b is 62.0 times as fast as a"),
            ([1.01, 0.8, 1.2], "no difference", "0.80 to 1.20", "no difference between a and b"),
        ] {
            let ratio = Ratio { median, low, high, confidence: 0.984 };
            assert_eq!(speed(ratio), [difference.to_owned(), format!("{interval}×")]);
            let sentence = format!("{sentence} (98.4 % confidence: {interval})");
            assert_eq!(comparison("a", "b", ratio), sentence);
        }
    }
}
