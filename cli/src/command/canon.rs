//! `rapidoku canon`: the canonical form of each puzzle.

use std::ops::ControlFlow;
use std::process::ExitCode;

use rapidoku::canon::{Canonical, Canonicalizer};
use rapidoku::file::{BatchSolver, BatchView, Format, Job, RowSink, Table, Value};
use rapidoku::{Outcomes, SimdLevel, Status};

use crate::args::output::{self, OutputFormat};
use crate::args::solver::SearchArgs;
use crate::args::table::TableArgs;
use crate::run::{RunArgs, Task};
use crate::solver::LimitedSolver;

/// Write the canonical form of each puzzle, which is the same for equivalent puzzles.
///
/// The glossary of docs/guide.md defines equivalence. A puzzle with exactly one solution gets its form by way of the
/// solution. Other records get none, which is an empty line as text, unless --minlex is given. Compare forms of the same
/// method only. Pencilmarks have no form.
///
/// CSV and JSON lines have the columns puzzle,canonical,method,automorphisms,status. The method is 'solution' or 'minlex'.
/// 'automorphisms' counts the ways to move the cells that turn the puzzle into itself. The column 'symmetry' turns the puzzle into
/// its form: the source of each row, the source of each column and the new name of each digit, with a 't' in front if the puzzle
/// is transposed first.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku canon puzzles.txt | sort -u
  rapidoku canon kaggle.csv.gz --format csv --columns puzzle,canonical,automorphisms")]
pub struct Args {
    /// Use the lexicographically smallest equivalent puzzle as the form, for any number of solutions.
    #[arg(long)]
    minlex: bool,

    /// Output format: the form alone, or rows of CSV or JSON lines.
    #[arg(long, value_name = "FORMAT", value_parser = output::parser(OutputFormat::ROWS))]
    format: Option<OutputFormat>,

    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// Runs `rapidoku canon`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let format = args.table.choose_format(args.run.output_path(), args.format, OutputFormat::ROWS)?.format();
    let solver = args.search.solver(2);
    let defaults = ["puzzle", "canonical", "method", "automorphisms", "status"];
    let table = args.table.table(format, &COMPUTED, &defaults)?;
    let forms = Canonicalizer::new().level(solver.kind.level().unwrap_or_else(SimdLevel::detect)).threads(1);
    args.run.run(&Task::solving(solver), &Canon { solver, forms, is_minlex: args.minlex, table })?;
    Ok(ExitCode::SUCCESS)
}

/// The columns of a form.
const COMPUTED: [&str; 4] = ["canonical", "method", "automorphisms", "symmetry"];

/// Writes the form of each record: alone as text, with an empty line if there is none, or in a table.
#[derive(Clone, Debug)]
struct Canon {
    solver: LimitedSolver,
    forms: Canonicalizer,
    is_minlex: bool,
    table: Table,
}

impl Canon {
    /// The name of the method.
    fn method(&self) -> &'static str {
        if self.is_minlex { "minlex" } else { "solution" }
    }

    /// The form of each record of a batch.
    fn forms(&self, batch: &BatchView, outcomes: &Outcomes) -> Vec<Option<Canonical>> {
        let mut forms = Vec::new();
        let puzzles = batch.records.puzzles();
        if self.is_minlex {
            self.forms.minlex_into(puzzles, &mut forms);
            // A record that is not a puzzle has the status of a clash.
            for (form, status) in forms.iter_mut().zip(outcomes.statuses()) {
                *form = form.filter(|_| *status != Status::Invalid);
            }
        } else {
            self.forms.solved_into(puzzles, outcomes, &mut forms);
        }
        forms
    }
}

impl Job for Canon {
    fn table(&self) -> Option<&Table> {
        Some(&self.table)
    }

    fn accept_candidates(&self) -> Result<(), String> {
        Err("a form consists of clues".to_owned())
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(&self.solver)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let forms = self.forms(batch, outcomes);
        if self.table.format == Format::Text {
            let text = rows.text();
            for form in &forms {
                if let Some(form) = form {
                    text.extend_from_slice(&form.form.to_ascii());
                }
                text.push(b'\n');
            }
            return ControlFlow::Continue(());
        }
        let has_symmetry = self.table.has("symmetry");
        self.table.write(batch, outcomes, rows, |k, values| {
            let Some(form) = &forms[k] else { return };
            values[0] = Value::Cells(form.form.to_ascii());
            values[1] = Value::Word(self.method());
            values[2] = Value::Number(form.automorphisms.into());
            if has_symmetry {
                values[3] = Value::Text(form.symmetry.to_string().into());
            }
        })
    }
}
