//! `rapidoku stats`: a description of a set of puzzles.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueHint;
use rapidoku::file::{Describe, Description, Error, Output};
use rapidoku::{Limits, SimdLevel};

use crate::args::output::{self, OutputFormat};
use crate::args::solver::level_parser;
use crate::describe;
use crate::run::{RunArgs, Task};
use crate::solver::{LimitedSolver, SolverKind};

/// Describe a set of puzzles: statuses, clues, guesses, techniques, duplicates, layout.
///
/// Both equal and equivalent puzzles are counted as duplicates. Their numbers are exact for up to 7,340,032 different puzzles;
/// above that, they are estimates from a random sample of several million, and marked as such.
///
/// Guesses are those of the lane engine until it is known whether the solution is unique. Techniques are those of 'rapidoku
/// rate'. Ratings take most of the time, and canonical forms most of the rest: see --no-rate and --no-equivalent.
#[derive(clap::Args)]
#[command(mut_arg("output", |output| output.help(OUTPUT)), after_help = "\
Examples:
  rapidoku stats puzzles.txt
  rapidoku stats kaggle.csv.gz --no-rate --report kaggle.html
  rapidoku stats puzzles.txt --format json | jq .equivalent.duplicates")]
pub struct Args {
    /// Output format. By default, the extension of the output selects it, or else it is text.
    #[arg(long, value_name = "FORMAT", value_parser = output::parser(FORMATS))]
    format: Option<OutputFormat>,

    /// Write the histograms to FILE as SVG.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    svg: Option<PathBuf>,

    /// Write a self-contained HTML page to FILE.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    report: Option<PathBuf>,

    /// Do not rate puzzles.
    #[arg(long)]
    no_rate: bool,

    /// Do not count equal puzzles.
    #[arg(long)]
    no_equal: bool,

    /// Do not count equivalent puzzles.
    #[arg(long)]
    no_equivalent: bool,

    /// Instruction set of the solver; 'auto' selects the widest that this machine supports.
    #[arg(long, value_name = "LEVEL", default_value = "auto", value_parser = level_parser())]
    simd: SimdLevel,

    /// The number of different puzzles up to which duplicates are counted exactly.
    #[arg(long, hide = true, value_name = "N")]
    max_distinct: Option<usize>,

    #[command(flatten)]
    run: RunArgs,
}

/// The help of `--output`.
const OUTPUT: &str =
    "Write the text or the JSON to FILE instead of standard output; it appears only when it is complete";

/// The formats of the description.
const FORMATS: &[OutputFormat] = &[OutputFormat::Text, OutputFormat::JsonObject];

/// Runs `rapidoku stats`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut describe = Describe::new().level(args.simd).rates(!args.no_rate);
    describe = describe.equal(!args.no_equal).equivalent(!args.no_equivalent);
    if let Some(max_distinct) = args.max_distinct {
        describe = describe.max_distinct(max_distinct);
    }
    let text = match args.run.choose_format(args.format, FORMATS)? {
        OutputFormat::Text => describe::text::text,
        _ => |description: &Description| format!("{:#}\n", description.to_json()),
    };
    let mut outputs = vec![("--output", args.run.output_path())];
    let mut writers: Vec<fn(&Description) -> String> = vec![text];
    if let Some(path) = &args.svg {
        output::check_name("--svg", path, OutputFormat::Svg)?;
        outputs.push(("--svg", Some(path)));
        writers.push(describe::svg::file);
    }
    if let Some(path) = &args.report {
        output::check_name("--report", path, OutputFormat::Html)?;
        outputs.push(("--report", Some(path)));
        writers.push(describe::html::page);
    }
    let solver = LimitedSolver { kind: SolverKind::Lanes(args.simd), limits: Limits::UNIQUE };
    args.run.reject_shard()?;
    let task = Task { outputs: &outputs, ..Task::solving(solver) };
    args.run.start(&task, |mut run, on_event| {
        let files = std::mem::take(&mut run.outputs);
        let (description, mut stats) = describe.run(run, on_event)?;
        for (file, writer) in files.into_iter().zip(&writers) {
            stats.output_bytes += write(file, &writer(&description))?;
        }
        Ok(stats)
    })?;
    Ok(ExitCode::SUCCESS)
}

fn write(mut file: Output, text: &str) -> Result<u64, Error> {
    file.write(text.as_bytes())?;
    file.finish().map(|()| text.len() as u64)
}
