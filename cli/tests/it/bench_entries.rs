//! Several solvers in a benchmark: who is compared with whom, and when there is no time.

use std::collections::HashSet;

use rapidoku::file::Unfinished;
use rapidoku::{Limits, Outcome, Outcomes, PuzzleSlice, SimdLevel, Solution, Status, Work};
use rapidoku_cli::bench::{BenchError, Benchmark, Entry, Results, Rival};
use rapidoku_cli::historical::Historical;
use rapidoku_cli::solver::SolverKind;

use crate::samples::up_to;
use crate::support::{
    CLASH, NO_SOLUTION, PUZZLE, drop_last_outcome, edit_outcome, file, names, program, words,
};

const CLASSICS: &[u8] = include_bytes!("../../../datasets/classics.txt");

fn text() -> String {
    format!("{PUZZLE}\n{}\n{CLASH}\nbad\n{PUZZLE}\n", ".".repeat(81))
}

fn benchmark<'a>(entries: impl IntoIterator<Item = Entry<'a>>) -> Benchmark<'a> {
    Benchmark {
        entries: entries.into_iter().collect(),
        rivals: Vec::new(),
        warmup: 0,
        rounds: 2,
        unfinished: Unfinished::default(),
        on_step: &|_| {},
    }
}

fn of(engine: SolverKind) -> Entry<'static> {
    Entry::solver(engine, up_to(2), 1)
}

/// The scalar solver, spoilt.
fn spoilt<'a>(name: &str, spoil: impl Fn(&mut Outcomes) + Sync + 'a) -> Entry<'a> {
    Entry::new(name, move |given: PuzzleSlice, limits: Limits, outcomes: &mut Outcomes| -> Work {
        let work = SolverKind::Scalar.solve(given, limits, outcomes);
        spoil(outcomes);
        work
    })
}

#[test]
fn all_engines_agree_and_are_compared_with_the_first() {
    let baselines = Historical::ALL.map(SolverKind::Historical);
    let engines = [SolverKind::Lanes(SimdLevel::detect()), SolverKind::Scalar].into_iter().chain(baselines);
    let Results { reports, .. } = benchmark(engines.map(of)).run(text().as_bytes()).expect("right answers");
    assert_eq!(reports.len(), 9);
    for (k, report) in reports.iter().enumerate() {
        assert_eq!((report.records, report.counts.unique, report.counts.multiple), (5, 2, 1));
        assert_eq!(report.puzzles_per_second.as_ref().unwrap().rounds.len(), 2);
        assert_eq!(report.ratio_to_first.is_some(), k > 0);
        assert_eq!(report.puzzle_latency.is_some(), k > 0, "lanes have no time of one puzzle");
        assert_eq!(report.puzzle_latency.map_or(5, |latency| latency.count), 5);
        assert!(report.batch_latency.count >= 2);
        let shares = report.shares;
        assert!((shares.parse + shares.solve + shares.write - 1.0).abs() < 1e-9);
    }
    let ratio = reports[1].ratio_to_first.unwrap();
    assert!(ratio.low <= ratio.median && ratio.median <= ratio.high);
    let rounds = |k: usize| &reports[k].puzzles_per_second.as_ref().unwrap().rounds;
    let pairs = [rounds(1)[0] / rounds(0)[0], rounds(1)[1] / rounds(0)[1]];
    assert_eq!((ratio.low, ratio.high), (pairs[0].min(pairs[1]), pairs[0].max(pairs[1])));
}

#[test]
fn solvers_that_disagree_are_refused() {
    // Legal by itself: an empty grid "without solution" contradicts nothing that a checker could see.
    let liar = spoilt("liar", |outcomes| {
        outcomes.set(1, Outcome::new(Status::NoSolution, 0, 0));
    });
    let refusal = benchmark([of(SolverKind::Scalar), liar]).run(text().as_bytes()).expect_err("they differ");
    assert!(matches!(refusal, BenchError::Disagreement { record: 2, .. }), "{refusal:?}");
    let message = refusal.to_string();
    assert!(message.contains("scalar says multiple") && message.contains("liar says none"), "{message}");
}

#[test]
fn a_wrong_solution_of_one_solver_refuses_all_times() {
    let liar = spoilt("liar", |outcomes| {
        edit_outcome(outcomes, 4, |outcome| {
            let mut cells = *outcome.solution.unwrap().cells();
            cells.swap(0, 1);
            outcome.solution = Solution::from_cells(cells);
        });
    });
    let refusal =
        benchmark([of(SolverKind::Scalar), liar]).run(text().as_bytes()).expect_err("a wrong answer");
    assert!(matches!(refusal, BenchError::Wrong { record: 5, .. }), "{refusal:?}");
}

#[test]
fn a_count_that_is_off_by_one_is_refused() {
    let limits = up_to(1000);
    let honest = || Entry { limits, ..of(SolverKind::Scalar) };
    assert!(benchmark([honest(), honest()]).run(text().as_bytes()).is_ok());
    // 999 of an empty grid's solutions, and no more found: nothing that a checker could see.
    let liar = Entry {
        limits,
        ..spoilt("liar", |outcomes| edit_outcome(outcomes, 1, |outcome| outcome.solutions -= 1))
    };
    let refusal = benchmark([honest(), liar]).run(text().as_bytes()).expect_err("they differ");
    assert!(matches!(refusal, BenchError::Disagreement { record: 2, .. }), "{refusal:?}");
    assert!(refusal.to_string().contains("(1000 solutions), liar says multiple (999)"), "{refusal}");
}

#[test]
fn missing_outcomes_and_giving_up_without_a_cap_are_refused() {
    let silent = spoilt("silent", drop_last_outcome);
    let refusal = benchmark([of(SolverKind::Scalar), silent]).run(text().as_bytes()).expect_err("no answer");
    assert!(matches!(refusal, BenchError::Wrong { record: 5, .. }), "{refusal:?}");
    assert!(refusal.to_string().contains("4 outcomes for 5 records"), "{refusal}");
    // Nor can one give up that was not given a cap.
    let tired = spoilt("tired", |outcomes| {
        outcomes.set(0, Outcome::new(Status::Limit, 0, 0));
    });
    let refusal = benchmark([of(SolverKind::Scalar), tired]).run(text().as_bytes()).expect_err("no answer");
    assert!(matches!(refusal, BenchError::Wrong { record: 1, .. }), "{refusal:?}");
}

#[test]
fn entries_with_the_same_algorithm_must_make_the_same_guesses() {
    let cousin = || Entry {
        algorithm: "scalar".into(),
        ..spoilt("cousin", |outcomes| edit_outcome(outcomes, 0, |outcome| outcome.guesses += 1))
    };
    let refusal =
        benchmark([of(SolverKind::Scalar), cousin()]).run(text().as_bytes()).expect_err("they differ");
    assert!(matches!(refusal, BenchError::AlgorithmMismatch { .. }), "{refusal:?}");
    // With another search they may differ.
    let limits = up_to(2).max_guesses(1000);
    let other = Entry { limits, ..cousin() };
    assert!(benchmark([of(SolverKind::Scalar), other]).run(text().as_bytes()).is_ok());
}

#[test]
fn puzzles_that_are_given_up_are_not_compared_and_have_no_rate() {
    let limits = up_to(2).max_guesses(10);
    let slow = Entry::solver(SolverKind::Historical(Historical::BruteForce), limits, 1);
    let reports = benchmark([of(SolverKind::Scalar), slow]).run(CLASSICS).expect("right answers").reports;
    assert_eq!((reports[0].counts.unique, reports[1].counts.limit), (4, 4));
    assert_eq!((&reports[1].puzzles_per_second, reports[1].ratio_to_first), (&None, None));
}

#[test]
fn a_slow_solver_is_compared_on_a_sample_of_the_records() {
    let sample = include_bytes!("../../../datasets/sample_10k.txt");
    let few = |who| Entry { max_records: Some(40), ..who };
    let slow = few(of(SolverKind::Historical(Historical::ModelClone)));
    let reports = benchmark([of(SolverKind::Scalar), slow]).run(sample).expect("right answers").reports;
    assert_eq!((reports[1].records, reports[1].records_in_text), (40, 10_000));
    // A liar about its third record is found out, and the record named by its place in the file.
    let liar = few(spoilt("liar", |outcomes| {
        outcomes.set(2, Outcome::new(Status::NoSolution, 0, 0));
    }));
    let refusal = benchmark([of(SolverKind::Scalar), liar]).run(sample).expect_err("they differ");
    assert!(matches!(refusal, BenchError::Disagreement { record: 101.., .. }), "{refusal:?}");
}

#[cfg(unix)]
#[test]
fn rivals_are_timed_with_their_start_and_refused_when_they_fail() {
    let with = |rival: &str| {
        let rivals = vec![Rival::parse(rival).expect("a rival")];
        Benchmark { rivals, ..benchmark([of(SolverKind::Scalar)]) }.run(CLASSICS)
    };
    let rival = with("sleepy=sleep 0.05; grep -q 7 {input} || test ! -s {input}").unwrap().rivals.remove(0);
    assert_eq!(rival.name, "sleepy");
    let startup_ms = rival.startup_ms.unwrap();
    assert!((45.0..5000.0).contains(&startup_ms), "{startup_ms}");
    assert_eq!(rival.answers, None);
    assert!(rival.puzzles_per_second.max < 4.0 / 0.05);
    let refusal = with("sorry=echo no such thing >&2; false {input}").expect_err("it fails");
    assert!(
        refusal.to_string().contains("sorry") && refusal.to_string().contains("no such thing"),
        "{refusal}"
    );
    for wrong in ["name", "name=no file", "={input}"] {
        assert!(Rival::parse(wrong).is_err(), "{wrong}");
    }
}

/// Runs `rapidoku bench` with one quick round: exit code, standard output and standard error.
fn bench(args: &str) -> (Option<i32>, String, String) {
    let output = program()
        .args(words("bench --warmup 0 --rounds 1 -j 1 --limit 2"))
        .args(words(args))
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_built_in_datasets_need_no_file() {
    let (code, stdout, stderr) = bench("");
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    for part in
        ["classics.txt (built in)", "sample_10k.txt (built in)", "9000 unique, 500 multiple, 500 none"]
    {
        assert!(stdout.contains(part), "{stdout}");
    }
}

#[test]
fn lists_of_engines_levels_and_threads_multiply() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "some.txt", text());
    let (code, stdout, stderr) = bench(&format!("--json --engine lanes,scalar --simd all -j 1,2 {path}"));
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let json: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    let results = json["results"].as_array().unwrap();
    let names: Vec<_> = results.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 2 * (SimdLevel::available().len() + 1));
    assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len(), "{names:?}");
    assert_eq!(names.last(), Some(&"scalar x2"));
    let hashes: HashSet<_> = results.iter().map(|row| (&row["engine"], &row["outcomes_hash"])).collect();
    assert_eq!(hashes.len(), 2, "one for each engine");

    let (code, stdout, _) = bench(&format!("--engine all --csv {path}"));
    assert_eq!(code, Some(0));
    let columns: HashSet<_> = stdout.lines().map(|line| line.split(',').count()).collect();
    assert_eq!((stdout.lines().count(), columns.len()), (10, 1), "{stdout}");
    assert_eq!(bench("--engine lanes,gpu").0, Some(2));
}

#[test]
fn a_run_can_be_compared_with_an_earlier_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "some.txt", text());
    let (_, json, _) = bench(&format!("--json --engine lanes,scalar {path}"));
    let run = file(&folder, "run.json", &json);
    let (code, stdout, stderr) = bench(&format!("--engine scalar --compare {run} {path}"));
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let (_, comparison) = stdout.split_once("Against ").expect("a comparison");
    assert_eq!(comparison.lines().filter(|line| line.contains("some.txt")).count(), 1, "{comparison}");
    assert!(!comparison.contains("warning"), "{comparison}");

    // Other puzzles under the same name are not compared; other answers are remarked on.
    let other = file(&folder, "other.txt", format!("{NO_SOLUTION}\n"));
    assert!(bench(&format!("--compare {run} {other}")).1.contains("no dataset and solver"));
    let hash = json.split("\"outcomes_hash\": \"").nth(2).unwrap()[..16].to_owned();
    let changed = file(&folder, "changed.json", json.replace(&hash, "0000000000000000"));
    assert!(bench(&format!("--engine scalar --compare {changed} {path}")).1.contains("warning: "));

    let (code, stdout, stderr) = bench(&format!("--compare {path} {path}"));
    assert_eq!((code, stdout.as_str()), (Some(2), ""));
    assert!(stderr.contains("bench --json"), "{stderr}");
}

#[test]
fn the_engine_that_solves_nothing_is_refused_with_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "some.txt", text());
    let (code, stdout, stderr) = bench(&format!("--engine scalar,noop {path}"));
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    assert!(stderr.contains("no time is given"), "{stderr}");
}

#[test]
fn the_report_is_self_contained() {
    let folder = tempfile::tempdir().unwrap();
    // Windows has no such names.
    let markup = cfg!(not(windows));
    let path = file(&folder, if markup { "a&b<c>.txt" } else { "a&b.txt" }, text());
    let page = folder.path().join("out.html");
    let (code, _, stderr) =
        bench(&format!("--engine lanes,scalar,subsets --simd all -j 1,2 --report {} {path}", page.display()));
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let html = std::fs::read_to_string(page).unwrap();
    let name = if markup { "a&amp;b&lt;c&gt;.txt" } else { "a&amp;b.txt" };
    for part in ["<h2>Throughput</h2>", "<h2>Threads</h2>", "<h2>Datasets</h2>", name, "subsets x2"] {
        assert!(html.contains(part), "{part}");
    }
    assert_eq!(html.contains("<h2>Instruction sets</h2>"), SimdLevel::available().len() > 1);
    // Every plot is there for wide and for narrow screens.
    let count = |part: &str| html.matches(part).count();
    assert!(
        count("<svg class=\"wide\"") >= 1 && count("<svg class=\"wide\"") == count("<svg class=\"narrow\"")
    );
    // Nothing is fetched: the only addresses are names of XML, the only links lead to sections of the page, and the
    // only script copies the command.
    for part in ["src=", "url(", "@import", "b<c>"] {
        assert!(!html.contains(part), "{part}");
    }
    assert_eq!(count("http"), count("http://www.w3.org/2000/svg"));
    assert_eq!(count("href="), count("<section id="));
    for link in html.split("href=\"#").skip(1) {
        let id = link.split('"').next().unwrap();
        assert_eq!(count(&format!("<section id=\"{id}\">")), 1, "{id}");
    }
    assert_eq!((count("<script"), count("<button")), (1, 1));
    // Each file has a sentence, tables are folded, options stay with their values, and empty columns are left out.
    assert_eq!(count("puzzles per second ("), 0, "one round has no interval");
    assert_eq!(count(&format!("{name}</strong> (5 records): <em>")), 1, "{html}");
    assert!(count("<details>") >= 4 && count("<details open") == 0, "{html}");
    assert!(html.contains("<span>--engine lanes,scalar,subsets</span>"), "{html}");
    assert!(html.contains("<th>lanes busy") && !html.contains("<th>given up"), "{html}");
    assert!(html.contains("× slower") || html.contains("× faster"), "{html}");
    // What stands there are numbers.
    assert!(!html.contains("NaN") && !html.contains("inf "), "{html}");
}

/// The program itself is a rival: its answers are right, and a changed one is noticed.
#[test]
#[cfg(unix)]
fn the_answers_of_rivals_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", text());
    let program = env!("CARGO_BIN_EXE_rapidoku");
    let run = |rival: &str| {
        let args =
            ["--rounds", "1", "--warmup", "0", "-j1", "--limit", "2", "--json", "--rival", rival, &path];
        let run = crate::support::ask("bench", args, b"");
        let answers = (run.code == Some(0)).then(|| {
            let json: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
            let rival = &json["datasets"][0]["rivals"][0];
            assert_eq!(
                rival["startup_ms"].is_null(),
                rival["command"].as_str().unwrap().contains("{rounds}")
            );
            rival["answers"].as_str().unwrap_or("").to_owned()
        });
        (answers, run.stderr)
    };
    let answers = |command: &str| run(&format!("mine={command}")).0;
    assert_eq!(answers(&format!("{program} solve -q {{input}}")).as_deref(), Some("solutions"));
    assert_eq!(
        answers(&format!("{program} count -q --limit {{limit}} {{input}} | tr -d '>='")).as_deref(),
        Some("counts")
    );
    assert_eq!(answers("cat {input}").as_deref(), Some(""));
    assert_eq!(answers("echo 12345.5 # {input} {limit} {rounds}").as_deref(), Some(""));
    for (wrong, message) in [
        (format!("{program} solve -q {{input}} | tr 12 21"), "mine is wrong"),
        (format!("{program} count -q --limit 2 {{input}} | tr -d '>=' | tr 1 0"), "solutions, mine 0"),
        ("echo fast # {input} {rounds}".to_owned(), "does not print its puzzles per second"),
    ] {
        let (answers, stderr) = run(&format!("mine={wrong}"));
        assert!(answers.is_none() && stderr.contains(message), "{wrong}: {stderr}");
    }
}

/// The rater is measured like a solver, and the ratings of rivals are compared with its own.
#[test]
#[cfg(unix)]
fn ratings_are_a_workload() {
    let folder = tempfile::tempdir().unwrap();
    let sample = include_str!("../../../datasets/sample_10k.txt").split_inclusive('\n').take(60);
    let path = file(&folder, "in.txt", format!("bad\n{}", sample.collect::<String>()));
    let rated = crate::support::ask("rate", ["-q", "--columns", "status,er", &path], b"");
    let rate = |filter: &str| {
        format!(
            "{} rate -q --columns puzzle,er {{input}} | tail -n +2 {filter}",
            env!("CARGO_BIN_EXE_rapidoku")
        )
    };
    let rivals = [rate(""), rate("| sed 's/,1.5$/,1.6/'"), rate("| sed 's/,1.5$/,/'"), rate("| cut -c1-81")];
    let page = |name: &str| folder.path().join(name).display().to_string();
    let (html, markdown) = (page("page.html"), page("page.md"));
    let args = ["--rate", "-j1,2", "--warmup", "0", "--rounds", "1", "--json", "--report", &html];
    let args = args.into_iter().chain(["--export-markdown", &markdown, &path]).map(str::to_owned);
    let rivals = rivals.iter().enumerate().map(|(k, rival)| format!("--rival=r{k}={rival}"));
    let run = crate::support::ask("bench", args.chain(rivals), b"");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let json: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!((&json["workload"], &json["limit"]), (&"rating".into(), &2.into()));
    let [one, two] = &json["results"].as_array().unwrap()[..] else { panic!("two entries") };
    assert_eq!(
        (&one["name"], &two["name"], &one["engine"]),
        (&"rater".into(), &"rater x2".into(), &"rater".into())
    );
    assert_eq!(one["outcomes_hash"], two["outcomes_hash"]);
    assert!(one["puzzle_latency"]["max_us"].as_f64() > Some(0.0));
    let different = rated.stdout().lines().filter(|row| *row == "unique,1.5").count();
    assert!(different > 5, "{different}");
    let answers = |k: usize| &json["datasets"][0]["rivals"][k]["answers"];
    for (k, expected) in [(0, 0), (1, different), (2, different)] {
        assert_eq!(answers(k)["ratings"]["different"], expected);
    }
    assert!(answers(3).is_null(), "puzzles are no ratings");
    for page in [&html, &markdown] {
        let page = std::fs::read_to_string(page).unwrap();
        assert!(page.contains(" rates ") && page.contains("scale of Sudoku Explainer 1.2.1"), "{page}");
        assert!(page.contains(&format!("ratings, {different} different")), "{page}");
    }
    // The rate per thread is that of the fastest entry, so there is only one.
    let threads = crate::support::ask(
        "bench",
        ["--rate", "-j2", "--rounds=1", "--export-markdown", &markdown, &path],
        b"",
    );
    assert_eq!(threads.code, Some(0), "{}", threads.stderr);
    let page = std::fs::read_to_string(&markdown).unwrap();
    assert!(page.contains(" per thread"), "{page}");
    // Ratings are in the hash.
    let hash = |args: &[&str]| {
        let run = crate::support::ask(
            "bench",
            ["--json", "--warmup=0", "--rounds=1", "-j1"].iter().chain(args),
            b"",
        );
        let json: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
        json["results"][0]["outcomes_hash"].clone()
    };
    assert_ne!(hash(&["--rate", &path]), hash(&["--limit=2", &path]));
}

/// The first sentence and the first plot have the rival.
#[test]
#[cfg(unix)]
fn the_report_begins_with_the_rival() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in.txt", text());
    let page = folder.path().join("out.html");
    let args =
        ["--rounds", "7", "--warmup", "0", "-j1", "--rival", "mine=sleep 0.01 # {input}", &path, "--report"];
    let run = crate::support::ask("bench", args.into_iter().chain([page.to_str().unwrap()]), b"");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let html = std::fs::read_to_string(page).unwrap();
    let first = html.split("<em>").nth(1).unwrap().split("</em>").next().unwrap();
    assert!(
        first.contains(" times as fast as mine, timed as a whole command (98.4 % confidence: "),
        "{first}"
    );
    assert!(run.stdout().contains(" times as fast as mine"), "{}", run.stdout());
    let plot = html.split("<svg class=\"wide\"").nth(1).unwrap().split("</svg>").next().unwrap();
    assert!(plot.contains("\nmine\n"), "{plot}");
}

#[test]
fn the_report_shows_speed_by_difficulty() {
    let folder = tempfile::tempdir().unwrap();
    let sample: String =
        include_str!("../../../datasets/sample_10k.txt").split_inclusive('\n').take(300).collect();
    let path = file(&folder, "some.txt", sample);
    let page = folder.path().join("out.html");
    assert_eq!(bench(&format!("--engine lanes,model-clone --report {} {path}", page.display())).0, Some(0));
    let html = std::fs::read_to_string(page).unwrap();
    assert!(html.contains("<h2>Difficulty</h2>") && html.contains("the median of five rounds"), "{html}");
    // The 300 records are all accounted for: below the classes on wide screens.
    let plot = html.split("Speed by difficulty on").nth(1).unwrap();
    let plot = plot.split("</svg>").next().unwrap();
    let texts: Vec<_> = plot.split("<text").skip(1).map(|text| text.split('>').nth(1).unwrap()).collect();
    let first =
        texts.iter().position(|text| text.trim().starts_with("0\n") || text.trim().starts_with('0')).unwrap();
    let counts =
        texts[first..].chunks(2).map_while(|pair| pair[1].lines().nth(1)?.trim().parse::<usize>().ok());
    assert_eq!(counts.sum::<usize>(), 300, "{texts:?}");
}

#[test]
fn results_are_exported_as_markdown() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "a_b.txt", text());
    let page = folder.path().join("out.md");
    let args =
        format!("--engine scalar,brute-force --max-guesses 0 --export-markdown {} {path}", page.display());
    let (code, stdout, stderr) = bench(&args);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert!(stdout.contains("records"), "the tables are printed too");
    let markdown = std::fs::read_to_string(page).unwrap();
    assert!(markdown.contains("a\\_b.txt (5 records)"), "{markdown}");
    assert!(markdown.contains(" puzzles per second, the fastest of 2 entries.\n"), "{markdown}");
    // With this cap, the second solver answers the invalid records only.
    let rows: Vec<_> = markdown.lines().filter(|line| line.starts_with("| ")).collect();
    assert!(rows.len() == 3 && rows[0].starts_with("| solver | puzzles/s |"), "{markdown}");
    assert!(markdown.ends_with("```\n") && markdown.contains("```sh\nrapidoku bench "), "{markdown}");
}

#[test]
fn a_solver_that_gave_up_on_all_puzzles_has_no_rate() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "hard.txt", CLASSICS);
    let run = file(
        &folder,
        "run.json",
        bench(&format!("--engine scalar,brute-force --slow-max-guesses 1 --json {path}")).1,
    );
    let json: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&run).unwrap()).unwrap();
    let row = json["results"][1].as_object().unwrap();
    assert_eq!(row["counts"]["limit"], 4);
    assert!(!row.contains_key("puzzles_per_second") && !row.contains_key("ratio_to_first"), "{row:?}");

    let args = format!("--engine scalar,brute-force --slow-max-guesses 1 --csv --compare {run} {path}");
    let (code, csv, comparison) = bench(&args);
    assert_eq!(code, Some(0));
    let rows: Vec<Vec<_>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let rate = rows[0].iter().position(|name| *name == "puzzles_per_second").unwrap();
    assert!(rows[1][rate].parse::<f64>().unwrap() > 0.0 && rows[2][rate].is_empty(), "{csv}");
    assert!(comparison.contains("gave up on every puzzle"), "{comparison}");

    // As the first entry, it makes all comparisons impossible, but not the tables.
    let page = folder.path().join("out.html");
    let args =
        format!("--engine brute-force,scalar --slow-max-guesses 1 --report {} {path} {path}", page.display());
    let (code, stdout, stderr) = bench(&args);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert_eq!(stdout.matches("hard.txt: 4 records").count(), 2, "{stdout}");
    assert_eq!(std::fs::read_to_string(page).unwrap().matches("<em>scalar</em> solves").count(), 2);
}

/// After the first timed round, Ctrl-C ends the measurement, and the rounds count.
#[cfg(unix)]
#[test]
fn an_interrupted_benchmark_keeps_its_finished_rounds() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    let folder = tempfile::tempdir().unwrap();
    let input = file(&folder, "in", text());
    let mut child = program()
        .args(["bench", "--json", "--engine=scalar", "--rounds=100000", "--progress=always", &input])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    // Rounds take 0.1 s, and are shown every two seconds.
    lines.find(|line| !line.as_ref().unwrap().contains("round 1 of")).unwrap().unwrap();
    assert!(
        std::process::Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert!(rest.iter().any(|line| line.contains("interrupted")), "{rest:?}");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let rounds = json["results"][0]["puzzles_per_second"]["rounds"].as_array().unwrap().len();
    assert!((1..100_000).contains(&rounds), "{rounds}");
}

#[test]
fn the_machine_and_the_program_are_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "some.txt", text());
    let (_, json, _) = bench(&format!("--engine scalar --json {path}"));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json["compiler"].as_str().unwrap().starts_with("rustc "), "{json}");
    if cfg!(target_os = "linux") {
        assert!(!json["machine"]["kernel"].as_str().unwrap().is_empty());
        assert_eq!(json["load_at_start"].as_array().unwrap().len(), 3);
        assert_eq!(json["load_at_end"].as_array().unwrap().len(), 3);
        let (_, stdout, _) = bench(&format!("--engine scalar {path}"));
        assert!(stdout.contains("\nload average ") && stdout.contains(" at the end\n"), "{stdout}");
    }
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        assert!(json["machine"]["cpu_model"].as_str().unwrap().starts_with("family "), "{json}");
    }
}

#[test]
fn progress_is_shown_on_request_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "some.txt", text());
    for (when, shown) in [("always", true), ("auto", false), ("never", false)] {
        let (code, _, stderr) = bench(&format!("--engine scalar --progress {when} {path}"));
        assert_eq!(code, Some(0));
        assert_eq!(stderr.contains("some.txt: round 1 of 1, scalar"), shown, "{when}: {stderr}");
        assert_eq!(stderr.is_empty(), !shown);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_benchmark_leaves_everything_as_it_was() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    for (signal, code, old) in [("-INT", 130, Some("old")), ("-INT", 130, None), ("-TERM", 143, Some("old"))]
    {
        for form in ["--json", "--csv"] {
            let [folder, temporary] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
            let input = file(&folder, "in", text());
            let page = folder.path().join("page");
            if let Some(old) = old {
                std::fs::write(&page, old).unwrap();
            }
            let rival = "slow=test ! -s {input} || sleep 2";
            let child = program()
                .args(["bench", form, "--engine=scalar", "--rival", rival, &input, "--report"])
                .arg(&page)
                .env("TMPDIR", temporary.path())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            // The report has been begun, and the rival is at work on its files.
            let deadline = Instant::now() + Duration::from_secs(20);
            while names(temporary.path()).len() < 2 {
                assert!(Instant::now() < deadline, "{:?}", names(temporary.path()));
                std::thread::sleep(Duration::from_millis(5));
            }
            assert!(names(folder.path())[0].starts_with(".rapidoku-"));
            let id = child.id().to_string();
            assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(code));
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert!(
                stderr.contains("interrupted, nothing was written to") && stderr.contains("page'"),
                "{stderr}"
            );
            assert_eq!(output.stdout, b"");
            assert_eq!(std::fs::read_to_string(&page).ok().as_deref(), old);
            assert_eq!(
                names(folder.path()).len(),
                1 + usize::from(old.is_some()),
                "{:?}",
                names(folder.path())
            );
            assert_eq!(names(temporary.path()), [""; 0]);
        }
    }
}
