//! Every run ends, with the same exit code, messages and output for every number of threads.
//!
//! Random commands with random options read random mixtures of inputs that are accepted, refused or damaged. An input has
//! many more batches than the queue between the workers and the writer holds, so a worker that ends without putting its
//! batch into the queue blocks the others, which is a run that exceeds its time.
//!
//! Commands and options are those of the definition of the command line: a new one without an entry in [`commands`] or
//! [`value`] fails these tests.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{env, thread};

use clap::{Arg, ArgAction};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rapidoku::{Candidates, Puzzle};
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::support::{grid, program};

/// A run takes milliseconds. Tests may share a busy machine.
const TIME: Duration = Duration::from_secs(60);
/// Exit codes of a run that was not interrupted, see the guide.
const DOCUMENTED: [i32; 3] = [0, 1, 2];
const THREADS: [usize; 3] = [1, 2, 8];

/// What a command line needs beside options, and how it is tested.
struct Base {
    /// Arguments that the command needs, and that make it fast enough.
    args: &'static str,
    /// The number of records of an input. In batches of 700 bytes, 400 records are twice the window of eight threads.
    records: usize,
    /// Whether it reads inputs.
    reads: bool,
    /// Whether all that it writes is the same for every number of threads.
    is_determined: bool,
}

/// All commands.
fn commands() -> BTreeMap<&'static str, Base> {
    let base = |args, records| Base { args, records, reads: true, is_determined: true };
    BTreeMap::from([
        ("solve", base("", 4000)),
        ("check", base("", 4000)),
        ("count", base("--limit 50", 2000)),
        ("enumerate", base("--limit 50", 2000)),
        ("verify", base("", 4000)),
        ("rate", base("", 1000)),
        ("canon", base("", 1000)),
        ("dedup", base("", 4000)),
        ("overlap", base("--in other", 2000)),
        ("explain", base("", 400)),
        ("minimize", base("--max 2", 400)),
        ("convert", base("", 4000)),
        ("permute", base("", 2000)),
        ("sample", base("100", 4000)),
        ("shuffle", base("--seed 1", 4000)),
        ("split", base("-o part-{}.txt --train 60 --test 40", 2000)),
        ("stats", base("--no-rate", 2000)),
        ("generate", Base { reads: false, ..base("30 --seed 7", 0) }),
        // It measures times.
        ("bench", Base { is_determined: false, ..base("--rounds 1 --warmup 0 -j 2", 400) }),
        ("completions", Base { reads: false, ..base("bash", 0) }),
        ("man", Base { reads: false, ..base("", 0) }),
    ])
}

/// Options that every run has or that these tests set themselves.
const SET: [&str; 5] = ["threads", "batch_bytes", "output", "help", "version"];
/// Options that keep their defaults or have a value in [`commands`], because others take too long or need more files.
const DEFAULTS: [&str; 9] =
    ["rounds", "warmup", "slow_records", "slow_max_guesses", "rival", "compare", "max_tries", "limit", "max"];
/// Options that write times.
const TIMED: [&str; 3] = ["stats", "stats_json", "progress"];

/// Values of an option that has no list of possible values.
fn value(id: &str, random: &mut ChaCha8Rng) -> String {
    let values: &[&str] = match id {
        "columns" => &["puzzle,status", "puzzle,solution", "id", "record,line", "status", "nothing"],
        "blank" => &[".", "0", "x", "7"],
        "blank_number" => &["0", "1", "-1", "x"],
        "max_guesses" => &["0", "5", "1000"],
        "engine" => &["lanes", "scalar", "three-line", "noop", "other"],
        "simd" => &["auto", "portable", "avx2"],
        "column" => &["puzzle", "1", "2", "9", "solution"],
        "solution_column" => &["solution", "1", "2", "puzzle"],
        "delimiter" => &[",", ";", "tab", "a"],
        "shard" => &["1/1", "1/3", "2/3", "3/3", "4/3"],
        "only" | "except" => &["unique", "none,multiple", "invalid", "limit", "other"],
        "seed" => &["0", "18446744073709551615", "-1"],
        "memory" => &["1M", "16M", "1", "x"],
        "temp_dir" => &[".", "nowhere"],
        "files_from" => &["list", "nowhere", "list-of-nothing"],
        "errors" => &["errors.jsonl", "-", "nowhere/errors"],
        "stats_json" => &["stats.json", "-"],
        "svg" => &["stats.svg", "-", "nowhere/x"],
        "report" => &["report.html", "nowhere/x"],
        "export_markdown" => &["report.md"],
        "copies" => &["0", "1", "3"],
        "train" | "validation" | "test" => &["0", "10", "100", "x"],
        "part" => &["a=10", "a=100", "=1"],
        "max_distinct" => &["0", "100"],
        // Without a bound, a filter that few puzzles pass takes as long as it is told to.
        "within" => &["other", "nowhere"],
        "clues" => &["20..40", "23..28", "x"],
        "guesses" => &["0..5", "x"],
        "hardest" => &["naked single", "hidden single", "x"],
        "pattern" => &["diagonal", "nowhere"],
        "from" => &["list"],
        _ => panic!("--{id} needs an entry in `value`, `SET` or `DEFAULTS`"),
    };
    (*values.choose(random).expect("there are values")).to_owned()
}

/// Whether these tests choose whether the option is given.
fn is_open(arg: &&Arg) -> bool {
    let id = arg.get_id().as_str();
    !arg.is_positional() && !SET.contains(&id) && !DEFAULTS.contains(&id)
}

fn takes_value(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Set | ArgAction::Append)
}

/// Random arguments for up to three of the options of a command, and whether one of them is among [`TIMED`].
fn options(command: &clap::Command, random: &mut ChaCha8Rng) -> (Vec<String>, bool) {
    let all: Vec<&Arg> = command.get_arguments().filter(is_open).collect();
    let (mut args, mut is_timed) = (Vec::new(), false);
    for _ in 0..random.random_range(0..4) {
        let Some(&arg) = all.choose(random) else { break };
        let id = arg.get_id().as_str();
        is_timed |= TIMED.contains(&id);
        args.push(format!("--{}", arg.get_long().expect("options have long names")));
        if takes_value(arg) {
            let possible = arg.get_possible_values();
            let value = match possible.choose(random) {
                // Some of the historical engines need minutes.
                Some(value) if id != "engine" => value.get_name().to_owned(),
                _ => value(id, random),
            };
            args.push(value);
        }
        if id == "hard" {
            args.extend(["--rounds".to_owned(), "1".to_owned()]);
        }
    }
    (args, is_timed)
}

/// Puzzles with their solutions.
fn puzzles() -> Vec<(String, String)> {
    let text =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../datasets/sample_10k.txt")).unwrap();
    let puzzles: Vec<Puzzle> = text.lines().take(4000).map(|line| line[..81].parse().unwrap()).collect();
    let outcomes = rapidoku::Solver::new().solve(&puzzles);
    let pairs = puzzles.iter().zip(outcomes.iter());
    let solution = |outcome: rapidoku::Outcome| outcome.solution.map(|grid| grid.to_string());
    pairs.filter_map(|(puzzle, outcome)| Some((puzzle.to_string(), solution(outcome)?))).collect()
}

/// The contents of an input, by name. Those from `lines` to `pencilmarks` are read by most commands.
const KINDS: [&str; 17] = [
    "lines",
    "solved",
    "table",
    "pairs",
    "other-table",
    "json",
    "grids",
    "array",
    "pencilmarks",
    "mixed",
    "invalid",
    "prose",
    "nothing",
    "quoted",
    "json-array",
    "clashes",
    "complete",
];

fn content(kind: &str, records: usize, puzzles: &[(String, String)], random: &mut ChaCha8Rng) -> Vec<u8> {
    let start = random.random_range(0..puzzles.len());
    let chosen = puzzles.iter().cycle().skip(start).take(records);
    let lines = |row: &dyn Fn(usize, &str, &str) -> String| -> String {
        chosen.clone().enumerate().map(|(k, (puzzle, solution))| row(k, puzzle, solution) + "\n").collect()
    };
    let text = match kind {
        "lines" => lines(&|_, puzzle, _| puzzle.to_owned()),
        "solved" => lines(&|_, puzzle, solution| format!("{puzzle},{solution}")),
        "table" => format!("id,puzzle\n{}", lines(&|k, puzzle, _| format!("{k},{puzzle}"))),
        "pairs" => {
            format!("puzzle,solution\n{}", lines(&|_, puzzle, solution| format!("{puzzle},{solution}")))
        }
        "other-table" => format!("puzzle;a;b\n{}", lines(&|k, puzzle, _| format!("{puzzle};{k};x"))),
        "json" => lines(&|k, puzzle, _| format!("{{\"id\": {k}, \"puzzle\": \"{puzzle}\"}}")),
        "grids" => lines(&|_, puzzle, _| grid(puzzle)),
        "pencilmarks" => {
            lines(&|_, puzzle, _| Candidates::from(&puzzle.parse::<Puzzle>().unwrap()).to_string())
        }
        "mixed" => lines(&|k, puzzle, _| {
            if k % 7 == 6 { format!("{}x", &puzzle[..k % 81]) } else { puzzle.to_owned() }
        }),
        "invalid" => lines(&|k, _, _| format!("12345{k}")),
        "prose" => lines(&|k, _, _| format!("Nothing to be solved in line {k}.")),
        "nothing" => String::new(),
        // The quote in the middle is never closed, so the record is too long if there is enough text.
        "quoted" => format!(
            "id,puzzle\n{}",
            lines(&|k, puzzle, _| format!("{}{k},{puzzle}", if k == 99 { "\"" } else { "" }))
        ),
        "json-array" => {
            format!("[{}]", lines(&|_, puzzle, _| format!("\"{puzzle}\",")).trim_end_matches(",\n"))
        }
        "clashes" => lines(&|_, puzzle, _| format!("11{}", &puzzle[2..])),
        "complete" => lines(&|_, _, solution| solution.to_owned()),
        "array" => {
            let cells: Vec<u8> = chosen.flat_map(|(puzzle, _)| puzzle.bytes()).collect();
            let dictionary =
                format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({records}, 81), }}");
            let mut array = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
            array.extend(format!("{dictionary:<117}\n").bytes());
            array.extend(cells.iter().map(|cell| if *cell == b'.' { 0 } else { cell - b'0' }));
            return array;
        }
        _ => unreachable!("all kinds are listed"),
    };
    text.into_bytes()
}

/// Packs, cuts or keeps a content.
fn packed(content: Vec<u8>, random: &mut ChaCha8Rng) -> Vec<u8> {
    let whole = match random.random_range(0..8) {
        0 => {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            gzip.write_all(&content).unwrap();
            gzip.finish().unwrap()
        }
        1 => zstd::encode_all(&*content, 1).unwrap(),
        _ => content,
    };
    match random.random_range(0..8) {
        0 => whole[..whole.len() - whole.len() * random.random_range(0..100) / 100].to_vec(),
        _ => whole,
    }
}

/// An archive of files.
fn archive(files: &[Vec<u8>]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (k, file) in files.iter().enumerate() {
        zip.start_file(format!("{k}.txt"), SimpleFileOptions::default()).unwrap();
        zip.write_all(file).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A run that is to be compared with others.
struct Case {
    command: String,
    /// The arguments without those that depend on the number of threads.
    args: Vec<String>,
    /// The file that is piped into standard input.
    piped: Option<PathBuf>,
    writes_times: bool,
}

/// Makes random cases in a folder.
struct Cases {
    puzzles: Vec<(String, String)>,
    commands: BTreeMap<&'static str, Base>,
    definition: clap::Command,
    folder: TempDir,
}

impl Cases {
    fn new() -> Cases {
        let (commands, mut definition) = (commands(), rapidoku_cli::command());
        definition.build();
        let names = definition.get_subcommands().map(clap::Command::get_name);
        for name in names.filter(|name| *name != "help") {
            assert!(commands.contains_key(name), "'{name}' needs an entry in `commands`");
        }
        let all = definition.get_subcommands().flat_map(clap::Command::get_arguments).filter(is_open);
        for arg in all.filter(|arg| takes_value(arg) && arg.get_possible_values().is_empty()) {
            value(arg.get_id().as_str(), &mut ChaCha8Rng::seed_from_u64(0));
        }
        Cases { puzzles: puzzles(), commands, definition, folder: tempfile::tempdir().unwrap() }
    }

    /// A content of this many records, or less if all records are read in one batch anyway.
    fn input(&self, records: usize, random: &mut ChaCha8Rng) -> Vec<u8> {
        // Half of the inputs are lines, so that mixtures get beyond their first input.
        let kind =
            if random.random_bool(0.4) { "lines" } else { KINDS.choose(random).expect("there are kinds") };
        // A record of pencilmarks is nine times as long as others.
        let records = if kind == "pencilmarks" { records / 4 } else { records };
        packed(content(kind, records, &self.puzzles, random), random)
    }

    /// Writes the inputs of case `seed` into a folder of their own.
    fn case(&self, command: &str, seed: u64) -> (Case, PathBuf) {
        let random = &mut ChaCha8Rng::seed_from_u64(seed);
        let base = &self.commands[command];
        let folder = self.folder.path().join(seed.to_string());
        fs::create_dir(&folder).unwrap();
        let write = |name: &str, content: &[u8]| fs::write(folder.join(name), content).unwrap();
        let definition = self.definition.find_subcommand(command).expect("it is a command");
        let (options, is_timed) = options(definition, random);
        let mut args: Vec<String> = base.args.split_whitespace().map(str::to_owned).collect();
        args.extend(options);
        let mut piped = None;
        if base.reads {
            let (small, large) = (base.records.min(400), base.records);
            // The batches of large inputs have the usual size.
            let is_small = command != "bench" && random.random_bool(0.7);
            if is_small {
                args.extend(["--batch-bytes".to_owned(), "700".to_owned()]);
            }
            let records = if is_small { small } else { large };
            let mut inputs: Vec<Vec<u8>> =
                (0..random.random_range(1..4)).map(|_| self.input(records, random)).collect();
            if random.random_bool(0.2) {
                inputs = vec![archive(&inputs)];
            }
            for (k, input) in inputs.iter().enumerate() {
                write(&format!("in{k}"), input);
            }
            write("list", b"in0\nin0\n");
            write("list-of-nothing", b"\n");
            write("other", &self.input(records, random));
            if inputs.len() == 1 && random.random_bool(0.3) {
                piped = Some(folder.join("in0"));
            } else if !args.iter().any(|arg| arg == "--files-from") {
                args.extend((0..inputs.len()).map(|k| format!("in{k}")));
            }
            if command != "split" && command != "bench" && random.random_bool(0.3) {
                args.extend([
                    "-o".to_owned(),
                    (*["out", "out.csv", "out.gz"].choose(random).unwrap()).to_owned(),
                ]);
            }
        }
        let writes_times = is_timed || !base.is_determined;
        (Case { command: command.to_owned(), args, piped, writes_times }, folder)
    }
}

/// The exit code of a run, its messages, and the files that it has written.
#[derive(PartialEq)]
struct Observed {
    code: Option<i32>,
    messages: String,
    files: BTreeMap<String, Vec<u8>>,
}

impl Case {
    fn line(&self, threads: usize) -> String {
        let piped = self.piped.as_ref().map_or("", |_| " < in0");
        format!("{} {}{}{piped}", self.command, self.args.join(" "), self.threads(threads).join(" "))
    }

    fn threads(&self, threads: usize) -> Vec<String> {
        match &*self.command {
            "bench" | "completions" | "man" => Vec::new(),
            _ => vec![" -j".to_owned(), threads.to_string()],
        }
    }

    /// Runs the program in the folder of the inputs, and moves what it has written into another folder. `None` if it did
    /// not end in time.
    fn run(&self, folder: &Path, threads: usize) -> Option<Observed> {
        let before: Vec<_> = crate::support::names(folder);
        let create = |name: &str| File::create(folder.join(name)).unwrap();
        let stdin = self.piped.as_ref().map(|path| fs::read(path).unwrap());
        let mut child = program()
            .arg(&self.command)
            .args(&self.args)
            .args(self.threads(threads).iter().map(|arg| arg.trim()))
            .current_dir(folder)
            .stdin(if stdin.is_some() { Stdio::piped() } else { Stdio::null() })
            .stdout(create("stdout"))
            .stderr(create("stderr"))
            .spawn()
            .expect("the program starts");
        let code = thread::scope(|scope| {
            if let Some(mut pipe) = child.stdin.take() {
                // A program that does not read its input closes the pipe.
                scope.spawn(move || pipe.write_all(&stdin.expect("it is piped")));
            }
            wait(&mut child)
        })?;
        let mut files = BTreeMap::new();
        for name in crate::support::names(folder).into_iter().filter(|name| !before.contains(name)) {
            files.insert(name.clone(), fs::read(folder.join(&name)).unwrap_or_default());
            fs::remove_file(folder.join(&name)).unwrap();
        }
        let messages = String::from_utf8_lossy(&files.remove("stderr").expect("it was created")).into_owned();
        Some(Observed { code, messages, files })
    }
}

/// Waits for the end of a process: its exit code, `None` for a signal. Kills it after [`TIME`] and returns `None`.
fn wait(child: &mut Child) -> Option<Option<i32>> {
    let deadline = Instant::now() + TIME;
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait().expect("it is a child") {
            return Some(status.code());
        }
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().and_then(|()| child.wait()).expect("it can be killed");
    None
}

/// The defects found, by kind.
#[derive(Default)]
struct Found {
    runs: u64,
    hangs: u64,
    panics: u64,
    codes: u64,
    differences: u64,
    lines: Vec<String>,
}

impl Found {
    /// Runs a case with all numbers of threads.
    fn add(&mut self, case: &Case, folder: &Path, seed: u64) {
        let mut first: Option<Observed> = None;
        for threads in THREADS {
            self.runs += 1;
            let line = format!("case {seed}: {}", case.line(threads));
            let Some(observed) = case.run(folder, threads) else {
                self.hangs += 1;
                self.lines.push(format!("hang, {line}"));
                return;
            };
            if observed.messages.contains("panicked") || observed.code == Some(101) {
                self.panics += 1;
                self.lines.push(format!("panic, {line}: {}", observed.messages));
            } else if !observed.code.is_some_and(|code| DOCUMENTED.contains(&code)) {
                self.codes += 1;
                self.lines.push(format!("exit code {:?}, {line}: {}", observed.code, observed.messages));
            }
            match &first {
                None => first = Some(observed),
                Some(first) if case.writes_times && first.code == observed.code => {}
                Some(first) if *first == observed => {}
                Some(first) => {
                    self.differences += 1;
                    let of = |observed: &Observed| {
                        let sizes: Vec<_> = observed
                            .files
                            .iter()
                            .map(|(name, bytes)| format!("{name} {}", bytes.len()))
                            .collect();
                        format!("{:?} {} {}", observed.code, sizes.join(", "), observed.messages)
                    };
                    self.lines.push(format!("difference, {line}\n  {}\n  {}", of(first), of(&observed)));
                }
            }
        }
    }

    fn join(mut self, other: Found) -> Found {
        self.runs += other.runs;
        self.hangs += other.hangs;
        self.panics += other.panics;
        self.codes += other.codes;
        self.differences += other.differences;
        self.lines.extend(other.lines);
        self
    }
}

/// Runs cases with these seeds until `goes_on` returns `false`, two at a time. The commands take turns.
fn run_cases(first_seed: u64, goes_on: impl Fn(u64) -> bool + Sync) -> Found {
    let (cases, next) = (Cases::new(), AtomicU64::new(0));
    let names: Vec<&str> = cases.commands.keys().copied().collect();
    let work = || {
        let mut found = Found::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if !goes_on(number) {
                return found;
            }
            let seed = first_seed + number;
            let (case, folder) = cases.case(names[seed as usize % names.len()], seed);
            let before = found.lines.len();
            found.add(&case, &folder, seed);
            found.lines[before..].iter().for_each(|line| eprintln!("{line}"));
            fs::remove_dir_all(folder).unwrap();
        }
    };
    thread::scope(|scope| {
        let workers = [(); 2].map(|()| scope.spawn(work));
        workers.into_iter().map(|worker| worker.join().unwrap()).fold(Found::default(), Found::join)
    })
}

fn check(found: &Found) {
    println!(
        "driver: {} runs, {} hangs, {} panics, {} other exit codes, {} differences",
        found.runs, found.hangs, found.panics, found.codes, found.differences
    );
    assert!(found.lines.is_empty(), "{}", found.lines.join("\n"));
}

/// The same cases in every run of the tests.
#[test]
fn with_the_same_result_for_every_number_of_threads() {
    check(&run_cases(0, |number| number < 420));
}

/// New cases for a time: `DRIVER_SECONDS` (60 by default) from seed `DRIVER_SEED`.
#[test]
#[ignore = "takes as long as it is told to"]
fn for_a_time_with_new_cases() {
    let variable = |name: &str| env::var(name).ok().map(|text| text.parse().expect("a number"));
    let time = Duration::from_secs(variable("DRIVER_SECONDS").unwrap_or(60));
    let deadline = Instant::now() + time;
    // Far from the seeds of the other test and of other runs.
    check(&run_cases(variable("DRIVER_SEED").unwrap_or(1) << 32, |_| Instant::now() < deadline));
}
