//! `rapidoku same`: whether two puzzles are equivalent.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use rapidoku::file::{BatchView, Error, Job, LastRows, Needs, RowSink};
use rapidoku::{Outcomes, Puzzle, canon};

use crate::args::output::{self, OutputFormat};
use crate::run::{RunArgs, Task};

/// Tell whether two puzzles are equivalent, and by which symmetry.
///
/// Writes 'yes' and a symmetry that turns the first puzzle into the second one, or 'no'; the exit code is 1 then. The
/// puzzles may have any number of solutions, but no clash of clues. The glossary of docs/guide.md defines equivalence;
/// the symmetry has the form of the column 'symmetry' of 'canon', and 'permute --by' applies it. For many puzzles, see
/// 'canon', 'dedup' and 'overlap'.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku same first.txt second.txt
  sed -n '3p;8p' puzzles.txt | rapidoku same")]
pub struct Args {
    #[command(flatten)]
    run: RunArgs,
}

/// Runs `rapidoku same`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    args.run.reject_shard()?;
    output::choose_format(None, args.run.output.path(), &[OutputFormat::Text], OutputFormat::Text)?;
    let job = Same::default();
    args.run.run(&Task { reports_invalid: true, ..Task::default() }, &job)?;
    Ok(job.differ.into_inner().into())
}

#[derive(Default)]
struct Same {
    puzzles: Mutex<[Option<Puzzle>; 2]>,
    /// Whether they are not equivalent.
    differ: AtomicBool,
}

const NO_PANIC: &str = "no thread panics with the lock";

impl Job for Same {
    fn needs(&self) -> Needs<'_> {
        Needs { numbers: true, ..Needs::default() }
    }

    fn accept_candidates(&self) -> Result<(), String> {
        Err("equivalence is defined for clues only".to_owned())
    }

    fn write(&self, batch: &BatchView, _: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        for (number, k) in (batch.records_before..).zip(0..batch.records.len()) {
            let reason = match batch.layout.diagnose(batch.record(k)) {
                _ if number >= 2 => "a third puzzle, but 'same' compares two".to_owned(),
                Some((_, reason)) => reason.to_string(),
                None => {
                    self.puzzles.lock().expect(NO_PANIC)[number as usize] = Some(batch.records.puzzles()[k]);
                    continue;
                }
            };
            return rows.fail(0, Error::Format { name: batch.input.to_owned(), reason });
        }
        ControlFlow::Continue(())
    }

    fn finish(&self, rows: &mut LastRows) -> Result<(), Error> {
        let [Some(a), Some(b)] = *self.puzzles.lock().expect(NO_PANIC) else {
            let reason = format!("expected two puzzles, found {}", rows.stats().records);
            return Err(Error::Format { name: "same".to_owned(), reason });
        };
        let symmetry = canon::symmetry(&a, &b).expect("clues that clash were diagnosed");
        self.differ.store(symmetry.is_none(), Ordering::Relaxed);
        rows.write(symmetry.map_or("no\n".to_owned(), |symmetry| format!("yes {symmetry}\n")).as_bytes())
    }
}
