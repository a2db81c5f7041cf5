//! A benchmark gives no time without a right answer, and the same answers for every number of threads, batch size and
//! level.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use rapidoku::file::{Counts, Input, InputOptions, Unfinished};
use rapidoku::outcome::PuzzleSlice;
use rapidoku::{Outcome, Outcomes, SimdLevel, Solution, Status};
use rapidoku_cli::bench::{self, BenchError, Benchmark, Dataset, Entry};
use rapidoku_jobs::historical::Historical;
use rapidoku_jobs::solver::SolverKind;

use crate::samples::{SAMPLE, up_to};
use crate::support::{call, drop_last_outcome, edit_outcome, file, root};

/// Unique, many solutions, none, clashing clues, malformed, and lines that are no records.
const RECORDS: &str = "\
# two classics
53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..

.................................................................................
1........23......................................................................
5168497323.76.5...8.97...65135.6.9.7472591..696837..5.253186.746842.75..791.5.6.8
11...............................................................................
not a puzzle
";

fn run<'a>(entries: impl IntoIterator<Item = Entry<'a>>, text: &str) -> Result<Dataset, BenchError> {
    let benchmark = Benchmark {
        entries: entries.into_iter().collect(),
        rivals: Vec::new(),
        timeout: Duration::from_secs(60),
        rounds: 2,
        unfinished: Unfinished::default(),
        on_step: &|_, _| {},
    };
    benchmark.run("file", &text.into())
}

fn of(engine: SolverKind) -> Entry<'static> {
    Entry::solver(engine, up_to(2), 1)
}

fn scalar() -> Entry<'static> {
    of(SolverKind::Scalar)
}

/// The scalar solver, spoilt.
fn liar<'a>(spoil: impl Fn(&mut Outcomes) + Sync + 'a) -> Entry<'a> {
    Entry::new("liar", move |given: PuzzleSlice, limits, outcomes: &mut Outcomes| {
        SolverKind::Scalar.solve(given, limits, outcomes);
        spoil(outcomes);
    })
}

#[test]
fn all_engines_agree_and_are_compared_with_the_first() {
    let historical = Historical::ALL.into_iter().filter(|engine| engine.name != "twenty-line");
    let historical = historical.map(SolverKind::Historical);
    let engines = [SolverKind::Lanes(SimdLevel::detect()), SolverKind::Scalar].into_iter().chain(historical);
    // The last two cells of the hard puzzle would take some of them hours.
    let easy: String = RECORDS.split_inclusive('\n').filter(|line| !line.starts_with("8.")).collect();
    let found = run(engines.map(of), &easy).expect("right answers");
    assert_eq!((found.records, found.results.len()), (6, 8));
    let counts = Counts { unique: 1, multiple: 2, none: 1, invalid: 2, ..Counts::default() };
    for (k, report) in found.results.iter().enumerate() {
        assert_eq!(report.entry.as_ref().unwrap().counts, counts, "{}", report.name);
        let rates = report.puzzles_per_second.as_ref().unwrap();
        assert!(rates.rounds.len() == 2 && 0.0 < rates.min && rates.min <= rates.median);
        assert_eq!(report.ratio_to_first.is_some(), k > 0);
    }
    let rounds = |k: usize| &found.results[k].puzzles_per_second.as_ref().unwrap().rounds;
    let pairs = [rounds(1)[0] / rounds(0)[0], rounds(1)[1] / rounds(0)[1]];
    let ratio = found.results[1].ratio_to_first.unwrap();
    assert_eq!((ratio.low, ratio.high), (pairs[0].min(pairs[1]), pairs[0].max(pairs[1])));
}

#[test]
fn the_hash_depends_on_the_outcomes_alone() {
    let text = RECORDS.repeat(10);
    let hash = |entry, text: &str| run([entry], text).unwrap().results.remove(0).entry.unwrap().outcomes_hash;
    let expected = hash(scalar(), &text);
    for (threads, batch_bytes) in [(1, 1), (2, 100), (2, 1000), (5, 1), (5, 1 << 20)] {
        let entry = Entry { threads, batch_bytes, ..scalar() };
        assert_eq!(hash(entry, &text), expected, "{threads} threads, batches of {batch_bytes} bytes");
    }
    let turned: Vec<_> = text.lines().rev().collect();
    assert_ne!(hash(scalar(), &turned.join("\n")), expected, "the order of records counts");
}

/// The solution with its first two digits exchanged.
fn swapped(solution: Option<Solution>) -> Option<Solution> {
    let mut cells = *solution?.cells();
    cells.swap(0, 1);
    Solution::from_cells(cells)
}

/// A change of an outcome, whose index comes before it, and the message.
type Lie = (usize, fn(&mut Outcome, &Outcomes), &'static str);

#[test]
fn every_wrong_answer_is_refused() {
    let lies: [Lie; 13] = [
        (1, |outcome, _| outcome.solution = swapped(outcome.solution), "record 2: "),
        // A valid grid, but not of this puzzle.
        (1, |outcome, all| outcome.solution = all.solution(0), "record 2: "),
        (4, |outcome, all| outcome.solution = all.solution(0), "record 5: a row with a solution"),
        // Solutions are counted, but the row is blank.
        (0, |outcome, _| outcome.solution = None, "record 1: the row is not 81 digits"),
        (0, |outcome, _| outcome.status = Status::Multiple, "record 1: status multiple instead of unique"),
        (4, |outcome, _| outcome.status = Status::Invalid, "record 5: "),
        (6, |outcome, _| outcome.status = Status::GaveUp, "record 7: "),
        // There is no cap.
        (2, |outcome, _| outcome.status = Status::GaveUp, "record 3: "),
        (0, |outcome, _| *outcome = Outcome::new(Status::GaveUp, 0, 0), "record 1: "),
        (2, |outcome, _| outcome.solutions = 3, "record 3: 3 solutions, limit 2"),
        (2, |outcome, _| outcome.solutions = 1, "record 3: "),
        // Legal by themselves: an outcome contradicts only those of others.
        (
            2,
            |outcome, _| *outcome = Outcome::new(Status::NoSolution, 0, 0),
            "record 3: scalar says multiple (2 solutions), liar says none (0)",
        ),
        (
            1,
            |outcome, _| *outcome = Outcome::new(Status::NoSolution, 0, 0),
            "record 2: scalar says unique (1 solution), liar says none (0)",
        ),
    ];
    for (k, lie, message) in lies {
        let liar = liar(move |outcomes| {
            let before = outcomes.clone();
            edit_outcome(outcomes, k, |outcome| lie(outcome, &before));
        });
        let refused = run([scalar(), liar], RECORDS).expect_err(message).to_string();
        assert!(refused.starts_with(message) && refused.ends_with("; no time is given"), "{refused}");
    }
    // 999 of a thousand solutions.
    let thousand = |entry| Entry { limits: up_to(1000), ..entry };
    let short = thousand(liar(|outcomes| edit_outcome(outcomes, 2, |outcome| outcome.solutions -= 1)));
    let refused = run([thousand(scalar()), short], RECORDS).expect_err("they differ").to_string();
    assert!(refused.contains("(1,000 solutions), liar says multiple (999)"), "{refused}");
}

#[test]
fn missing_and_changing_outcomes_are_refused() {
    let message = |entries: Vec<Entry>, text| run(entries, text).expect_err("refused").to_string();
    assert!(message(vec![liar(drop_last_outcome)], RECORDS).starts_with("record 7: 6 outcomes for 7 records"));
    let calls = AtomicU64::new(0);
    let moody = liar(|outcomes| {
        edit_outcome(outcomes, 0, |outcome| outcome.guesses = calls.fetch_add(1, Relaxed));
    });
    assert!(message(vec![moody], RECORDS).contains("differ between rounds"));
    // Entries with the same engine must make the same guesses; with other limits they need not.
    let cousin = || Entry {
        engine: "scalar".into(),
        ..liar(|outcomes| edit_outcome(outcomes, 0, |outcome| outcome.guesses += 1))
    };
    assert!(message(vec![scalar(), cousin()], RECORDS).contains("scalar and liar run the same algorithm"));
    assert!(run([scalar(), Entry { limits: up_to(2).max_guesses(1000), ..cousin() }], RECORDS).is_ok());
    for text in ["", "\n\n", "# only a comment\n"] {
        assert!(message(vec![scalar()], text).contains("no records"));
    }
}

#[test]
fn puzzles_that_are_given_up_are_not_compared_and_have_no_rate() {
    let classics = include_str!("../../../datasets/classics.txt");
    let brute_force = SolverKind::Historical(Historical::ALL[1]);
    let tired = Entry::solver(brute_force, up_to(2).max_guesses(10), 1);
    let found = run([tired, scalar()], classics).expect("right answers");
    let counts = |k: usize| found.results[k].entry.as_ref().unwrap().counts;
    assert_eq!((counts(0).gave_up, counts(1).unique), (4, 4));
    assert_eq!((&found.results[0].puzzles_per_second, found.results[1].ratio_to_first), (&None, None));
}

/// The outcomes of the committed sample, guesses included, are part of what the lane engine promises: a
/// change of its search changes this hash, and belongs into the change log.
#[test]
fn the_sample_has_the_same_hash_at_every_level() {
    let sample = root().join("datasets/sample_10k.txt");
    let run = call(&format!("bench --simd all -j 1,3 --limit 2 --rounds 1 --format json {}", sample.display()), b"");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let json = run.json();
    let results = json["datasets"][0]["results"].as_array().unwrap();
    let levels = SimdLevel::available().into_iter().flat_map(|level| [level; 2]);
    assert!(results.iter().map(|row| row["simd"].as_str().unwrap()).eq(levels.map(SimdLevel::name)));
    for row in results {
        assert_eq!(row["outcomes_hash"], "88ad7b9ec77a7d2d", "{row}");
    }
}

#[test]
fn datasets_in_any_input_format() {
    let puzzles: Vec<_> = SAMPLE.lines().take(2000).collect();
    let lines: String = puzzles.iter().flat_map(|puzzle| [puzzle, "\n"]).collect();
    let rows: String = puzzles.iter().map(|puzzle| format!("7,{},\n", puzzle.replace('.', "0"))).collect();
    let csv = format!("id,puzzle,solution\n{rows}");
    let folder = tempfile::tempdir().unwrap();
    for bytes in [
        lines.clone().into_bytes(),
        format!("\u{FEFF}{lines}").into_bytes(),
        zstd::encode_all(csv.as_bytes(), 1).unwrap(),
    ] {
        let path = file(&folder, "in", bytes);
        let loaded = bench::load(&Input::from_operand(path.as_ref()), &InputOptions::default()).unwrap();
        assert!(loaded.lines == lines.as_bytes(), "{}", String::from_utf8_lossy(&loaded.lines[..200]));
    }
    // Records that are none stay records.
    let path = file(&folder, "in", format!("a,b\n1,{}\n2,x\n", puzzles[0]));
    let bad = call(&format!("bench --rounds 1 -j1 --input-format csv --column b {path}"), b"");
    assert!(bad.stdout().contains(": 2 records (1 solved, 1 invalid)"), "{}", bad.stdout());
}
