//! Every run ends, with an exit code that the guide documents, and with the same messages and output for every number
//! of threads. Commands, options and inputs are random. Most inputs are longer than the queue between workers and
//! writer. For other command lines, the level and the way of reading make no difference either.

mod command_line;
mod inputs;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rapidoku::SimdLevel;
use tempfile::TempDir;

use crate::samples::SAMPLE;
use crate::support::{CLASH, PUZZLE, call, commands, file, gzip, names, npy, program, setting, start, wait, words};

/// A run takes seconds at most on an idle machine.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// No more cases are tried after this number of faults, because each run that hangs takes [`TIME_LIMIT`].
const MAX_FAULTS: u64 = 60;

/// Numbers of threads, and how many times as large as with one thread the batches are.
const THREADS: [(usize, usize); 3] = [(1, 1), (2, 3), (8, 1)];

/// The clues of a pattern that has puzzles.
pub const PATTERN: &str = "XX..X....X..XXX....XX....X.X...X...XX..X.X..XX...X...X.X....XX....XXX..X....X..XX";

/// Those of one for which puzzles are searched.
pub const FEW: &str = "..............X.XXXXX.X......X...XX....X.X....XX...X......X.XXXXX.X..............";

/// A random command line and its files.
struct Case {
    seed: u64,
    args: Vec<String>,
    /// The size of batches in bytes, if it is chosen.
    batch: Option<usize>,
    stdin: Vec<u8>,
    /// The folder in which the program runs.
    folder: TempDir,
}

/// How a run ended.
#[derive(Clone, PartialEq)]
struct End {
    code: Option<i32>,
    /// Standard output, standard error, and the files written, without times and rates.
    texts: BTreeMap<String, Vec<u8>>,
}

/// What was tried and found.
#[derive(Default)]
struct Tally {
    runs: u64,
    /// The commands with the exit codes that they had with one thread.
    codes: BTreeSet<(String, Option<i32>)>,
    faults: u64,
}

impl Case {
    fn new(seed: u64, commands: &[clap::Command]) -> Case {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, content: &[u8]| fs::write(folder.path().join(name), content).unwrap();
        let command = &commands[seed as usize % commands.len()];
        let mut names = vec!["1", "2", "3", "4"];
        names.truncate(random.random_range(1..=4));
        let files = names.clone();
        if random.random_bool(0.2) {
            names.push("-");
        }
        let args = command_line::random(&mut random, command, &names);
        // Without the option, batches have 32 KiB or more, so inputs are longer.
        let takes_long =
            matches!(command.get_name(), "explain" | "rate" | "stats") || args.iter().any(|arg| arg == "--engine");
        let batch = (takes_long || random.random_bool(0.95)).then(|| random.random_range(1..1500));
        // The queue has up to 18 batches of 8 threads, and each thread has another one.
        let bytes = batch.map_or(32 << 10, |batch: usize| batch.max(200)) * 40;
        let batch = batch.filter(|_| command.get_arguments().any(|arg| arg.get_id() == "batch_bytes"));
        let mut contents = inputs::contents(&mut random, files.len() + 1, bytes);
        let stdin = contents.pop().unwrap();
        files.iter().zip(&contents).for_each(|(name, content)| write(name, content));
        write("stdin", &stdin);
        write("list", files.join("\n").as_bytes());
        write("nothing", b"\n");
        write("pattern", PATTERN.as_bytes());
        Case { seed, args, batch, stdin, folder }
    }

    /// The arguments, with the size of batches multiplied by `times`.
    fn args(&self, times: usize) -> Vec<String> {
        let batch = self.batch.iter().flat_map(|batch| ["--batch-bytes".to_owned(), (batch * times).to_string()]);
        self.args.iter().cloned().chain(batch).collect()
    }

    /// Runs the program. `None` if it does not end in time.
    fn run(&self, (threads, times): (usize, usize)) -> Option<End> {
        let out = self.folder.path().join("out");
        let _ = fs::remove_dir_all(&out);
        fs::create_dir(&out).unwrap();
        let mut command = program();
        command.args(self.args(times)).current_dir(&self.folder).env("RAPIDOKU_THREADS", threads.to_string());
        let mut child = start(&mut command);
        let (mut stdin, mut stdout, mut stderr) =
            (child.stdin.take().unwrap(), child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let (mut rows, mut messages) = (Vec::new(), Vec::new());
        let status = thread::scope(|scope| {
            // A program that does not read its input closes the pipe.
            scope.spawn(move || stdin.write_all(&self.stdin));
            scope.spawn(|| stdout.read_to_end(&mut rows).unwrap());
            scope.spawn(|| stderr.read_to_end(&mut messages).unwrap());
            wait(&mut child, TIME_LIMIT)
        })?;
        let mut texts = BTreeMap::from([("stdout".to_owned(), rows), ("stderr".to_owned(), messages)]);
        for name in names(&out) {
            let content = fs::read(out.join(&name)).unwrap();
            texts.insert(name, content);
        }
        texts.values_mut().for_each(remove_times);
        Some(End { code: status.code(), texts })
    }

    fn command(&self) -> &str {
        &self.args[0]
    }

    /// The fault of a run, if it has one. `alone` is the run with one thread.
    fn fault(&self, end: Option<&End>, alone: Option<&End>) -> Option<&'static str> {
        let Some(end) = end else { return Some("hang") };
        let stderr = String::from_utf8_lossy(&end.texts["stderr"]);
        let may_fail_checks = matches!(self.command(), "bench" | "check" | "overlap" | "same" | "verify")
            || self.args.iter().any(|arg| matches!(&**arg, "--strict" | "--pattern" | "--max-tries"));
        let is_documented = match end.code {
            Some(0) => true,
            Some(1) => may_fail_checks,
            Some(2) => !stderr.is_empty(),
            _ => false,
        };
        // Everything that it prints depends on times.
        let is_same = |alone: &End| match self.command() {
            "bench" => end.code == alone.code,
            _ => end == alone,
        };
        match alone {
            _ if end.code == Some(101) || stderr.contains("panicked") => Some("panic"),
            _ if !is_documented => Some("undocumented exit code"),
            Some(alone) if !is_same(alone) => Some("difference"),
            _ => None,
        }
    }

    /// Runs with each number of threads. If there are faults, the folder is kept.
    fn check(self, tally: &Mutex<Tally>) {
        let ends = THREADS.map(|setting| self.run(setting));
        let alone = &ends[0];
        let mut tally = tally.lock().unwrap();
        tally.runs += ends.len() as u64;
        let code = alone.as_ref().and_then(|end| end.code);
        tally.codes.insert((self.command().to_owned(), code));
        let mut is_faulty = false;
        for ((threads, times), end) in THREADS.iter().zip(&ends) {
            let Some(fault) = self.fault(end.as_ref(), alone.as_ref()) else { continue };
            tally.faults += 1;
            is_faulty = true;
            let quoted: Vec<_> = self.args(*times).iter().map(|arg| format!("'{arg}'")).collect();
            let (folder, args) = (self.folder.path().display(), quoted.join(" "));
            println!(
                "{fault}, seed {}: cd {folder}; cat stdin | RAPIDOKU_THREADS={threads} rapidoku {args}",
                self.seed
            );
            if let ("difference", Some(end), Some(alone)) = (fault, end, alone) {
                let names: BTreeSet<_> = alone.texts.keys().chain(end.texts.keys()).collect();
                let differing = names.iter().filter(|name| end.texts.get(**name) != alone.texts.get(**name));
                println!("  exit codes {:?} and {:?}, {:?}", alone.code, end.code, Vec::from_iter(differing));
            }
        }
        if is_faulty {
            let _ = self.folder.keep();
        }
    }
}

/// Removes the lines with times, rates and the number of threads, those of statistics and progress, and the command
/// line of a page.
fn remove_times(text: &mut Vec<u8>) {
    // The last is the start of a line of progress: the name of the program, and the year.
    const TIMES: [&str; 7] = [
        "_seconds\": ",
        "_per_second\": ",
        "\"threads\": ",
        "/s",
        "(sums over threads)",
        "<pre>rapidoku ",
        "rapidoku: 20",
    ];
    let has_time = |line: &&[u8]| TIMES.iter().any(|time| memchr::memmem::find(line, time.as_bytes()).is_some());
    let lines = text.split_inclusive(|&byte| byte == b'\n').filter(|line| !has_time(line));
    *text = lines.collect::<Vec<_>>().concat();
}

/// Checks the cases with consecutive seeds as long as `goes_on` is true for their number.
fn check_cases(seed: u64, goes_on: impl Fn(u64) -> bool + Sync) -> Tally {
    let commands = commands();
    let (tally, next) = (Mutex::new(Tally::default()), AtomicU64::new(0));
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if tally.lock().unwrap().faults >= MAX_FAULTS || !goes_on(number) {
                        break;
                    }
                    Case::new(seed.wrapping_add(number), &commands).check(&tally);
                }
            });
        }
    });
    tally.into_inner().unwrap()
}

#[test]
#[ignore = "slow: .ci/run slow-tests"]
fn runs_with_many_threads_end_like_those_with_one() {
    const CASES: u64 = 240;
    let tally = check_cases(117_000, |number| number < CASES);
    assert_eq!(tally.faults, 0, "there are faults, see above");
    // Otherwise the cases would prove little.
    let ends_with = |command: &str, codes: [i32; 2]| {
        codes.iter().any(|code| tally.codes.contains(&(command.to_owned(), Some(*code))))
    };
    for command in commands().iter().filter(|command| command.get_arguments().any(command_line::is_inputs)) {
        let name = command.get_name();
        assert!(ends_with(name, [0, 1]), "all runs of {name} were refused");
        assert!(ends_with(name, [2, 2]), "no run of {name} was refused");
    }
}

/// `RAPIDOKU_RUNS` has the time in seconds and the first seed.
#[test]
#[ignore = "takes as long as it is told to: .ci/long"]
fn random_runs() {
    let [seconds, seed] = setting("RAPIDOKU_RUNS", [60, 0]);
    let end = Instant::now() + Duration::from_secs(seconds);
    let tally = check_cases(seed, |_| Instant::now() < end);
    println!("runs: {} random runs, {} faults, seed {seed}", tally.runs, tally.faults);
    assert_eq!(tally.faults, 0, "there are faults, see above");
}

/// Command lines that read the file `in`. Files are written into the folder `out`.
const LINES: [&str; 39] = [
    "solve in --unique --columns record,solution,guesses",
    "solve in -o out/x.npy",
    "check in",
    "check in --only multiple",
    "count in --limit 1000",
    "enumerate in --limit 3000",
    "verify in --unique --format csv",
    "rate in",
    "explain in --format json",
    "explain in -o out/x.html",
    "canon in --columns canonical,symmetry",
    "canon in --minlex",
    "minimize in --seed 2",
    "minimize in --all=20",
    "permute in --copies 3 --seed 5",
    "sample 99 in --seed 1",
    "shuffle in",
    "split in --parts a=50,b=50 -o out/{}.txt",
    "split in --parts a=50,b=50 -o out/{}.txt --by record",
    "split in --parts a=80,b=5,c=15 -o out/{}.txt --by er",
    "dedup in --mark",
    "dedup in --exact",
    "overlap in --in in",
    "stats in",
    "stats in -o out/x.html",
    "convert in --format pencilmarks",
    "convert in --format npy -o out/x.npy",
    "convert in --format sdk",
    "convert in --format ss",
    "convert in --format grid",
    "convert in --format html",
    "generate 1000 --seed 0",
    "generate 3000 --seed 0 --grids",
    "generate 40 --seed 0 --clues 22..23",
    "generate 500 --seed 0 --symmetry full",
    "generate 100 --seed 0 --pattern pattern",
    "generate 6 --seed 0 --pattern few",
    "generate 100 --seed 0 --unbiased --columns weight",
    "generate 1 --seed 0 --unbiased",
];

#[test]
fn levels_threads_and_ways_of_reading_make_no_difference() {
    let levels = SimdLevel::available().into_iter().map(|level| format!("--no-mmap --simd={level}"));
    let ways: Vec<String> = [String::new()].into_iter().chain(levels).collect();
    let text: String = SAMPLE.split_inclusive('\n').step_by(33).chain(["bad\n", CLASH]).collect();
    for line in LINES {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in [("in", &*text), ("pattern", PATTERN), ("few", FEW)] {
            file(&folder, name, content);
        }
        let command = commands().into_iter().find(|command| line.starts_with(command.get_name())).unwrap();
        let takes = |option: &str| command.get_arguments().any(|arg| arg.get_long() == Some(option));
        let batch = takes("batch-bytes").then_some(900);
        let mut case = Case { seed: 0, args: Vec::new(), batch, stdin: Vec::new(), folder };
        let mut first = None;
        for (k, way) in ways.iter().enumerate() {
            let way = words(way).filter(|word| takes(word[2..].split('=').next().unwrap()));
            case.args = words(line).chain(way).map(str::to_owned).collect();
            let end = case.run([(1, 1), (4, 3), (3, 1)][k % 3]).expect("it ends");
            assert!(matches!(end.code, Some(0 | 1)), "{line}: {:?}", end.texts["stderr"].escape_ascii());
            assert!(first.get_or_insert_with(|| end.clone()) == &end, "{:?}", case.args);
        }
    }
}

/// Of text and arrays, mapped and read, packed and plain.
#[test]
fn rows_before_a_failure_do_not_depend_on_batches() {
    let line = |k: usize| format!("{k},{PUZZLE}\n");
    let table = "id,puzzle\n".to_owned() + &(0..20_000).map(line).collect::<String>();
    let array = npy("|u1", "(99, 81)", &[[9; 1].as_slice(), &[0; 80]].concat().repeat(99));
    let packed = gzip(table.as_bytes());
    let document = gzip(format!("[{}]", vec![format!("\"{PUZZLE}\""); 20_000].join(",")).as_bytes());
    let zstd = zstd::encode_all(table.as_bytes(), 1).unwrap();
    for (what, bytes, rows) in [
        ("long line", [table.as_bytes(), &[b'1'; 2 << 20], b"\n1,2\n"].concat(), 20_000),
        ("long quote", [table.as_bytes(), b"\"", &[b'1'; 2 << 20], b"\n1,2\n"].concat(), 20_000),
        ("truncated gzip", packed[..packed.len() - 9].to_vec(), 12_000),
        ("truncated document", document[..document.len() - 99].to_vec(), 12_000),
        ("document without a checksum", document[..document.len() - 8].to_vec(), 12_000),
        ("truncated zstd", zstd[..zstd.len() - 9].to_vec(), 12_000),
        ("truncated array", array[..array.len() - 9].to_vec(), 0),
        ("more than an array", [&array[..], b"more"].concat(), 0),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = file(&folder, "in", &bytes);
        let run = |options: &str| call(&format!("solve -q {options} {path}"), b"");
        let first = run("-j 1");
        assert!(first.stdout().lines().count() >= rows, "{what}: {} rows", first.stdout().lines().count());
        for options in ["--batch-bytes 400", "--batch-bytes 3000 --no-mmap", "--batch-bytes 300000", "-j 8"] {
            let run = run(options);
            assert_eq!((run.code, &*run.stderr), (Some(2), &*first.stderr), "{what}, {options}");
            assert!(run.stdout == first.stdout, "{what}, {options}: {}", run.stdout().lines().count());
        }
    }
}
