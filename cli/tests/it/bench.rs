//! A benchmark gives no time without a right answer, and the same answer for every thread and batch.

use std::io::Write;
use std::process::Command;

use rapidoku::file::{Counts, Input, InputOptions};
use rapidoku::{Outcomes, PuzzleSlice, SimdLevel, Solution, Status, Work};
use rapidoku_cli::bench::{self, BenchError, Plan, Report};
use rapidoku_cli::solver::SolverKind;

use crate::samples::up_to;
use crate::support::{ask, drop_last_outcome, edit_outcome, file, words};

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

fn quick() -> Plan {
    Plan { warmup: 0, rounds: 2, ..Plan::default() }
}

fn solve(given: PuzzleSlice, outcomes: &mut Outcomes) -> Work {
    SolverKind::Scalar.solve(given, quick().limits, outcomes)
}

fn report(text: &str, plan: Plan) -> Report {
    bench::run(text.as_bytes(), &plan, solve).expect("right answers")
}

#[test]
fn counts_every_record_once() {
    let report = report(RECORDS, quick());
    assert_eq!(report.records, 7);
    assert_eq!(report.counts, Counts { unique: 2, multiple: 2, none: 1, invalid: 2, ..Counts::default() });
}

#[test]
fn rates_and_shares_are_consistent() {
    let report = report(RECORDS, Plan { rounds: 3, ..quick() });
    let rates = report.puzzles_per_second.as_ref().expect("it answers");
    assert_eq!(rates.rounds.len(), 3);
    assert!(0.0 < rates.min && rates.min <= rates.median && rates.median <= rates.max);
    assert!(rates.rounds.contains(&rates.median));
    assert!((0.0..=1.0).contains(&report.parse_share));
    assert!(report.passes > 1, "so short a text is solved more than once a round");
}

#[test]
fn the_hash_depends_on_the_outcomes_alone() {
    let text = RECORDS.repeat(50);
    let expected = report(&text, quick()).outcomes_hash;
    for threads in [1, 2, 5] {
        for batch_bytes in [1, 100, 1000, 1 << 20] {
            let report = report(&text, Plan { threads, batch_bytes, ..quick() });
            assert_eq!(report.outcomes_hash, expected, "{threads} threads, batches of {batch_bytes} bytes");
        }
    }
    let turned: Vec<_> = text.lines().rev().collect();
    assert_ne!(report(&turned.join("\n"), quick()).outcomes_hash, expected, "the order of records counts");
}

/// What `bench::run` says of a solver that spoils its outcomes.
fn refusal(spoil: impl Fn(&mut Outcomes) + Sync) -> BenchError {
    let spoilt = |given: PuzzleSlice, outcomes: &mut Outcomes| {
        let work = solve(given, outcomes);
        spoil(outcomes);
        work
    };
    bench::run(RECORDS.as_bytes(), &quick(), spoilt).expect_err("a wrong answer")
}

#[track_caller]
fn assert_wrong(refusal: BenchError, number: usize) {
    assert!(matches!(refusal, BenchError::Wrong { record, .. } if record == number), "{refusal:?}");
}

/// The solution with its first two digits exchanged.
fn swapped(solution: Option<Solution>) -> Option<Solution> {
    let mut cells = *solution?.cells();
    cells.swap(0, 1);
    Solution::from_cells(cells)
}

#[test]
fn refuses_wrong_solutions() {
    let edited = |k: usize, edit: fn(&Outcomes, &mut Option<Solution>)| {
        refusal(move |outcomes| {
            let before = outcomes.clone();
            edit_outcome(outcomes, k, |outcome| edit(&before, &mut outcome.solution));
        })
    };
    assert_wrong(edited(1, |_, solution| *solution = swapped(*solution)), 2);
    // Solutions are counted, but the row is blank.
    assert_wrong(edited(0, |_, solution| *solution = None), 1);
    assert_wrong(edited(2, |_, solution| *solution = None), 3);
    assert_wrong(edited(4, |outcomes, solution| *solution = outcomes.solution(0)), 5);
    // A valid grid, but not of this puzzle.
    assert_wrong(edited(1, |outcomes, solution| *solution = outcomes.solution(0)), 2);
}

#[test]
fn refuses_statuses_and_counts_that_are_wrong() {
    let with_status = |k, status| refusal(move |outcomes| outcomes.set_status(k, status));
    assert_wrong(with_status(0, Status::Multiple), 1);
    assert_wrong(with_status(0, Status::Solved), 1);
    let with_count = |n| refusal(move |outcomes| edit_outcome(outcomes, 2, |outcome| outcome.solutions = n));
    assert_wrong(with_count(3), 3);
    assert_wrong(with_count(1), 3);
    assert_wrong(with_status(5, Status::NoSolution), 6);
    assert_wrong(with_status(6, Status::Limit), 7);
    // Nobody asked for a cap.
    assert_wrong(with_status(2, Status::Limit), 3);
    assert_wrong(with_status(4, Status::Invalid), 5);
}

#[test]
fn refuses_solvers_that_change_their_answers_or_miss_records() {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    let calls = AtomicU64::new(0);
    let refused = refusal(|outcomes| {
        edit_outcome(outcomes, 0, |outcome| outcome.guesses = calls.fetch_add(1, Relaxed));
    });
    assert!(matches!(refused, BenchError::RoundsDiffer), "{refused:?}");
    assert_wrong(refusal(drop_last_outcome), 7);
}

#[test]
fn refuses_a_text_without_records() {
    for text in ["", "\n\n", "# only a comment\n"] {
        let refused = bench::run(text.as_bytes(), &quick(), solve);
        assert!(matches!(refused, Err(BenchError::Empty)), "{refused:?}");
    }
}

#[test]
fn giving_up_at_the_cap_on_guesses_is_no_wrong_answer() {
    let plan = Plan { limits: up_to(2).max_guesses(1), ..quick() };
    let solve =
        |given: PuzzleSlice, outcomes: &mut Outcomes| SolverKind::Scalar.solve(given, plan.limits, outcomes);
    let report = bench::run(RECORDS.as_bytes(), &plan, solve).expect("right answers");
    assert!(report.counts.limit > 0);
}

/// The outcomes of the committed sample, guesses included, are part of what the lane engine promises: a
/// change of its search changes this hash, and belongs into the change log.
#[test]
fn the_sample_has_the_same_hash_at_every_level() {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../datasets/sample_10k.txt");
    for level in SimdLevel::available() {
        for threads in ["1", "3"] {
            let simd = ["--simd", level.name(), "-j", threads, "--limit", "2"];
            let quick = ["bench", "--json", "--rounds", "1", "--warmup", "0", sample];
            let (code, stdout, stderr) = rapidoku(&[&quick[..], &simd[..]].concat());
            assert_eq!((code, stderr.as_str()), (Some(0), ""));
            let json: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
            assert_eq!(json["results"][0]["simd"], level.name());
            assert_eq!(json["results"][0]["outcomes_hash"], "88ad7b9ec77a7d2d", "{level}");
            let busy = json["results"][0]["occupancy"].as_f64().expect("a number");
            assert!((0.5..=1.0).contains(&busy), "{busy}");
        }
    }
}

fn rapidoku(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_rapidoku")).args(arguments).output().expect("it starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn prints_one_json_object_with_everything() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), RECORDS).unwrap();
    let name = file.path().to_str().unwrap();
    let json = |arguments: &[&str]| {
        let (code, stdout, stderr) =
            rapidoku(&[&["bench", "--json", "--limit", "2", "--rounds", "2"], arguments].concat());
        assert_eq!((code, stderr.as_str()), (Some(0), ""));
        serde_json::from_str::<serde_json::Value>(&stdout).expect("JSON")
    };

    let first = json(&["-j", "1", "--engine", "scalar", name, name]);
    assert_eq!(first["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!((&first["rounds"], &first["warmup"], &first["limit"]), (&2.into(), &1.into(), &2.into()));
    assert!(first["machine"]["cpu"].as_str().is_some_and(|cpu| !cpu.is_empty()));
    assert!(
        first["command"].as_str().unwrap().starts_with("rapidoku bench --json --limit 2 --rounds 2 -j 1 ")
    );
    assert_eq!(first["results"].as_array().map(Vec::len), Some(2));
    let report = &first["results"][0];
    assert_eq!((&report["engine"], &report["threads"]), (&"scalar".into(), &1.into()));
    assert_eq!(report["file"], name);
    assert_eq!(report["records"], 7);
    assert_eq!(report["counts"]["invalid"], 2);
    for key in ["median", "min", "max", "spread"] {
        assert!(report["puzzles_per_second"][key].is_f64(), "{key}");
    }
    for key in ["guesses_per_puzzle", "parse_share"] {
        assert!(report[key].is_f64(), "{key}");
    }
    for key in ["outcomes_hash", "dataset_hash"] {
        assert_eq!(report[key].as_str().map(str::len), Some(16), "{key}");
        assert_eq!(report[key], first["results"][1][key], "{key}");
    }

    let second = json(&["-j", "3", "--engine", "scalar", name]);
    assert_eq!(second["results"][0]["threads"], 3);
    assert_eq!(second["results"][0]["outcomes_hash"], report["outcomes_hash"]);
}

#[test]
fn prints_one_row_per_file_and_tells_failures_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("some.txt"), RECORDS).unwrap();
    std::fs::write(path("empty.txt"), "").unwrap();

    let (code, stdout, _) =
        rapidoku(&["bench", "--limit", "2", "--rounds", "1", &path("some.txt"), &path("some.txt")]);
    assert_eq!(code, Some(0));
    let rows = |start: &str| stdout.lines().filter(|line| line.starts_with(start)).collect::<Vec<_>>();
    assert_eq!(rows(&format!("{}: 7 records", path("some.txt"))).len(), 2, "{stdout}");
    // For each file the rate, what came out, and how long the batches took.
    assert_eq!(rows("lanes").len(), 2 * 3, "{stdout}");
    let answers =
        rows("lanes  ").into_iter().filter(|row| row.ends_with("2 unique, 2 multiple, 1 none, 2 invalid"));
    assert_eq!(answers.count(), 2, "{stdout}");

    let (code, stdout, stderr) = rapidoku(&["bench", "--rounds", "1", &path("empty.txt")]);
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    assert!(stderr.contains("empty.txt: no records"), "{stderr}");

    let (code, stdout, stderr) = rapidoku(&["bench", &path("missing.txt")]);
    assert_eq!((code, stdout.as_str()), (Some(2), ""));
    assert!(stderr.contains("missing.txt"), "{stderr}");

    // The engine that solves nothing.
    let (code, stdout, stderr) = rapidoku(&["bench", "--engine", "noop", &path("some.txt")]);
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    assert!(stderr.contains("some.txt: record 1: "), "{stderr}");

    assert_eq!(rapidoku(&["bench", "--rounds", "0", &path("some.txt")]).0, Some(2));
}

#[test]
fn datasets_in_any_input_format() {
    let sample = include_str!("../../../datasets/sample_10k.txt");
    let puzzles: Vec<_> = sample.lines().take(2000).collect();
    let lines: String = puzzles.iter().flat_map(|puzzle| [puzzle, "\n"]).collect();
    let table = |row: fn(&str) -> String| puzzles.iter().map(|puzzle| row(puzzle)).collect::<String>();
    let rows = |puzzle: &str| {
        puzzle
            .as_bytes()
            .chunks(9)
            .map(|row| format!("{}\n", str::from_utf8(row).unwrap()))
            .collect::<String>()
    };
    let csv = format!("id,puzzle,solution\n{}", table(|puzzle| format!("7,{},\n", puzzle.replace('.', "0"))));
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for half in puzzles.chunks(1000) {
        zip.start_file(
            format!("folder/{}.sdk", half[0].replace(".", "0")),
            zip::write::SimpleFileOptions::default(),
        )
        .unwrap();
        let grids: String = half.iter().map(|puzzle| rows(puzzle)).collect();
        zip.write_all(grids.as_bytes()).unwrap();
    }
    let forms = [
        lines.clone().into_bytes(),
        format!("\u{FEFF}{lines}").into_bytes(),
        csv.clone().into_bytes(),
        zstd::encode_all(csv.as_bytes(), 1).unwrap(),
        zip.finish().unwrap().into_inner(),
    ];
    let folder = tempfile::tempdir().unwrap();
    for bytes in forms {
        let path = file(&folder, "in", bytes);
        let loaded = bench::load(&Input::from_operand(path.as_ref()), &InputOptions::default()).unwrap();
        assert!(loaded.lines() == lines.as_bytes(), "{}", String::from_utf8_lossy(&loaded.lines()[..200]));
    }

    let run = |text: &str, args: &str| {
        let path = file(&folder, "in", text);
        ask("bench", words(&format!("--rounds 1 --warmup 0 --limit 2 -j1 --csv {args} {path}")), b"")
    };
    // Records that are none stay records.
    let bad = run(&format!("a,b\n1,{}\n2,x\n", puzzles[0]), "--input-format csv --column b");
    assert!(bad.code == Some(0) && bad.stdout().lines().nth(1).unwrap().contains(",2,"), "{}", bad.stderr);
}
