//! Runs that are bounded, and that end, whatever the event handler, the output or the job does. A deadlock fails these
//! tests by their timeout only.

use std::fs;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use rapidoku::file::internal::thread_count;
use rapidoku::file::{
    BatchSolver, BatchView, Error, Event, Input, InputFormat, InputOptions, InputStart, Job, LastRows, Needs, Output,
    RowSink, Run, Shard,
};
use rapidoku::outcome::PuzzleSlice;
use rapidoku::{CancelToken, Cancelled, Outcomes, Solver, Status};
use tempfile::TempDir;

use crate::support::{PUZZLE, rows};

/// Writes the status of each record and counts the batches that have been solved.
#[derive(Default)]
struct Statuses {
    solved_batches: AtomicUsize,
    panics: bool,
}

impl BatchSolver for Statuses {
    fn solve_batch(
        &self,
        puzzles: PuzzleSlice,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
    ) -> Result<(), Cancelled> {
        assert!(!self.panics, "on purpose");
        Solver::new().count(puzzles, outcomes, cancel, |_| ())?;
        self.solved_batches.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

impl Job for Statuses {
    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(self)
    }

    fn write(&self, _: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        for status in outcomes.statuses() {
            rows.text().extend_from_slice(status.name().as_bytes());
            rows.text().push(b'\n');
        }
        ControlFlow::Continue(())
    }
}

/// A file of invalid records and an output, in a temporary folder.
struct Files {
    folder: TempDir,
    input: PathBuf,
}

impl Files {
    fn with_invalid_records(records: usize) -> Files {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("invalid.txt");
        fs::write(&input, "x\n".repeat(records)).unwrap();
        Files { folder, input }
    }

    /// The calling thread writes if there are fewer threads than cores, otherwise the workers do.
    fn run(&self, threads: usize) -> Run {
        let output = Output::create(self.folder.path().join("output.txt"));
        Run {
            input_options: InputOptions { format: InputFormat::Lines, ..InputOptions::default() },
            threads,
            batch_bytes: Some(1000),
            reported: u64::MAX,
            ..Run::default()
        }
        .input(&self.input)
        .output(output.unwrap())
    }
}

/// Both ways of writing.
fn thread_counts() -> [usize; 3] {
    [1, thread_count(0), thread_count(0) + 2]
}

#[test]
fn what_stands_in_an_argument_has_a_status() {
    let folder = tempfile::tempdir().unwrap();
    let joined = format!("{PUZZLE} {PUZZLE}");
    let long = format!("{PUZZLE}1");
    let grid: Vec<_> = rows(PUZZLE).collect();
    let arguments = [
        PUZZLE.to_owned(),
        joined.clone(),
        format!("{long}\n{PUZZLE}\n{joined}"),
        grid.join("\n"),
        grid[..8].join("\n"),
        format!("oops\n{PUZZLE}"),
    ];
    let path = folder.path().join("output.txt");
    let mut run = Run::default().output(Output::create(&path).unwrap());
    run.inputs = arguments.map(Input::Text).into();
    run.start(&Statuses::default(), &mut |_| {}).unwrap();
    let words = ["unique", "invalid", "invalid", "unique", "invalid", "unique", "invalid", "invalid", "unique"];
    assert_eq!(fs::read_to_string(path).unwrap(), words.map(|word| format!("{word}\n")).concat());
}

#[test]
fn workers_wait_for_a_slow_event_handler() {
    let files = Files::with_invalid_records(200_000);
    for threads in thread_counts() {
        let job = Statuses::default();
        let solved = || job.solved_batches.load(Ordering::SeqCst);
        // The window of the queue, a batch per worker, one in the channel and one on either side of it.
        let bound = (2 * threads + 2) + threads + 3;
        let (mut next, mut most) = (1, 0);
        let stats = files.run(threads).start(&job, &mut |event| {
            let Event::Invalid(invalid) = event else { return };
            assert_eq!(invalid.record, next);
            if next == 1 {
                // Time for an unbounded queue to grow. The assertion holds for any duration if the queue is bounded.
                for _ in 0..200 {
                    most = solved();
                    if most > bound {
                        break;
                    }
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            next += 1;
        });
        assert_eq!(stats.unwrap().counts.invalid, 200_000);
        assert_eq!(next, 200_001);
        assert!(most <= bound, "{most} batches at {threads} threads");
    }
}

#[test]
fn a_batch_of_many_invalid_records_is_reported_in_parts() {
    let files = Files::with_invalid_records(100_000);
    for threads in thread_counts() {
        let run = Run { batch_bytes: Some(1 << 20), ..files.run(threads) };
        let (mut reported, mut part) = (0, 0);
        let job = Statuses::default();
        run.start(&job, &mut |event| match event {
            Event::Invalid(_) => {
                (reported, part) = (reported + 1, part + 1);
                // At most those of a part of the batch.
                assert!(part <= 8192);
            }
            Event::Progress { .. } => part = 0,
            other => unreachable!("the job keeps no rows: {other:?}"),
        })
        .unwrap();
        // The batch is solved in parts too.
        assert_eq!((reported, job.solved_batches.load(Ordering::SeqCst)), (100_000, 13));
    }
}

#[test]
fn a_panic_of_the_event_handler_or_the_job_ends_the_run() {
    let files = Files::with_invalid_records(100_000);
    for (threads, panics) in thread_counts().into_iter().flat_map(|threads| [(threads, false), (threads, true)]) {
        let job = Statuses { panics, ..Statuses::default() };
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            files.run(threads).start(&job, &mut |event| {
                assert!(panics || !matches!(event, Event::Invalid(_)), "on purpose");
            })
        }));
        assert!(panicked.is_err());
        assert!(!files.folder.path().join("output.txt").exists());
    }
}

#[test]
fn a_run_cancelled_by_the_event_handler_ends() {
    let files = Files::with_invalid_records(100_000);
    for threads in thread_counts() {
        let cancel = CancelToken::new();
        let run = Run { cancel: cancel.clone(), ..files.run(threads) };
        let job = Statuses::default();
        let result = run.start(&job, &mut |_| cancel.cancel());
        assert!(matches!(result, Err(Error::Cancelled)), "{result:?}");
        let batches = job.solved_batches.load(Ordering::SeqCst);
        assert!(batches <= 3 * threads + 10, "{batches} of 200 batches were solved");
        assert_eq!(fs::read_dir(files.folder.path()).unwrap().count(), 1, "only the input is left");
    }
}

/// Copies nothing. It fails at a record of the run, refuses an input, or leaves a batch without a reason.
#[derive(Default)]
struct Fails {
    at_record: Option<u64>,
    refuses: Option<&'static str>,
    leaves: bool,
}

impl Job for Fails {
    fn needs(&self) -> Needs<'_> {
        Needs { numbers: self.at_record.is_some(), ..Needs::default() }
    }

    fn accept(&self, input: &InputStart) -> Result<(), Error> {
        match (self.refuses, input.first) {
            (Some(reason), Some((name, _))) => Err(input.reject(format!("{reason} after '{name}'"))),
            _ => Ok(()),
        }
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        (0..batch.records.len()).for_each(|k| outcomes.set_status(k, Status::Invalid));
        if self.leaves {
            return ControlFlow::Break(());
        }
        match self.at_record.and_then(|record| record.checked_sub(batch.records_before)) {
            Some(k) if k < batch.records.len() as u64 => rows.fail(k as usize, Error::ShardNumbers),
            _ => ControlFlow::Continue(()),
        }
    }
}

impl Files {
    /// The error of a run and the number of invalid records before it.
    fn fail(run: Run, job: &Fails) -> (String, u64) {
        let mut reported = 0;
        let result = run.start(job, &mut |event| {
            reported += u64::from(matches!(event, Event::Invalid(_)));
        });
        (result.unwrap_err().to_string(), reported)
    }
}

/// Much more than fits into the queue.
const MANY: usize = 50_000;

#[test]
fn a_refused_input_ends_the_run_after_the_rows_before_it() {
    let files = Files::with_invalid_records(MANY);
    let job = Fails { refuses: Some("no input"), ..Fails::default() };
    let name = files.input.display();
    let expected = (format!("'{name}': no input after '{name}'"), MANY as u64);
    for threads in [1, 2, 3, 8] {
        // There are more batches after the refused one.
        let run = files.run(threads).input(&files.input).input(&files.input);
        assert_eq!(Files::fail(run, &job), expected, "{threads} threads");
    }
}

#[test]
fn a_failing_record_ends_the_run_after_the_rows_before_it() {
    let files = Files::with_invalid_records(MANY);
    for record in [0, 1, 4321, MANY as u64 - 1] {
        let job = Fails { at_record: Some(record), ..Fails::default() };
        let expected = (Error::ShardNumbers.to_string(), record);
        for threads in [1, 2, 3, 8] {
            for batch_bytes in [1000, 1 << 20] {
                let run = Run { batch_bytes: Some(batch_bytes), ..files.run(threads) };
                assert_eq!(Files::fail(run, &job), expected, "{threads} threads, {batch_bytes} bytes");
            }
        }
    }
}

/// Otherwise its rows would be missing from an output that looks complete.
#[test]
fn a_job_that_leaves_a_batch_cancels_the_run() {
    let files = Files::with_invalid_records(MANY);
    for threads in thread_counts() {
        let job = Fails { leaves: true, ..Fails::default() };
        assert_eq!(Files::fail(files.run(threads), &job), ("cancelled".to_owned(), 0));
    }
}

/// Writes one row, slowly, after all records.
struct SlowEnd;

impl Job for SlowEnd {
    fn write(&self, _: &BatchView, _: &mut Outcomes, _: &mut RowSink) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn finish(&self, rows: &mut LastRows) -> Result<(), Error> {
        std::thread::sleep(Duration::from_millis(50));
        rows.write(b"the end\n")
    }
}

#[test]
fn rows_at_the_end_count_in_statistics() {
    let files = Files::with_invalid_records(1);
    let stats = files.run(1).start(&SlowEnd, &mut |_| ()).unwrap();
    assert_eq!(stats.output_bytes, 8);
    assert!(stats.writing_seconds >= 0.05, "{}", stats.writing_seconds);
}

/// Writes the size of each record.
struct Sizes;

impl Job for Sizes {
    fn solver(&self) -> Option<&dyn BatchSolver> {
        None
    }

    fn write(&self, batch: &BatchView, _: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        for k in 0..batch.records.len() {
            rows.text().extend(format!("{}\n", batch.layout.record_bytes(batch.record(k)).len()).into_bytes());
        }
        ControlFlow::Continue(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Quotes that may be open or closed at any line, over more than a megabyte.
    #[test]
    fn shards_of_a_table_have_its_rows(
        pieces in prop::collection::vec(
            (prop::sample::select(&["a,", "\"", "b\n", "\"b\nc\",", "a\",\"\n", "\",\n", "d\r\n", "\"\"", "\n"][..]), 1..4_usize),
            1..40,
        ),
        size in prop::sample::select(&[1, 1000, 2_500_000][..]),
        shards in 2..6_u64,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let [input, output] = ["in", "out"].map(|name| folder.path().join(name));
        let text = pieces.iter().map(|(piece, count)| piece.repeat(*count)).collect::<String>() + "e\n";
        fs::write(&input, format!("puzzle,a\n{}", text.repeat(size / text.len() + 1))).unwrap();
        let options = InputOptions { format: InputFormat::Csv, ..InputOptions::default() };
        let sizes = |run: Run| {
            let output_file = Output::create(&output).unwrap();
            let run = Run { input_options: options.clone(), ..run }.input(&input).output(output_file);
            run.start(&Sizes, &mut |_| ()).unwrap();
            fs::read_to_string(&output).unwrap()
        };
        let whole = sizes(Run::default());
        let of_shards: String =
            (1..=shards).map(|shard| sizes(Run { shard: Shard::new(shard, shards), ..Run::default() })).collect();
        prop_assert!(of_shards == whole, "{text:?} up to {size} bytes");
    }
}
