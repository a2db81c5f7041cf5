//! `rapidoku convert`: puzzles in another format.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::bail;
use clap::ValueEnum;
use rapidoku::file::internal::{
    NOT_PUZZLE, push_candidates, push_game, push_grid, push_not_puzzle, push_npy_row, push_sdk, push_sdx,
    push_ss, puzzle_cells,
};
use rapidoku::file::{BatchView, Column, Error, Format, Job, Layout, RowSink, Table, Value};
use rapidoku::grid::CELLS;
use rapidoku::{Candidates, Outcomes, Status};

use crate::args::table::TableArgs;
use crate::progress::Work;
use crate::run::RunArgs;
use crate::solution::{EXAMINED, has_solutions, solution};
use crate::stderr;

/// Write the puzzles of files in another format, without solving them.
///
/// Records keep their order. Lines, pencilmarks, CSV and JSON lines keep the solution of a record, in the solution column of a
/// table or after the puzzle in a line; for other formats, the number of solutions left out is reported. The puzzles of formats with clues can be written as pencilmarks: all nine
/// candidates for each blank. Pencilmarks with other lists of candidates can be written as pencilmarks, sdx, candidates, CSV and
/// JSON lines only; with another format the run ends with an error.
///
/// A record that is not a puzzle is reported and keeps its place. Lines, CSV and JSON lines have its text (escaped in lines, if it could be
/// read as something else); the other formats
/// have a grid of ones, which is invalid.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku convert puzzles.npy -o puzzles.csv
  rapidoku convert kaggle.csv --to jsonl --passthrough > kaggle.jsonl
  rapidoku convert forum.txt --to pencilmarks
  rapidoku convert *.sdk --to lines --blank 0 -o collection.sdm")]
pub struct Args {
    /// Format of the output. Without it, the extension of the output selects it: csv, jsonl, npy, sdk, sdm, ss, sdx, xml;
    /// else it is lines.
    #[arg(long, alias = "format", value_enum, value_name = "FORMAT")]
    to: Option<Target>,

    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    run: RunArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// 81 characters per line, and a comma and the solution if there is one; also 'text'.
    #[value(alias = "text")]
    Lines,
    /// 729 characters per line, and a comma and the solution if there is one.
    Pencilmarks,
    /// The columns puzzle and, if there are any, solution as CSV with a header.
    Csv,
    /// The same as one JSON object per line; also 'json' and 'ndjson'.
    #[value(aliases = ["json", "ndjson"])]
    Jsonl,
    /// A NumPy array of bytes with the shape (N, 81), 0 for a blank; needs -o.
    Npy,
    /// Nine lines of nine characters after the title '[Puzzle]' (SadMan).
    Sdk,
    /// 81 characters per line, 0 for a blank (SudoCue).
    Sdm,
    /// A frame of nine lines (Simple Sudoku).
    Ss,
    /// Nine lines of nine lists of candidates (SudoCue).
    Sdx,
    /// Nine lines of nine characters and spaces, with rules.
    Grid,
    /// Nine lines of nine lists of candidates, aligned in a frame.
    Candidates,
    /// OpenSudoku XML; also 'xml'.
    #[value(name = "opensudoku", alias = "xml")]
    OpenSudoku,
}

impl Target {
    /// The format of the library, if the rows are not text.
    fn format(self) -> Format {
        match self {
            Target::Csv => Format::Csv,
            Target::Jsonl => Format::Jsonl,
            Target::Npy => Format::Npy,
            _ => Format::Text,
        }
    }

    fn has_columns(self) -> bool {
        matches!(self, Target::Csv | Target::Jsonl)
    }

    /// Whether rows can have solutions.
    fn has_solutions(self) -> bool {
        self.has_columns() || matches!(self, Target::Lines | Target::Pencilmarks)
    }

    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Whether puzzles are written as candidates.
    fn is_candidates(self) -> bool {
        matches!(self, Target::Pencilmarks | Target::Sdx | Target::Candidates)
    }

    /// The character for blanks, unless that of the input is kept.
    fn blank(self, chosen: Option<u8>) -> anyhow::Result<Option<u8>> {
        match self {
            Target::Npy | Target::Sdx | Target::Candidates | Target::OpenSudoku if chosen.is_some() => {
                bail!("--blank: this format has no choice of characters for blanks")
            }
            Target::Lines | Target::Csv | Target::Jsonl => Ok(chosen),
            Target::Sdm | Target::OpenSudoku | Target::Npy => Ok(chosen.or(Some(b'0'))),
            _ => Ok(chosen.or(Some(b'.'))),
        }
    }
}

/// Runs `rapidoku convert`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let target = args.run.choose_format(args.to, Target::Lines)?;
    let format = target.format();
    let (blank, tables) = if target.has_columns() {
        // With the columns of the input, its solutions are among them.
        let with: &[&str] = if args.table.is_table() { &["puzzle"] } else { &["puzzle", "solution"] };
        let tables = [&["puzzle"][..], with];
        let [without, with] = tables.map(|columns| args.table.table(format, &COMPUTED, columns));
        let tables = [without?, with?];
        if tables[0]
            .columns
            .iter()
            .any(|column| matches!(column, Column::Status | Column::Solutions | Column::Guesses))
        {
            bail!("--columns: 'convert' does not solve, so it has no columns status, solutions and guesses");
        }
        (None, tables)
    } else {
        (target.blank(args.table.blank_alone()?)?, [Table::new(format), Table::new(format)])
    };
    let chooses_columns = args.table.is_table();
    let (has_solutions, dropped) = (OnceLock::new(), AtomicU64::new(0));
    let job = Convert { target, blank, tables, chooses_columns, has_solutions, dropped };
    args.run.run_as(Work::Copying, None, &job)?;
    let dropped = job.dropped.into_inner();
    if dropped > 0 && !args.run.is_quiet() {
        stderr::message(format_args!(
            "solutions not written: {dropped}; the format {} has puzzles only; lines, csv and jsonl have both",
            target.name()
        ));
    }
    Ok(ExitCode::SUCCESS)
}

const COMPUTED: [&str; 1] = ["solution"];

/// Writes each record in another format.
struct Convert {
    target: Target,
    /// The character for blanks, unless that of the input is kept.
    blank: Option<u8>,
    /// The tables for inputs without and with solutions.
    tables: [Table; 2],
    chooses_columns: bool,
    /// Whether the first input has solutions.
    has_solutions: OnceLock<bool>,
    /// The number of solutions that the format has no place for.
    dropped: AtomicU64,
}

/// [`NOT_PUZZLE`] as candidates.
fn not_puzzle_candidates() -> Candidates {
    let marks = [&b"1........"[..]; CELLS].concat();
    Candidates::try_from(&marks[..]).expect("these are pencilmarks")
}

/// The XML around the puzzles.
const XML: [&str; 2] = [
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opensudoku>\n  <name>rapidoku</name>\n",
    "</opensudoku>\n",
];

impl Job for Convert {
    fn header(&self, first: Option<&Layout>) -> Result<Cow<'_, [u8]>, String> {
        match self.target {
            Target::OpenSudoku => Ok(Cow::Borrowed(XML[0].as_bytes())),
            _ => self.table().header(first),
        }
    }

    fn footer(&self) -> &[u8] {
        if self.target == Target::OpenSudoku { XML[1].as_bytes() } else { b"" }
    }

    fn accept_after(&self, layout: &Layout, first: &Layout, first_name: &str) -> Result<(), String> {
        if self.target.has_columns() && layout.has_pencilmarks() != first.has_pencilmarks() {
            return Err(format!(
                "one of this input and '{first_name}' has pencilmarks, the other one has clues"
            ));
        }
        self.table().accept_after(layout, first, first_name)
    }

    fn examined_bytes(&self) -> usize {
        EXAMINED
    }

    fn accept_start(&self, layout: &Layout, text: &[u8]) -> Result<(), String> {
        let has_solutions = has_solutions(layout, text);
        let first_has = *self.has_solutions.get_or_init(|| has_solutions);
        if has_solutions && !first_has && self.target.has_columns() && !self.chooses_columns {
            return Err("it has solutions, but the first input has none; choose the columns with --columns"
                .to_owned());
        }
        Ok(())
    }

    fn needs_numbers(&self) -> bool {
        self.tables[0].needs_numbers()
    }

    fn needs_whole_lines(&self) -> bool {
        true
    }

    fn writes_array(&self) -> bool {
        self.target == Target::Npy
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        batch.records.mark_invalid(outcomes);
        if self.target.has_columns() {
            let table = self.table();
            let needs_solution = table.has("solution");
            return table.write(batch, outcomes, rows, |k, values| {
                if let Some(cells) = solution(batch, k).filter(|_| needs_solution) {
                    values[0] = Value::Cells(cells);
                }
            });
        }
        for k in 0..batch.records.len() {
            if let Err(error) = self.write_text(batch, outcomes, k, rows.text()) {
                return rows.fail(k, error);
            }
            rows.flush_if_large()?;
        }
        if !self.target.has_solutions() && has_solutions(batch.layout, batch.text) {
            let dropped = (0..batch.records.len()).filter(|k| solution(batch, *k).is_some()).count();
            self.dropped.fetch_add(dropped as u64, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    }
}

impl Convert {
    /// The table, once the start of the first input is known.
    fn table(&self) -> &Table {
        &self.tables[usize::from(self.has_solutions.get() == Some(&true))]
    }

    fn write_text(
        &self,
        batch: &BatchView,
        outcomes: &Outcomes,
        k: usize,
        text: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let is_puzzle = outcomes.statuses()[k] != Status::Invalid;
        let is_line = matches!(self.target, Target::Lines | Target::Sdm | Target::Pencilmarks);
        if is_line && !is_puzzle {
            push_not_puzzle(text, &batch.layout.puzzle_text(batch.text, batch.records.starts()[k] as usize));
            return Ok(());
        }
        if self.target.is_candidates() {
            let candidates = if is_puzzle { batch.records.candidates(k) } else { not_puzzle_candidates() };
            match self.target {
                Target::Sdx => push_sdx(text, &candidates),
                Target::Candidates => push_candidates(text, &candidates),
                _ => {
                    let start = text.len();
                    text.extend_from_slice(candidates.to_string().as_bytes());
                    if self.blank == Some(b'0') {
                        text[start..].iter_mut().filter(|mark| **mark == b'.').for_each(|mark| *mark = b'0');
                    }
                }
            }
        } else {
            let cells = match is_puzzle {
                true => self.cells(batch, k)?,
                false => NOT_PUZZLE,
            };
            match self.target {
                Target::Npy => push_npy_row(text, &cells),
                Target::Sdk => push_sdk(text, &cells),
                Target::Ss => push_ss(text, &cells),
                Target::Grid => push_grid(text, &cells),
                Target::OpenSudoku => push_game(text, &cells),
                _ => text.extend_from_slice(&cells),
            }
        }
        if self.target.has_solutions()
            && let Some(solution) = solution(batch, k)
        {
            text.push(b',');
            text.extend_from_slice(&solution);
        }
        if is_line {
            text.push(b'\n');
        }
        Ok(())
    }

    /// The 81 cells of a puzzle, or an error if it cannot be given by clues.
    #[inline]
    fn cells(&self, batch: &BatchView, k: usize) -> Result<[u8; CELLS], Error> {
        if let Some(candidates) = batch.records.pencilmarks().get(k) {
            return self.clues(batch, candidates);
        }
        if let Some(blank) = self.blank {
            // The text of the record need not be read again.
            let cell = |digit: u8| if digit == 0 { blank } else { b'0' + digit };
            return Ok(batch.records.puzzles()[k].cells().map(cell));
        }
        let cells = puzzle_cells(batch, k);
        let Some(cells) = cells.and_then(|cells| <[u8; CELLS]>::try_from(&*cells).ok()) else {
            return Ok(batch.records.puzzles()[k].to_ascii());
        };
        Ok(cells)
    }

    /// The clues that stand for pencilmarks.
    fn clues(&self, batch: &BatchView, candidates: &Candidates) -> Result<[u8; CELLS], Error> {
        if let Some(puzzle) = candidates.puzzle() {
            let blank = self.blank.unwrap_or(b'.');
            return Ok(puzzle.to_ascii().map(|cell| if cell == b'.' { blank } else { cell }));
        }
        let name = self.target.name();
        let reason = format!(
            "the format {name} has clues only, and a record has other pencilmarks; choose pencilmarks, sdx, candidates, csv \
             or jsonl"
        );
        Err(Error::Format { name: batch.input.to_owned(), reason })
    }
}
