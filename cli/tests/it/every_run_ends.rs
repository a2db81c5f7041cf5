//! Every run ends, with an exit code that the guide documents, and with the same messages and output for every number of
//! threads. Commands, options and inputs are random. Most inputs are longer than the queue between workers and writer.

mod command_line;
mod inputs;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fmt, fs, thread};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tempfile::TempDir;

use crate::support::{PUZZLE, file, names, program, setting, solve, words};

/// A run takes seconds at most on an idle machine.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// No more cases are tried after this number of faults, because each run that hangs takes [`TIME_LIMIT`].
const MAX_FAULTS: u64 = 60;

/// Numbers of threads, and how many times as large as with one thread the batches are.
const THREADS: [(usize, usize); 3] = [(1, 1), (2, 3), (8, 1)];

/// The clues of a pattern that has puzzles.
const PATTERN: &[u8] = b"XX..X....X..XXX....XX....X.X...X...XX..X.X..XX...X...X.X....XX....XXX..X....X..XX";

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
#[derive(PartialEq)]
struct End {
    code: Option<i32>,
    /// Standard output, standard error, and the files written, without times and rates.
    texts: BTreeMap<String, Vec<u8>>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    Hang,
    Panic,
    ExitCode,
    Difference,
}

/// What was tried and found.
#[derive(Default)]
struct Tally {
    runs: u64,
    /// The number of cases of each command that have an exit code with one thread.
    codes: BTreeMap<(String, Option<i32>), u64>,
    /// The number of faults of each command.
    faults: BTreeMap<(Fault, String), u64>,
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
        let takes_long = matches!(command.get_name(), "explain" | "rate" | "stats")
            || args.iter().any(|arg| arg == "--engine");
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
        write("pattern", PATTERN);
        Case { seed, args, batch, stdin, folder }
    }

    /// The arguments, with the size of batches multiplied by `times`.
    fn args(&self, times: usize) -> Vec<String> {
        let batch =
            self.batch.iter().flat_map(|batch| ["--batch-bytes".to_owned(), (batch * times).to_string()]);
        self.args.iter().cloned().chain(batch).collect()
    }

    /// Runs the program. `None` if it does not end in time.
    fn run(&self, (threads, times): (usize, usize)) -> Option<End> {
        let out = self.folder.path().join("out");
        let _ = fs::remove_dir_all(&out);
        fs::create_dir(&out).unwrap();
        let mut command = program();
        command.args(self.args(times)).current_dir(&self.folder).env("RAPIDOKU_THREADS", threads.to_string());
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = pipes.spawn().unwrap();
        let (mut stdin, mut stdout, mut stderr) =
            (child.stdin.take().unwrap(), child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let (mut rows, mut messages) = (Vec::new(), Vec::new());
        let status = thread::scope(|scope| {
            // A program that does not read its input closes the pipe.
            scope.spawn(move || stdin.write_all(&self.stdin));
            scope.spawn(|| stdout.read_to_end(&mut rows).unwrap());
            scope.spawn(|| stderr.read_to_end(&mut messages).unwrap());
            wait(&mut child)
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
    fn fault(&self, end: Option<&End>, alone: Option<&End>) -> Option<Fault> {
        let Some(end) = end else { return Some(Fault::Hang) };
        let stderr = String::from_utf8_lossy(&end.texts["stderr"]);
        let may_fail_checks = matches!(self.command(), "bench" | "check" | "overlap" | "verify")
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
            _ if end.code == Some(101) || stderr.contains("panicked") => Some(Fault::Panic),
            _ if !is_documented => Some(Fault::ExitCode),
            Some(alone) if !is_same(alone) => Some(Fault::Difference),
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
        *tally.codes.entry((self.command().to_owned(), code)).or_default() += 1;
        let mut is_faulty = false;
        for ((threads, times), end) in THREADS.iter().zip(&ends) {
            let Some(fault) = self.fault(end.as_ref(), alone.as_ref()) else { continue };
            *tally.faults.entry((fault, self.command().to_owned())).or_default() += 1;
            is_faulty = true;
            let quoted: Vec<_> = self.args(*times).iter().map(|arg| format!("'{arg}'")).collect();
            let (folder, args) = (self.folder.path().display(), quoted.join(" "));
            println!(
                "{fault}, seed {}: cd {folder}; cat stdin | RAPIDOKU_THREADS={threads} rapidoku {args}",
                self.seed
            );
            if let (Fault::Difference, Some(end), Some(alone)) = (fault, end, alone) {
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

/// Waits for a process, and kills it after a time.
fn wait(child: &mut Child) -> Option<ExitStatus> {
    let deadline = Instant::now() + TIME_LIMIT;
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}

/// Removes the lines with times, rates and the number of threads, those of statistics and progress, and the command line of a page.
fn remove_times(text: &mut Vec<u8>) {
    const TIMES: [&str; 6] =
        ["_seconds\": ", "_per_second\": ", "\"threads\": ", "/s", "(sums over threads)", "<pre>rapidoku "];
    let has_time =
        |line: &&[u8]| TIMES.iter().any(|time| memchr::memmem::find(line, time.as_bytes()).is_some());
    let lines = text.split_inclusive(|&byte| byte == b'\n').filter(|line| !has_time(line));
    *text = lines.collect::<Vec<_>>().concat();
}

/// The definitions of all commands.
fn commands() -> Vec<clap::Command> {
    let mut program = rapidoku_cli::command();
    program.build();
    program.get_subcommands().filter(|command| command.get_name() != "help").cloned().collect()
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
                    let faults: u64 = tally.lock().unwrap().faults.values().sum();
                    if faults >= MAX_FAULTS || !goes_on(number) {
                        break;
                    }
                    Case::new(seed.wrapping_add(number), &commands).check(&tally);
                }
            });
        }
    });
    tally.into_inner().unwrap()
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::Hang => "hang",
            Fault::Panic => "panic",
            Fault::ExitCode => "undocumented exit code",
            Fault::Difference => "difference",
        })
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ((fault, command), count) in &self.faults {
            writeln!(f, "{fault}, {command}: {count}")?;
        }
        let count =
            |fault| self.faults.iter().filter(|((one, _), _)| *one == fault).map(|(_, n)| n).sum::<u64>();
        let [hangs, panics, codes, differences] =
            [Fault::Hang, Fault::Panic, Fault::ExitCode, Fault::Difference].map(count);
        write!(
            f,
            "runs: {} random runs, {hangs} hangs, {panics} panics, {codes} undocumented exit codes, {differences} \
             differences",
            self.runs
        )
    }
}

#[test]
fn runs_with_many_threads_end_like_those_with_one() {
    const CASES: u64 = 342;
    let tally = check_cases(7000, |number| number < CASES);
    assert!(tally.faults.is_empty(), "{tally}");
    // Otherwise the cases would prove little.
    let ends_with = |command: &str, codes: [i32; 2]| {
        codes.iter().any(|code| tally.codes.contains_key(&(command.to_owned(), Some(*code))))
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
    println!("{tally}, seed {seed}");
    assert!(tally.faults.is_empty(), "there are faults, see above");
}

/// Of text and arrays, mapped and read, packed and plain.
#[test]
fn rows_before_a_failure_do_not_depend_on_batches() {
    let line = |k: usize| format!("{k},{PUZZLE}\n");
    let table = "id,puzzle\n".to_owned() + &(0..20_000).map(line).collect::<String>();
    let array = [
        &b"\x93NUMPY\x01\x00\x76\x00"[..],
        format!("{:117}\n", "{'descr': '|u1', 'fortran_order': False, 'shape': (99, 81), }").as_bytes(),
        &[[9; 1].as_slice(), &[0; 80]].concat().repeat(99),
    ]
    .concat();
    let gzip = inputs::gzip(table.as_bytes());
    let document = inputs::gzip(format!("[{}]", vec![format!("\"{PUZZLE}\""); 20_000].join(",")).as_bytes());
    let zstd = zstd::encode_all(table.as_bytes(), 1).unwrap();
    for (what, bytes, rows) in [
        ("long line", [table.as_bytes(), &[b'1'; 2 << 20], b"\n1,2\n"].concat(), 20_000),
        ("long quote", [table.as_bytes(), b"\"", &[b'1'; 2 << 20], b"\n1,2\n"].concat(), 20_000),
        ("truncated gzip", gzip[..gzip.len() - 9].to_vec(), 12_000),
        ("truncated document", document[..document.len() - 99].to_vec(), 12_000),
        ("document without a checksum", document[..document.len() - 8].to_vec(), 12_000),
        ("truncated zstd", zstd[..zstd.len() - 9].to_vec(), 12_000),
        ("truncated array", array[..array.len() - 9].to_vec(), 0),
        ("more than an array", [&array[..], b"more"].concat(), 0),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = file(&folder, "in", &bytes);
        let run = |options: &str| solve(words(&format!("-q {options} {path}")), b"");
        let first = run("-j 1");
        assert!(first.stdout().lines().count() >= rows, "{what}: {} rows", first.stdout().lines().count());
        for options in ["--batch-bytes 400", "--batch-bytes 3000 --no-mmap", "--batch-bytes 300000", "-j 8"] {
            let run = run(options);
            assert_eq!((run.code, &*run.stderr), (Some(2), &*first.stderr), "{what}, {options}");
            assert!(run.stdout == first.stdout, "{what}, {options}: {}", run.stdout().lines().count());
        }
    }
}
