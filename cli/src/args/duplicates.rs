//! Arguments of the commands that compare records.

use rapidoku::dedup::Equivalence;
use rapidoku::file::{Dedup, Format, Table};
use rapidoku::{Limits, SimdLevel};

use super::copies::copies;
use super::solver::SimdArgs;
use super::spill::SpillArgs;
use super::table::TableArgs;
use crate::solver::{LimitedSolver, SolverKind};

/// How records are compared.
#[derive(clap::Args)]
pub struct DuplicateArgs {
    /// Compare clues: puzzles are the same if their clues are, whatever their layout and their characters for blanks.
    /// Pencilmarks are compared by their candidates. Without this option, equivalent puzzles are the same, and pencilmarks are
    /// an error.
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
        (!self.exact)
            .then_some(LimitedSolver { kind: SolverKind::Lanes(self.simd.level), limits: Limits::UNIQUE })
    }
}

/// The tables of a command that filters records, for inputs that are tables and for others. By default rows have all columns
/// of the input, or the puzzle, and the columns `added`. `None` for text.
pub fn tables(args: &TableArgs, format: Format, added: &[&str]) -> anyhow::Result<Option<[Table; 2]>> {
    let table = args.table(format, Dedup::COLUMNS, if format == Format::Npy { &[] } else { added })?;
    Ok(match format {
        Format::Text => None,
        Format::Npy => {
            let table = copies(args, table);
            Some([table.clone(), table])
        }
        _ if args.has_columns() => Some([table.clone(), table]),
        _ => {
            let other = table.clone().passthrough(false).column_names([&["puzzle"], added].concat());
            Some([table.passthrough(true), other])
        }
    })
}
