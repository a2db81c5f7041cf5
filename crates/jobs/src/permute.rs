//! Random equivalent copies of each record.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use rapidoku::file::internal::{self, NOT_PUZZLE, append_copies};
use rapidoku::file::{BatchView, Format, Job, Needs, RowSink, Table, Value};
use rapidoku::grid::{CELLS, Symmetry};
use rapidoku::{Candidates, Outcomes, SimdLevel, Status};

/// The names of the columns.
pub const COMPUTED: [&str; 4] = ["puzzle", "solution", "copy", "symmetry"];

/// Writes copies of each record.
#[derive(Debug)]
pub struct Permute {
    /// The instruction set.
    pub level: SimdLevel,
    /// The number of copies of a record.
    pub copies: u64,
    /// The seed of the symmetries.
    pub seed: u64,
    /// The symmetry of all copies, instead of random ones.
    pub by: Option<Symmetry>,
    /// The rows.
    pub table: Table,
    /// The number of copies so far.
    pub written: AtomicU64,
}

/// A puzzle whose copies are not written yet, its solution, and the index of its first copy.
type Waiting = ([u8; CELLS], Option<[u8; CELLS]>, u64);

/// What symmetries are applied to.
enum Original<'a> {
    /// 81 cells as in the input.
    Clues([u8; CELLS]),
    /// Pencilmarks.
    Candidates(Candidates),
    /// Text that is not a puzzle.
    Other(Cow<'a, [u8]>),
}

impl Job for Permute {
    fn table(&self) -> Option<&Table> {
        Some(&self.table)
    }

    fn needs(&self) -> Needs<'_> {
        Needs { numbers: true, ..Needs::default() }
    }

    fn accept_candidates(&self) -> Result<(), String> {
        match self.table.format {
            Format::Npy => Err("an array of NumPy has clues".to_owned()),
            _ => Ok(()),
        }
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let is_text = self.table.format == Format::Text;
        let per_record = usize::try_from(self.copies).unwrap_or(usize::MAX);
        let mut waiting = Vec::with_capacity(COPIES_AT_ONCE);
        let mut writer = self.table.writer(batch);
        for k in 0..batch.records.len() {
            let index = (batch.records_before + k as u64).wrapping_mul(self.copies);
            let original = self.original(batch, k);
            let solution = batch.layout.given_solution(batch.record(k));
            if let Original::Clues(cells) = original
                && is_text
                && self.by.is_none()
            {
                waiting.push((cells, solution, index));
                if waiting.len().saturating_mul(per_record) >= COPIES_AT_ONCE {
                    self.write_waiting(&mut waiting, rows)?;
                }
                continue;
            }
            self.write_waiting(&mut waiting, rows)?;
            if matches!(original, Original::Other(_)) {
                outcomes.set_status(k, Status::Invalid);
            }
            for copy in 0..self.copies {
                let symmetry = self.symmetry(index.wrapping_add(copy));
                if is_text {
                    write_copy(&original, solution.as_ref(), &symmetry, rows.text());
                } else {
                    let solution = solution.map(|cells| Value::Cells(symmetry.text(&cells)));
                    let text = self.table.has("symmetry").then(|| Value::Text(symmetry.to_string().into()));
                    let values = [
                        original.image(&symmetry),
                        solution.unwrap_or(Value::Missing),
                        Value::Number(copy + 1),
                        text.unwrap_or(Value::Missing),
                    ];
                    writer.write_row(outcomes, k, &values, rows);
                }
                self.written.fetch_add(1, Ordering::Relaxed);
                rows.flush_if_large()?;
            }
        }
        self.write_waiting(&mut waiting, rows)
    }
}

/// Copies that are written at a time.
const COPIES_AT_ONCE: usize = 256;

impl Permute {
    /// The symmetry of the copy with this index.
    fn symmetry(&self, index: u64) -> Symmetry {
        self.by.unwrap_or_else(|| Symmetry::random(self.seed, index))
    }

    /// Writes all copies of some puzzles as text.
    fn write_waiting(&self, waiting: &mut Vec<Waiting>, rows: &mut RowSink) -> ControlFlow<()> {
        let mut done = 0;
        while done < self.copies && !waiting.is_empty() {
            let copies = (self.copies - done).min(COPIES_AT_ONCE as u64);
            let originals: Vec<_> = (waiting.iter())
                .map(|(cells, solution, index)| internal::Original {
                    cells,
                    solution: solution.as_ref(),
                    index: index.wrapping_add(done),
                    copies: copies as usize,
                })
                .collect();
            append_copies(self.level, self.seed, &originals, rows.text());
            self.written.fetch_add(originals.len() as u64 * copies, Ordering::Relaxed);
            rows.flush_if_large()?;
            done += copies;
        }
        waiting.clear();
        ControlFlow::Continue(())
    }

    fn original<'t>(&self, batch: &BatchView<'t>, k: usize) -> Original<'t> {
        let Some(cells) = batch.cells(k) else {
            return Original::Other(batch.layout.puzzle_text(batch.record(k)));
        };
        match (<[u8; CELLS]>::try_from(&cells[..]), self.table.blank) {
            (Ok(cells), None) => Original::Clues(cells),
            (Ok(cells), Some(blank)) => {
                Original::Clues(cells.map(|cell| if matches!(cell, b'1'..=b'9') { cell } else { blank }))
            }
            (Err(_), _) => Original::Candidates(batch.records.candidates(k)),
        }
    }
}

impl Original<'_> {
    fn image(&self, symmetry: &Symmetry) -> Value<'_> {
        match self {
            Original::Clues(cells) => Value::Cells(symmetry.text(cells)),
            Original::Candidates(candidates) => Value::Text(symmetry.candidates(candidates).to_string().into()),
            Original::Other(text) => Value::Text(String::from_utf8_lossy(text)),
        }
    }
}

fn write_copy(original: &Original, solution: Option<&[u8; CELLS]>, symmetry: &Symmetry, text: &mut Vec<u8>) {
    match original {
        Original::Clues(cells) => text.extend_from_slice(&symmetry.text(cells)),
        Original::Candidates(candidates) => {
            text.extend_from_slice(symmetry.candidates(candidates).to_string().as_bytes())
        }
        Original::Other(_) => text.extend_from_slice(&NOT_PUZZLE),
    }
    if let Some(solution) = solution.filter(|_| !matches!(original, Original::Other(_))) {
        text.push(b',');
        text.extend_from_slice(&symmetry.text(solution));
    }
    text.push(b'\n');
}
