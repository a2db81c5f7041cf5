//! Mutation testing of the library: changes the source in small ways, one at a time, and looks for a test that fails.
//!
//! ```text
//! rapidoku-mutants [-s SECONDS] [-r SEED] [-o FOLDER] FILE...
//! ```
//!
//! Compiling each mutant would take minutes for each of thousands. So all changes are compiled into one copy of the project,
//! and a variable of the environment selects one of them at run time:
//!
//! 1. [`points`] rewrites the files in a copy of the project. Changes that do not compile are left out.
//! 2. Each test runs alone, without a change, and records the changes that it reaches.
//! 3. For each change, the tests that reach it run, the shortest first, until one fails.
//!
//! A test that does not end in a multiple of its usual time counts as failed, because a change of a loop may make it endless.
//! Mutants are tested in a random order that depends on SEED (default: 0), so that a run with a time limit is a sample of all.
//! The outcome of each is kept in FOLDER (default: `target/mutants`), where the next run goes on unless code or data have
//! changed.
//!
//! Prints the mutants that no test notices, except those in `tests/mutants/survivors.txt`, which has a reason for each, and a
//! line of numbers. The exit code is 1 if there are unexplained ones.

mod points;
mod run;

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

use anyhow::{Context, bail, ensure};

use points::Mutant;

const SURVIVORS: &str = "tests/mutants/survivors.txt";

/// Copies all files of the project that git knows, except those that have not changed. Returns a hash of those on which
/// outcomes depend: code, dependencies and data, without this package.
fn copy_project(root: &Path, tree: &Path) -> anyhow::Result<u64> {
    let mut hasher = DefaultHasher::new();
    let list = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output()?;
    ensure!(list.status.success(), "git ls-files failed");
    for file in String::from_utf8(list.stdout)?.split_terminator('\0') {
        let (from, to) = (root.join(file), tree.join(file));
        if from.exists() {
            let text = fs::read(&from)?;
            write_if_different(&to, &text)?;
            fs::set_permissions(&to, fs::metadata(&from)?.permissions())?;
            let is_input = [".rs", ".toml", ".lock"].iter().any(|end| file.ends_with(end))
                || file.starts_with("datasets/");
            if is_input && !file.starts_with("tests/mutants/") {
                (file, text).hash(&mut hasher);
            }
        }
    }
    Ok(hasher.finish())
}

fn write_if_different(path: &Path, text: &[u8]) -> anyhow::Result<()> {
    if fs::read(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().expect("a folder"))?;
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes the changed files. Returns all mutants.
fn rewrite(
    root: &Path,
    tree: &Path,
    files: &[String],
    excluded: &HashSet<String>,
) -> anyhow::Result<Vec<Mutant>> {
    let mut mutants = Vec::new();
    for file in files {
        let source = fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))?;
        let is_excluded = |mutant: &Mutant| excluded.contains(&mutant.name());
        let (of_file, text) = points::rewrite(file, &source, mutants.len(), &is_excluded)?;
        write_if_different(&tree.join(file), text.as_bytes())?;
        mutants.extend(of_file);
    }
    let library = fs::read_to_string(root.join("src/lib.rs"))?;
    // Changed code has superfluous parentheses, unreachable statements and constants that overflow.
    let allowed = "#![allow(warnings, arithmetic_overflow, unconditional_panic)]";
    let library = format!("{allowed} {library}\n#[doc(hidden)]\npub mod mutant;\n");
    write_if_different(&tree.join("src/lib.rs"), library.as_bytes())?;
    write_if_different(&tree.join("src/mutant.rs"), include_bytes!("runtime.rs"))?;
    Ok(mutants)
}

/// A command of cargo for the tests of the copy.
fn cargo(tree: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.args(arguments).current_dir(tree);
    command.args(["--locked", "--message-format=json", "-p", "rapidoku", "-p", "rapidoku-cli"]);
    command.args(["--lib", "--bins", "--test", "it"]).stderr(Stdio::null());
    command.env("CARGO_TARGET_DIR", tree.join("target"));
    command
}

/// The places of all errors in the output of cargo, as file and line.
fn errors(output: &[u8]) -> Vec<(String, usize)> {
    let mut places = Vec::new();
    for line in String::from_utf8_lossy(output).lines() {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let message = &message["message"];
        if message["level"] == "error" {
            for span in
                message["spans"].as_array().into_iter().flatten().filter(|span| span["is_primary"] == true)
            {
                let file = span["file_name"].as_str().unwrap_or_default().to_owned();
                places.push((file, span["line_start"].as_u64().unwrap_or_default() as usize));
            }
        }
    }
    places
}

/// Leaves out changes until the rest compiles, and compiles the tests. Returns the mutants and the programs with tests.
fn compile(root: &Path, tree: &Path, files: &[String]) -> anyhow::Result<(Vec<Mutant>, Vec<PathBuf>)> {
    let mut excluded = HashSet::new();
    loop {
        let mutants = rewrite(root, tree, files, &excluded)?;
        let output = cargo(tree, &["check", "--profile", "test"]).output()?;
        if output.status.success() {
            eprintln!("{} mutants; {} more do not compile", mutants.len(), excluded.len());
            return Ok((mutants, test_programs(&cargo(tree, &["test", "--no-run"]).output()?.stdout)?));
        }
        let before = excluded.len();
        for (file, line) in errors(&output.stdout) {
            let concerned =
                mutants.iter().filter(|mutant| mutant.file == file && mutant.lines.contains(&line));
            excluded.extend(concerned.map(Mutant::name));
        }
        eprintln!("{} mutants do not compile", excluded.len());
        if excluded.len() == before {
            bail!("errors outside of changed code: {:?}", errors(&output.stdout));
        }
    }
}

fn test_programs(output: &[u8]) -> anyhow::Result<Vec<PathBuf>> {
    let mut programs = Vec::new();
    for line in String::from_utf8_lossy(output).lines() {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        if message["profile"]["test"] == true
            && let Some(program) = message["executable"].as_str()
        {
            programs.push(PathBuf::from(program));
        }
    }
    ensure!(!programs.is_empty(), "no tests were compiled");
    Ok(programs)
}

/// The mutants with a reason to survive. A line has the name of the mutant, ` # ` and the reason.
fn explained(root: &Path) -> anyhow::Result<HashMap<String, String>> {
    let text = fs::read_to_string(root.join(SURVIVORS)).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (name, reason) =
                line.split_once(" # ").with_context(|| format!("{SURVIVORS}: no reason: {line}"))?;
            Ok((name.trim().to_owned(), reason.trim().to_owned()))
        })
        .collect()
}

fn main() -> anyhow::Result<ExitCode> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let mut arguments = env::args().skip(1);
    let (mut seconds, mut seed) = (u64::MAX, 0);
    let (mut folder, mut files) = (root.join("target/mutants"), Vec::new());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "-s" => seconds = arguments.next().context("-s needs a number")?.parse()?,
            "-r" => seed = arguments.next().context("-r needs a number")?.parse()?,
            "-o" => folder = arguments.next().context("-o needs a folder")?.into(),
            _ => files.push(argument),
        }
    }
    ensure!(!files.is_empty(), "which files?");
    let tree = folder.join("tree");
    fs::create_dir_all(&tree)?;
    let hash = copy_project(&root, &tree)?;
    let (mutants, programs) = compile(&root, &tree, &files)?;
    let tests = run::baseline(&root, &folder, &programs, mutants.len())?;
    let end = Instant::now().checked_add(Duration::from_secs(seconds));
    let path = folder.join(format!("outcomes-{hash:016x}.txt"));
    let outcomes = run::run(&path, &mutants, &tests, seed, end)?;

    let explained = explained(&root)?;
    let (mut caught, mut endless, mut known, mut missed) = (0, 0, 0, Vec::new());
    for (mutant, outcome) in mutants.iter().zip(&outcomes) {
        match outcome {
            None => {}
            Some(run::Outcome::Caught) => caught += 1,
            Some(run::Outcome::Endless) => endless += 1,
            Some(_) if explained.contains_key(&mutant.name()) => known += 1,
            Some(outcome @ (run::Outcome::Missed | run::Outcome::Unreached)) => {
                missed.push((mutant, *outcome == run::Outcome::Unreached));
            }
        }
    }
    missed.sort_by_key(|(mutant, _)| (&mutant.file, mutant.line));
    for (mutant, is_unreached) in &missed {
        let note = if *is_unreached { ", which no test reaches" } else { "" };
        println!("{}:{}: {}{note}", mutant.file, mutant.line, mutant.name());
    }
    for name in explained.keys() {
        if let Some(at) = mutants.iter().position(|mutant| mutant.name() == *name)
            && matches!(outcomes[at], Some(run::Outcome::Caught | run::Outcome::Endless))
        {
            eprintln!("{SURVIVORS}: a test notices this one: {name}");
        }
    }
    println!(
        "mutants: {} tested, {} caught, {} missed, {known} of them explained, {endless} without end, {} not tested",
        caught + endless + known + missed.len(),
        caught + endless,
        missed.len() + known,
        outcomes.iter().filter(|outcome| outcome.is_none()).count()
    );
    Ok(if missed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
