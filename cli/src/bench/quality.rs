//! What a reader needs to judge results: the machine, warnings about results that are not reliable, and a sentence that
//! summarises the results on a dataset.

use super::number::{count, human, multiple, percent};
use super::{Dataset, Ratio, Report, ResultRow, Session};

/// A larger spread of the rounds is worth a warning.
const MAX_SPREAD: f64 = 0.1;

/// Warnings about results that are not reliable: one for a machine that was busy, and three for each dataset, for an interrupted
/// measurement, for rows with a large spread and for outliers. Names are not escaped.
pub fn warnings(session: &Session) -> Vec<String> {
    let mut warnings: Vec<_> = busy_machine(session).into_iter().collect();
    for (dataset, rows) in session.by_dataset() {
        let own = rows.iter().map(|row| (&*row.name, row.report.puzzles_per_second.as_ref()));
        let rivals = dataset.rivals.iter().map(|rival| (&*rival.name, Some(&rival.puzzles_per_second)));
        let rates: Vec<_> = own.chain(rivals).filter_map(|(name, rates)| Some((name, rates?))).collect();
        let rounds = rates.iter().map(|(_, rates)| rates.rounds.len()).min().unwrap_or(session.rounds);
        if rounds < session.rounds {
            let file = &dataset.file;
            warnings.push(format!("{file}: interrupted after {rounds} of {} rounds", session.rounds));
        }
        let spreads = rates.iter().map(|(name, rates)| (*name, rates.spread));
        let spreads: Vec<_> = spreads.filter(|(_, spread)| *spread > MAX_SPREAD).collect();
        if let Some((name, spread)) = spreads.iter().max_by(|a, b| a.1.total_cmp(&b.1)) {
            let spread = percent(*spread);
            warnings.push(match spreads.len() {
                1 => format!("{}, {name}: the rounds spread over {spread} of their median", dataset.file),
                n => format!(
                    "{}: the rounds of {n} of {} rows spread over more than {} of their median, most those of \
                     {name} ({spread})",
                    dataset.file,
                    rates.len(),
                    percent(MAX_SPREAD)
                ),
            });
        }
        let outliers = rates.iter().map(|(name, rates)| (name, rates.outliers()));
        let outliers: Vec<_> =
            outliers.filter(|(_, n)| *n > 0).map(|(name, n)| format!("{name} ({n})")).collect();
        if !outliers.is_empty() {
            warnings.push(format!("{}: some rounds are outliers: {}", dataset.file, outliers.join(", ")));
        }
    }
    warnings
}

fn busy_machine(session: &Session) -> Option<String> {
    let [load, ..] = session.load_at_start?;
    let threads = session.results.iter().map(|row| row.threads).max()?;
    let cores = session.machine.threads;
    (load + threads as f64 > cores as f64 + 0.5).then(|| {
        format!(
            "the load average was {load:.2} at the start: other programs competed for the {cores} hardware threads"
        )
    })
}

/// The machine and what it was doing, a phrase for each fact that is known.
pub fn machine(session: &Session) -> Vec<String> {
    let machine = &session.machine;
    let facts = [
        Some(machine.cpu.clone()),
        machine.cpu_model.clone(),
        Some(format!("hardware threads: {}", machine.threads)),
        Some(machine.system.clone()),
        machine.kernel.as_ref().map(|kernel| format!("kernel {kernel}")),
        machine.governor.as_ref().map(|governor| format!("governor {governor}")),
        load(session),
    ];
    facts.into_iter().flatten().collect()
}

/// The version of the program, and where it came from as far as that is known.
pub fn program(session: &Session) -> Vec<String> {
    let facts = [
        Some(format!("rapidoku {}", session.version)),
        session.revision.as_ref().map(|revision| format!("revision {revision}")),
        session.compiler.clone(),
    ];
    facts.into_iter().flatten().collect()
}

/// The load average at the start and at the end, if it is known.
pub fn load(session: &Session) -> Option<String> {
    let [start, ..] = session.load_at_start?;
    Some(match session.load_at_end {
        Some([end, ..]) => format!("load average {start:.2} at the start, {end:.2} at the end"),
        None => format!("load average {start:.2} at the start"),
    })
}

/// The fastest entry on a dataset, and the confidence interval of its rate.
pub struct Best<'s> {
    /// The entry.
    pub row: &'s ResultRow,
    /// `5.26 M puzzles per second (98.4 % confidence: 5.20 M to 5.31 M)`, and how many per thread if there are several.
    pub rate: String,
}

/// The fastest entry. `None` if all gave up on everything.
pub fn best<'s>(dataset: &Dataset, rows: &'s [ResultRow]) -> Option<Best<'s>> {
    let median = |row: &ResultRow| row.report.puzzles_per_second.as_ref().map(|rates| rates.median);
    let answering = rows.iter().filter_map(|row| Some((row, median(row)?)));
    let (row, _) = answering.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let Report { puzzles_per_second, records, .. } = &row.report;
    let rates = puzzles_per_second.as_ref()?;
    let mut rate = format!("{} puzzles per second", human(rates.median));
    let interval = rates.interval();
    if interval.confidence > 0.0 {
        let (low, high) = (human(interval.low), human(interval.high));
        rate += &format!(" ({} confidence: {low} to {high})", percent(interval.confidence));
    }
    if row.threads > 1 {
        rate += &format!(", {} per thread", human(rates.median / row.threads as f64));
    }
    if *records < dataset.records {
        rate += &format!(" on {} of the records", count(*records));
    }
    if rows.len() > 1 {
        rate += &format!(", the fastest of {} entries", rows.len());
    }
    Some(Best { row, rate })
}

/// How the fastest entry compares with each rival, or with the second fastest entry if there are none: `avx512 is 207 times as
/// fast as mine (98.4 % confidence: 201 to 214)`. Names are not escaped.
pub fn comparisons(dataset: &Dataset, rows: &[ResultRow]) -> Vec<String> {
    let Some(best) =
        best(dataset, rows).and_then(|best| Some((best.row, best.row.report.puzzles_per_second.as_ref()?)))
    else {
        return Vec::new();
    };
    let (row, rates) = best;
    let rivals = dataset.rivals.iter().map(|rival| {
        let how = if rival.startup_ms.is_some() { ", timed as a whole command" } else { "" };
        sentence(&row.name, &rival.name, how, Ratio::of(&rates.rounds, &rival.puzzles_per_second.rounds))
    });
    let rivals: Vec<_> = rivals.collect();
    if !rivals.is_empty() {
        return rivals;
    }
    let others = rows.iter().filter(|other| other.name != row.name);
    let others = others.filter_map(|other| Some((other, other.report.puzzles_per_second.as_ref()?)));
    let second = others.max_by(|a, b| a.1.median.total_cmp(&b.1.median));
    let second = second.map(|(other, slower)| {
        sentence(&row.name, &other.name, "", Ratio::of(&rates.rounds, &slower.rounds))
    });
    second.into_iter().collect()
}

fn sentence(name: &str, other: &str, how: &str, ratio: Ratio) -> String {
    let Ratio { median, low, high, confidence } = ratio;
    let is_slower = high < 1.0;
    let [median, low, high] =
        if is_slower { [median, high, low].map(f64::recip) } else { [median, low, high] };
    let interval = match confidence {
        ..=0.0 => String::new(),
        _ => format!(" ({} confidence: {} to {})", percent(confidence), multiple(low), multiple(high)),
    };
    let factor = multiple(median);
    match ratio.is_difference() {
        true if is_slower => format!("{other}{how} is {factor} times as fast as {name}{interval}"),
        true => format!("{name} is {factor} times as fast as {other}{how}{interval}"),
        false => format!("no difference between {name} and {other}{how}{interval}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Benchmark, Entry, Workload};
    use super::*;
    use crate::bench::report::Rates;
    use crate::solver::SolverKind;
    use rapidoku::{Limits, file::Unfinished};

    /// A session with one result, whose rounds have these rates.
    fn session(rounds: Vec<f64>) -> Session {
        let benchmark = Benchmark {
            entries: vec![Entry::solver(SolverKind::Scalar, Limits::UNIQUE, 1)],
            rivals: Vec::new(),
            warmup: 0,
            rounds: 1,
            unfinished: Unfinished::default(),
            on_step: &|_| {},
        };
        let text = include_bytes!("../../../datasets/classics.txt");
        let mut report = benchmark.run(text).unwrap().reports.remove(0);
        report.puzzles_per_second = Some(Rates::of(rounds));
        let mut session = Session::new(Workload::Solving, 2, 0, 1);
        session.load_at_start = None;
        session.results.push(ResultRow {
            file: "file".into(),
            name: "scalar".into(),
            engine: "scalar".into(),
            simd: None,
            threads: 1,
            max_guesses: None,
            report,
        });
        let (file, hash) = ("file".into(), String::new());
        session.datasets.push(Dataset {
            file,
            records: 4,
            entries: 1,
            hash,
            rivals: Vec::new(),
            difficulty: None,
        });
        session
    }

    #[test]
    fn warns_about_spread_and_outliers_only() {
        assert_eq!(warnings(&session(vec![100.0, 105.0, 109.0])), [""; 0]);
        let mut interrupted = session(vec![100.0, 105.0, 109.0]);
        interrupted.rounds = 7;
        assert_eq!(warnings(&interrupted), ["file: interrupted after 3 of 7 rounds"]);
        assert_eq!(
            warnings(&session(vec![100.0, 105.0, 120.0])),
            ["file, scalar: the rounds spread over 19.0 % of their median"]
        );
        assert_eq!(
            warnings(&session(vec![100.0, 101.0, 99.0, 100.0, 102.0, 98.0, 93.0])),
            ["file: some rounds are outliers: scalar (1)"]
        );
        let mut two = session(vec![100.0, 105.0, 120.0]);
        let mut other = session(vec![100.0, 105.0, 140.0]).results.remove(0);
        other.name = "lanes".into();
        two.results.push(other);
        two.datasets[0].entries = 2;
        assert_eq!(
            warnings(&two),
            [
                "file: the rounds of 2 of 2 rows spread over more than 10.0 % of their median, most those of lanes (38.1 %)"
            ]
        );
    }

    #[test]
    fn warns_about_a_busy_machine() {
        let mut session = session(vec![1.0]);
        session.machine.threads = 2;
        session.load_at_start = Some([0.9, 5.0, 5.0]);
        assert_eq!(warnings(&session), [""; 0]);
        session.load_at_start = Some([1.6, 0.0, 0.0]);
        assert!(warnings(&session)[0].contains("load average was 1.60"));
        session.load_at_end = Some([2.0, 0.0, 0.0]);
        assert_eq!(load(&session).unwrap(), "load average 1.60 at the start, 2.00 at the end");
    }

    #[test]
    fn the_sentence_has_the_interval() {
        let session = session(vec![98.0, 100.0, 104.0, 99.0, 101.0, 97.0, 103.0]);
        let best = best(&session.datasets[0], &session.results).unwrap();
        assert_eq!(best.row.name, "scalar");
        assert_eq!(best.rate, "100 puzzles per second (98.4 % confidence: 97.0 to 104)");
    }

    #[test]
    fn a_ratio_whose_interval_contains_1_is_no_difference() {
        let of =
            |low, high| sentence("lanes", "mine", "", Ratio { median: 207.0, low, high, confidence: 0.984 });
        assert_eq!(of(201.0, 214.0), "lanes is 207 times as fast as mine (98.4 % confidence: 201 to 214)");
        assert_eq!(
            sentence("lanes", "mine", "", Ratio { median: 0.5, low: 0.4, high: 0.8, confidence: 0.984 }),
            "mine is 2.00 times as fast as lanes (98.4 % confidence: 1.25 to 2.50)"
        );
        assert_eq!(of(0.9, 214.0), "no difference between lanes and mine (98.4 % confidence: 0.90 to 214)");
    }
}
