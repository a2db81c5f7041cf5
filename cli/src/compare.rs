//! Commands that compare records: their arguments, and their run.

use std::sync::atomic::{AtomicU64, Ordering};

use rapidoku::dedup::Equivalence;
use rapidoku::file::{Dedup, Error, Event, Format, Input, Run, Stats};
use rapidoku_jobs::solver::LimitedSolver;

use crate::args::output::OutputFormat;
use crate::args::solver::SimdArgs;
use crate::args::spill::SpillArgs;
use crate::args::table::TableArgs;
use crate::progress::Work;
use crate::run::{RunArgs, Task};

/// The arguments of these commands.
#[derive(clap::Args)]
pub struct CompareArgs {
    #[command(flatten)]
    table: TableArgs,

    /// Compare clues: puzzles are the same if their clues are, whatever their layout and their characters for blanks.
    /// Pencilmarks are compared by their candidates. Without this option, equivalent puzzles are the same, and
    /// pencilmarks are an error.
    #[arg(long)]
    exact: bool,

    #[command(flatten)]
    spill: SpillArgs,

    #[command(flatten)]
    simd: SimdArgs,

    #[command(flatten)]
    pub run: RunArgs,
}

impl CompareArgs {
    /// The comparison. Its rows have the numbers `added` after all columns of the input, or are copies of the records.
    pub fn dedup(&self, written: &[OutputFormat], added: &[&str]) -> anyhow::Result<Dedup> {
        let format = self.table.choose_format(self.run.output.path(), written)?.format();
        let added = if format == Format::Npy { &[] } else { added };
        let table = self.table.copies(self.table.table(format, Dedup::COLUMNS, added)?);
        let equivalence = if self.exact { Equivalence::Exact } else { Equivalence::Symmetry };
        Ok(Dedup { table, memory: self.spill.memory()?, ..Dedup::new(equivalence) })
    }

    /// Starts a run with `compare`, which also returns the number of duplicates.
    pub fn start(
        &self,
        others: &[Input],
        compare: impl FnOnce(Run, &mut dyn FnMut(Event)) -> Result<(Stats, u64), Error>,
    ) -> anyhow::Result<()> {
        self.run.reject_shard()?;
        self.run.reject_range()?;
        let duplicates = AtomicU64::new(0);
        let solver = (!self.exact).then(|| LimitedSolver::unique(self.simd.level));
        let work = Work::Comparing { duplicates: &duplicates, has_statuses: solver.is_some() };
        let task = Task { work, solver, others, ..Task::default() };
        self.run.start(&task, |mut run, on_event| {
            run.level = self.simd.level;
            let (stats, found) = compare(run, on_event)?;
            duplicates.store(found, Ordering::Relaxed);
            Ok(stats)
        })?;
        Ok(())
    }
}
