//! Arguments of the commands that compare records.

use rapidoku::SimdLevel;
use rapidoku::dedup::Equivalence;
use rapidoku::file::{Dedup, Format, Table};

use super::copies::copies;
use super::solver::SimdArgs;
use super::spill::SpillArgs;
use super::table::TableArgs;
use crate::solver::LimitedSolver;

/// How records are compared.
#[derive(clap::Args)]
pub struct DuplicateArgs {
    /// Compare clues: puzzles are the same if their clues are, whatever their layout and their characters for blanks.
    /// Pencilmarks are compared by their candidates. Without this option, equivalent puzzles are the same, and
    /// pencilmarks are an error.
    #[arg(long)]
    exact: bool,

    #[command(flatten)]
    pub spill: SpillArgs,

    #[command(flatten)]
    simd: SimdArgs,
}

impl DuplicateArgs {
    pub fn equivalence(&self) -> Equivalence {
        if self.exact { Equivalence::Exact } else { Equivalence::Symmetry }
    }

    pub fn level(&self) -> SimdLevel {
        self.simd.level
    }

    /// The solver for the statistics, if records are solved.
    pub fn solver(&self) -> Option<LimitedSolver> {
        (!self.exact).then(|| LimitedSolver::unique(self.simd.level))
    }
}

/// The rows: the numbers `added` after all columns of the input, or else copies of the records.
pub fn table(args: &TableArgs, format: Format, added: &[&str]) -> anyhow::Result<Table> {
    let added = if format == Format::Npy { &[] } else { added };
    Ok(copies(args, args.table(format, Dedup::COLUMNS, added)?))
}
