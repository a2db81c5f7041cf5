//! The command `bench`: what is measured, rivals, outputs, interruptions.

use std::collections::HashSet;

use rapidoku::SimdLevel;
use rapidoku_cli::bench::Rival;
use serde_json::Value;

use crate::samples::{SAMPLE, head};
use crate::support::{CLASH, PUZZLE, Run, ask, call, file, names, program, send, start, words};

const PROGRAM: &str = env!("CARGO_BIN_EXE_rapidoku");

fn text() -> String {
    format!("{PUZZLE}\n{}\n{CLASH}\nbad\n{PUZZLE}\n", ".".repeat(81))
}

/// One quick round with one thread and a limit of 2.
fn bench(args: &str, more: &[&str]) -> Run {
    ask("bench", words("--rounds 1 -j 1 --limit 2").chain(words(args)).chain(more.iter().copied()), b"")
}

#[test]
fn the_built_in_datasets_need_no_file() {
    let run = bench("", &[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    for part in ["classics.txt (built in): 4 records", "10,000 records (9,000 unique, 500 multiple, 500 none)"] {
        assert!(run.stdout().contains(part), "{}", run.stdout());
    }
}

#[test]
fn lists_of_engines_levels_and_threads_multiply_and_everything_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "some.txt", text());
    let out = folder.path().join("run.json").display().to_string();
    let args = words("--engine lanes,scalar,lanes --simd all -j 1,2 --limit 2 --rounds 2 -o").chain([&*out, &path]);
    let run = ask("bench", args, b"");
    assert_eq!((run.code, run.stdout(), run.stderr.as_str()), (Some(0), "", ""));
    let json: Value = serde_json::from_str(&std::fs::read_to_string(out).unwrap()).unwrap();
    let dataset = &json["datasets"][0];
    let results = dataset["results"].as_array().unwrap();
    let entries: Vec<_> = results.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(entries.len(), 2 * (SimdLevel::available().len() + 1));
    assert_eq!(entries.iter().collect::<HashSet<_>>().len(), entries.len(), "{entries:?}");
    assert_eq!(entries.last(), Some(&"scalar x2"));
    let hashes: HashSet<_> = results.iter().map(|row| (&row["engine"], &row["outcomes_hash"])).collect();
    assert_eq!(hashes.len(), 2, "one for each engine");
    assert_eq!((&json["rounds"], &json["limit"], &dataset["records"]), (&2.into(), &2.into(), &5.into()));
    assert!(json["command"].as_str().unwrap().starts_with("rapidoku bench --engine lanes,scalar,lanes --simd all"));
    assert!(json["compiler"].as_str().unwrap().starts_with("rustc "), "{json}");
    assert!(dataset["hash"].as_str().is_some_and(|hash| hash.len() == 16));
    for row in results {
        assert_eq!(row["puzzles_per_second"]["rounds"].as_array().unwrap().len(), 2);
        assert_eq!(row["counts"]["invalid"], 2);
    }
    if cfg!(target_os = "linux") {
        assert!(!json["machine"]["kernel"].as_str().unwrap().is_empty());
        assert_eq!([&json["load_at_start"], &json["load_at_end"]].map(|load| load.as_array().unwrap().len()), [3; 2]);
    }
}

#[test]
fn files_are_measured_one_by_one_and_failures_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let [some, empty] =
        [("some.txt", text()), ("empty.txt", String::new())].map(|(name, text)| file(&folder, name, text));
    let run = bench("", &[&some, &empty, &some]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("empty.txt: no records; no time is given"), "{}", run.stderr);
    assert_eq!(run.stdout().matches("some.txt: 5 records (2 unique, 1 multiple, 2 invalid)").count(), 2);
    for (args, code, message) in [
        ("--engine noop", 1, "record 1: "),
        ("--engine scalar,noop", 1, "no time is given"),
        ("missing.txt", 2, "missing.txt"),
        ("--engine lanes,gpu", 2, "gpu"),
        ("--timeout 0", 2, "--timeout"),
    ] {
        let run = bench(args, &[&some]);
        assert_eq!((run.code, run.stdout()), (Some(code), ""), "{args}");
        assert!(run.stderr.contains(message), "{args}: {}", run.stderr);
    }
    assert_eq!(ask("bench", ["--rounds", "0", &some], b"").code, Some(2));
}

/// Historical solvers get a part of a large file, with the first of the other solvers, and give up after some guesses.
#[test]
fn historical_solvers_are_bounded() {
    let folder = tempfile::tempdir().unwrap();
    // Most puzzles have nine blanks: searches that reach the limit of guesses take nearly all of the time.
    let solved = call("solve", head(300));
    let nearly = solved.stdout().lines().filter(|line| !line.is_empty()).take(275);
    let nearly: String = nearly.map(|line| format!(".........{}\n", &line[9..])).collect();
    let large = file(&folder, "large.txt", head(25) + &nearly);
    let found = bench("--engine scalar,model-clone,three-line --format json", &[&large]).json();
    let [whole, part] = &found["datasets"].as_array().unwrap()[..] else { panic!("two datasets") };
    assert_eq!((&whole["records"], &part["records"]), (&300.into(), &200.into()));
    let engines = |dataset: &Value| -> Vec<String> {
        dataset["results"].as_array().unwrap().iter().map(|row| row["engine"].to_string()).collect()
    };
    assert_eq!(engines(whole), ["\"scalar\""]);
    assert_eq!(engines(part), ["\"scalar\"", "\"model-clone\"", "\"three-line\""]);
    let [model, three] = [1, 2].map(|k| &part["results"][k]);
    assert_eq!((&model["max_guesses"], &model["counts"]["gave_up"]), (&10_000.into(), &0.into()));
    assert!(three["counts"]["gave_up"].as_u64() > Some(10));
    let alone = bench("--engine model-clone --format json", &[&large]).json();
    assert_eq!(alone["datasets"].as_array().unwrap().len(), 1);
}

#[test]
fn names_and_inputs_of_rivals_have_defaults() {
    for (text, name, command) in [
        ("mine=./x {input} -q", "mine", "./x {input} -q"),
        ("mine=./x", "mine", "./x {input}"),
        ("../bin/mine -q", "mine", "../bin/mine -q {input}"),
        ("./mine --limit={limit}", "mine", "./mine --limit={limit} {input}"),
    ] {
        let rival = Rival::parse(text).unwrap();
        assert_eq!((&*rival.name, &*rival.command), (name, command));
    }
    for wrong in ["", " ", "name=", "=x"] {
        assert!(Rival::parse(wrong).is_err(), "{wrong}");
    }
}

/// Only rivals with right answers to all records have a time and a comparison; what is wrong with the others comes
/// first.
#[test]
#[cfg(unix)]
fn the_answers_of_rivals_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", text());
    let solve = format!("{PROGRAM} solve -q {{input}}");
    let count = format!("{PROGRAM} count -q --limit {{limit}} {{input}} | tr -d '>='");
    let wrong = format!("gave wrong answers: 2 of 5, the first for record 1, {PUZZLE}: ");
    let rivals = [
        ("solver", solve.clone(), Ok("solutions")),
        ("counter", count.clone(), Ok("counts")),
        // The program is its own clock: it prints answers, or rates.
        ("timer", format!("test {{rounds}} && echo 12345.5 || {solve}"), Ok("solutions")),
        ("clock", format!("test {{rounds}} && echo fast || {solve}"), Err("does not print its puzzles per second")),
        ("short", format!("{solve} | head -n 2"), Err("printed 2 lines for 5 records")),
        ("quiet", "true {input}".to_owned(), Err("printed 0 lines for 5 records")),
        ("copy", "cat".to_owned(), Err("printed a line that is neither a solution nor a number of solutions: '53")),
        ("blank", "sed 's/.*//'".to_owned(), Err("gave wrong answers: 3 of 5, ")),
        ("swapped", format!("{solve} | tr 12 21"), Err(&*wrong)),
        ("unsolved", format!("{solve} | sed '2s/.*//'"), Err("no solution, scalar finds one")),
        (
            "low",
            format!("{count} | tr 1 0"),
            Err("0 solutions, scalar finds 1; to see all, compare with 'rapidoku count'"),
        ),
        ("sorry", "echo no such thing >&2; false {input}".to_owned(), Err("failed: exit status: 1: no such thing")),
        ("slow", "sleep 100 | cat; true {input}".to_owned(), Err("was stopped after 4 s (--timeout)")),
    ];
    let args: Vec<_> = rivals.iter().map(|(name, command, _)| format!("--rival={name}={command}")).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).chain([&*path]).collect();
    let run = bench("--engine scalar --timeout 4 --format json", &args);
    assert_eq!(run.code, Some(1));
    let found = run.json();
    let reports = found["datasets"][0]["rivals"].as_array().unwrap();
    assert_eq!((reports.len(), &reports[0]["name"]), (14, &"rapidoku as a command".into()));
    for ((name, command, expected), report) in rivals.iter().zip(&reports[1..]) {
        let is_timed = !report["puzzles_per_second"].is_null() && !report["ratio_to_first"].is_null();
        assert_eq!((report["name"].as_str(), is_timed), (Some(*name), expected.is_ok()), "{report}");
        match expected {
            Ok(answers) => {
                assert_eq!(report["answers"], *answers);
                assert_eq!(report["startup_ms"].is_null(), command.contains("{rounds}"), "{name}");
            }
            Err(problem) => {
                assert!(report["problem"].as_str().unwrap().contains(problem), "{report}");
                assert!(run.stderr.lines().any(|line| line.contains(name) && line.contains(problem)), "{name}");
            }
        }
    }
    assert!(run.stderr.contains("| rapidoku verify"), "{}", run.stderr);
}

/// The report begins with what is wrong. The comparison has the number of the table, and the plot has the rival.
#[test]
#[cfg(unix)]
fn sentences_tables_and_plots_have_the_rivals() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", text());
    let mine = format!("mine=sleep 0.2; {PROGRAM} solve -q");
    let page = folder.path().join("out.html").display().to_string();
    let args = ["--rival", &mine, "--rival", "short=head -n 2", &path, "-j1"];
    let run = ask("bench", ["--rounds", "6"].iter().chain(&args), b"");
    let after_title = run.stdout().split_once("2 invalid)\n").unwrap().1;
    let [first, second] = [0, 1].map(|k| after_title.lines().nth(k).unwrap());
    assert_eq!(first, "short printed 2 lines for 5 records");
    let (_, rest) = second.split_once("rapidoku as a command is ").unwrap();
    let (factor, rest) = rest.split_once(" times as fast as mine (96.9 % confidence: ").unwrap();
    let interval = rest.trim_end_matches(')').to_owned() + "×";
    let row = after_title.lines().find(|line| line.starts_with("mine ")).unwrap();
    assert!(
        row.contains(&format!(" {factor}× slower  {interval}  ")) && row.ends_with("  solutions"),
        "{row}\n{second}"
    );
    assert!(!after_title.contains("as fast as short"), "{after_title}");
    assert!(after_title.contains("start-up takes much of the time: rapidoku as a command ("), "{after_title}");

    let run = ask("bench", ["--rounds", "1", "-o", &page].iter().chain(&args), b"");
    assert_eq!((run.code, run.stdout()), (Some(1), ""));
    let html = std::fs::read_to_string(page).unwrap();
    let lead = html.split("<ul class=\"lead\">").nth(1).unwrap();
    assert!(lead.trim_start().starts_with("<li>short printed 2 lines"), "{lead}");
    for part in
        ["<th scope=\"row\">mine<", "<th scope=\"row\">rapidoku as a command<", "<th>start-up", "<li>start-up: "]
    {
        assert!(html.contains(part), "{part}");
    }
    assert!(!html.contains("<th scope=\"row\">short<"));
}

#[test]
fn the_page_is_self_contained_and_explains_its_columns() {
    let folder = tempfile::tempdir().unwrap();
    // Windows has no such names.
    let (name, escaped) =
        if cfg!(windows) { ("a&b.txt", "a&amp;b.txt") } else { ("a&b<c>.txt", "a&amp;b&lt;c&gt;.txt") };
    let path = file(&folder, name, text());
    let page = folder.path().join("out.html").display().to_string();
    let run = bench("--engine lanes,scalar,subsets --simd all -o", &[&page, &path]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let html = std::fs::read_to_string(page).unwrap();
    for part in [&format!("{escaped}: 5 records"), "<td>subsets", "× slower", "--engine lanes,scalar,subsets"] {
        assert!(html.contains(part), "{part}");
    }
    for part in ["http", "src=", "href=", "url(", "@import", "<script", "b<c>", "NaN", "inf "] {
        assert!(!html.contains(part), "{part}");
    }
    let bars = html.split("<table class=\"plot\">").nth(1).unwrap().split("</table>").next().unwrap();
    assert_eq!(bars.matches("<rect ").count(), SimdLevel::available().len() + 2);
    let columns: Vec<_> = html.split("<th>").skip(1).map(|rest| rest.split('<').next().unwrap().trim()).collect();
    assert_eq!(columns, ["in memory", "puzzles/s", "spread", "speed", "interval", "guesses", "outcomes"]);
    let notes = html.split("<ul class=\"note\">").nth(1).unwrap().split("</ul>").next().unwrap();
    let explained: Vec<_> = notes.split("<li>").skip(1).map(|note| note.split(':').next().unwrap()).collect();
    assert_eq!(explained, ["spread", "speed", "guesses", "outcomes"]);
}

/// The rater is measured like a solver, and the ratings of rivals are compared with its own.
#[test]
#[cfg(unix)]
fn ratings_are_a_workload() {
    let folder = tempfile::tempdir().unwrap();
    let sample = SAMPLE.split_inclusive('\n').take(60);
    let path = file(&folder, "in.txt", format!("bad\n{}", sample.collect::<String>()));
    let rated = ask("rate", ["-q", "--columns", "status,er", &path], b"");
    let different = rated.stdout().lines().filter(|row| *row == "unique,1.5").count();
    assert!(different > 5, "{different}");
    let rate = format!("{PROGRAM} rate -q --columns puzzle,er {{input}} | tail -n +2");
    let rivals = [format!("--rival=r1={rate} | sed 's/,1.5$/,1.6/'"), format!("--rival=r2={rate} | cut -c1-81")];
    let run = |format: &str| {
        let args = words("--rate -j1,2 --rounds 1 --format").chain([format, &path]);
        ask("bench", args.chain(rivals.iter().map(String::as_str)), b"")
    };
    let found = run("json").json();
    assert_eq!((&found["workload"], &found["limit"]), (&"rating".into(), &2.into()));
    let dataset = &found["datasets"][0];
    let [one, two] = &dataset["results"].as_array().unwrap()[..] else { panic!("two entries") };
    assert_eq!((&one["name"], &two["name"], &one["engine"]), (&"rater".into(), &"rater x2".into(), &"rater".into()));
    assert_eq!(one["outcomes_hash"], two["outcomes_hash"]);
    // This program comes first.
    for (k, expected) in [(0, 0), (1, different)] {
        assert_eq!(dataset["rivals"][k]["answers"]["ratings"]["different"], expected);
    }
    assert_eq!(dataset["rivals"][2]["problem"], "printed lines without a rating");
    let text = run("text");
    for part in [" rates ", "scale of Sudoku Explainer 1.2.1", &format!("ratings, {different} different")] {
        assert!(text.stdout().contains(part), "{part}: {}", text.stdout());
    }
    // Ratings are in the hash.
    let solved = bench("--format json", &[&path]).json();
    assert_ne!(solved["datasets"][0]["results"][0]["outcomes_hash"], one["outcomes_hash"]);
}

/// After the first timed round, Ctrl-C ends the measurement, and the rounds count.
#[cfg(unix)]
#[test]
fn an_interrupted_benchmark_keeps_its_finished_rounds() {
    use std::io::{BufRead, BufReader};
    let folder = tempfile::tempdir().unwrap();
    let input = file(&folder, "in", text());
    let line = ["bench", "--format=json", "--engine=scalar", "--rounds=100000", "--progress=always", &input];
    let mut child =
        start(program().args(line).args(["--rival", &format!("mine={PROGRAM} solve -q {{input}}; sleep 0.5")]));
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    // Rounds are shown every two seconds. In a later one, the first has ended.
    let is_later = |line: &str| line.contains("in: round ") && !line.contains("in: round 1");
    lines.find(|line| is_later(line.as_ref().unwrap())).unwrap().unwrap();
    assert!(send("-INT", child.id()));
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert!(rest.iter().any(|line| line.contains("interrupted")), "{rest:?}");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rounds = |row: &Value| row["puzzles_per_second"]["rounds"].as_array().map(Vec::len);
    let [own, rival] = [&json["datasets"][0]["results"][0], &json["datasets"][0]["rivals"][1]];
    assert!(rounds(own).is_some_and(|rounds| (1..100_000).contains(&rounds)), "{own}");
    assert_eq!(rounds(rival), rounds(own), "{rival}");
}

/// A benchmark that is interrupted before it has results leaves no file and no process.
#[cfg(unix)]
#[test]
fn an_interrupted_benchmark_leaves_everything_as_it_was() {
    use std::time::{Duration, Instant};
    for (signal, code, old) in [("-INT", 130, Some("old")), ("-TERM", 143, None)] {
        let [folder, temporary] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let (input, page) = (file(&folder, "in", text()), folder.path().join("page"));
        old.iter().for_each(|old| std::fs::write(&page, old).unwrap());
        let before = names(folder.path());
        let id = folder.path().join("id");
        let rival = format!("slow=sh -c 'echo $$ > {}; exec sleep 100'; true", id.display());
        let args = ["bench", "--engine=scalar", "--rival", &rival, &input, "-o"];
        let child = start(program().args(args).arg(&page).env("TMPDIR", temporary.path()));
        // The page has been begun, and the rival, which comes after this program, is at work on its files.
        let deadline = Instant::now() + Duration::from_secs(20);
        while !std::fs::read_to_string(&id).is_ok_and(|id| id.ends_with('\n')) {
            assert!(Instant::now() < deadline, "{:?}", names(temporary.path()));
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(names(folder.path())[0].starts_with(".rapidoku-"));
        assert!(send(signal, child.id()));
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stdout), (Some(code), Vec::new()));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains(&format!("nothing was written to '{}'", page.display())), "{stderr}");
        let rival = std::fs::read_to_string(&id).unwrap();
        while send("-0", rival.trim()) {
            assert!(Instant::now() < deadline, "the rival goes on");
            std::thread::sleep(Duration::from_millis(5));
        }
        std::fs::remove_file(id).unwrap();
        assert_eq!((names(folder.path()), std::fs::read_to_string(&page).ok().as_deref()), (before, old));
        assert_eq!(names(temporary.path()), [""; 0]);
    }
}
