//! The solutions that records give.

use rapidoku::file::BatchView;
use rapidoku::grid::CELLS;

/// The solution that a record gives, in the solution column or after the puzzle of a line.
pub fn solution(batch: &BatchView, k: usize) -> Option<[u8; CELLS]> {
    batch.layout.given_solution(batch.record(k))
}
