//! `rapidoku split`: parts for training and testing that share no equivalent puzzles.

use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::ValueHint;
use rapidoku::file::{Ratings, Split};
use rapidoku::rating::Difficulty;
use rapidoku_jobs::solver::LimitedSolver;

use crate::args::number::parse_max_er;
use crate::args::output::check_name;
use crate::args::solver::{ER_COLUMN, SimdArgs};
use crate::progress::Work;
use crate::rows::CopyArgs;
use crate::run::Task;

/// Divide the records into parts, such as train and test, that share no equivalent puzzles.
///
/// Equivalent puzzles, which the glossary of docs/guide.md defines, are always in the same part. This also holds for
/// other files and other runs with the same seed and percentages, so the parts of several files can be joined.
///
/// The part of each class of equivalent puzzles is drawn at random, so the shares of the records differ a little from
/// the percentages; a message has the numbers. Puzzles with several solutions or none have classes too. The part of a
/// record that is not a puzzle depends on its text, that of a puzzle whose clues clash on its clues.
///
/// With --by er, the parts also have the same difficulties.
///
/// The records are copied byte for byte, in input order, with the header of a table in each part.
#[derive(clap::Args)]
#[command(mut_arg("output", |output| output.help(OUTPUT).value_name("TEMPLATE").required(true)), after_help = "\
Examples:
  rapidoku split kaggle.csv.gz --parts train=90,test=10 -o 'kaggle-{}.csv'
  rapidoku split puzzles.txt --parts train=80,validation=10,test=10 --seed 7 -o 'sets/{}.txt.gz'
  rapidoku split puzzles.txt --by er --parts train=80,test=20 -o 'sets-{}.txt'")]
pub struct Args {
    /// Names of the parts with their percentages, which must add up to 100.
    #[arg(long, value_name = "NAME=PERCENT,..", value_delimiter = ',', value_parser = parse_part, required = true)]
    parts: Vec<(String, f64)>,

    /// How the part of a record is drawn.
    #[arg(long, value_enum, value_name = "RULE", default_value_t = Rule::Class)]
    by: Rule,

    /// With --by er: rate up to this ER. Harder puzzles, which take long, count as equally hard.
    #[arg(long, value_name = "X", value_hint = ValueHint::Other, value_parser = parse_max_er)]
    max_er: Option<Difficulty>,

    #[arg(long, value_name = "COLUMN", help = format!("With --by er: {}{}", ER_COLUMN[..1].to_lowercase(), &ER_COLUMN[1..]))]
    er_column: Option<String>,

    /// Seed of the random numbers. The same seed gives the same parts.
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    simd: SimdArgs,

    #[command(flatten)]
    copies: CopyArgs,
}

/// How the part of a record is drawn.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Rule {
    /// Equivalent puzzles are in the same part. Pencilmarks are an error.
    Class,
    /// The same, and the parts have the same difficulties: in every range of ratings, as 'rapidoku rate' gives them,
    /// the number of classes in a part differs from its share by less than 1 (of three parts by less than 2, and so
    /// on). Which classes are drawn depends on the seed. If ratings of equivalent puzzles differ, the lowest counts.
    /// Inputs are read twice and need up to 64 bytes of memory for each record. The parts of other files and runs are
    /// not the same.
    Er,
    /// By the number of the record. This is faster, because no puzzle is solved, but parts may share equivalent and
    /// even equal puzzles, and depend on the order of the records.
    Record,
}

/// The help of `--output`.
const OUTPUT: &str = "Name of the outputs, with {} for the name of the part: 'sets-{}.csv'. They appear only when they are \
    complete. Compressed if the name ends in .gz or .zst. The extension before that selects the format";

/// Runs `rapidoku split`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    ensure!(args.by == Rule::Er || args.max_er.is_none(), "--max-er requires --by er");
    ensure!(args.by == Rule::Er || args.er_column.is_none(), "--er-column requires --by er");
    if args.by == Rule::Er {
        args.copies.run.reject_range()?;
        args.copies.run.reject_shard()?;
    }
    args.check_parts()?;
    let parts = &args.parts;
    let paths = args.paths()?;
    let format = args.copies.format()?;
    // A name may get its extension from that of a part.
    paths.iter().try_for_each(|path| check_name("--output", path, format))?;
    let weights: Vec<f64> = parts.iter().map(|(_, share)| *share).collect();
    let mut job = Split::new(&weights, args.seed).by_record(args.by == Rule::Record).level(args.simd.level);
    job = job.table(args.copies.table()?);
    let solver = LimitedSolver::unique(args.simd.level);
    let (work, solver) = match args.by {
        Rule::Class => (Work::Solving, Some(solver)),
        Rule::Er => (Work::Rating, Some(solver)),
        Rule::Record => (Work::Copying, None),
    };
    let ratings = Ratings::new(args.simd.rater(), args.max_er).column(args.er_column.clone());
    let outputs: Vec<_> = paths.iter().map(|path| ("--output", Some(&**path))).collect();
    let task = Task { outputs: &outputs, work, solver, ..Task::default() };
    let stats = args.copies.run.start(&task, |run, on_event| match args.by {
        Rule::Er => job.run_by_er(&ratings, run, on_event),
        _ => run.start(&job, on_event),
    })?;
    let share = |records: u64| 100.0 * records as f64 / stats.records.max(1) as f64;
    let parts = parts.iter().zip(job.records());
    let parts = parts.map(|((name, _), records)| format!("{name} {records} ({:.2} %)", share(records)));
    let parts: Vec<_> = parts.collect();
    args.copies.run.output.message(format_args!("records: {}, {}", stats.records, parts.join(", ")));
    Ok(0)
}

impl Args {
    /// Checks the names and percentages of the parts.
    fn check_parts(&self) -> anyhow::Result<()> {
        for (k, (name, _)) in self.parts.iter().enumerate() {
            let is_new = self.parts[..k].iter().all(|(other, _)| other != name);
            ensure!(is_new, "two parts have the name '{name}'");
        }
        let total: f64 = self.parts.iter().map(|(_, share)| share).sum();
        ensure!((total - 100.0).abs() < 1e-6, "the percentages add up to {total}, not to 100");
        Ok(())
    }

    fn paths(&self) -> anyhow::Result<Vec<PathBuf>> {
        let template = self.copies.run.output.path().context("no --output")?;
        let template = template.to_str().context("the name of the outputs is not UTF-8")?;
        let is_template = template.contains("{}");
        ensure!(is_template, "--output '{template}' needs {{}} for the name of the part, such as 'sets-{{}}.csv'");
        Ok(self.parts.iter().map(|(name, _)| template.replace("{}", name).into()).collect())
    }
}

fn parse_part(text: &str) -> Result<(String, f64), String> {
    let (name, share) = text.rsplit_once('=').ok_or("expected NAME=PERCENT")?;
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ' | '+');
    if name.is_empty() || !name.chars().all(is_plain) {
        return Err("a name consists of letters, digits, '-', '_', '.', '+' and spaces".to_owned());
    }
    let share = share.strip_suffix('%').unwrap_or(share).parse().ok();
    let share = share.filter(|share| *share > 0.0 && *share <= 100.0).ok_or("expected a percentage")?;
    Ok((name.to_owned(), share))
}
