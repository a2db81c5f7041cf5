//! Copies of puzzles, against the symmetries of which they are images.

use rapidoku_engine::copies::{Original, append_copies};
use rapidoku_engine::grid::Symmetry;
use rapidoku_engine::simd::SimdLevel;

#[test]
fn copies_are_images_under_random_symmetries_at_every_level() {
    let puzzle = *b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let mut odd = puzzle.map(|byte| if byte == b'.' { b'0' } else { byte });
    (odd[2], odd[3], odd[5]) = (b':', b'/', 0xff);
    let solution = *b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    let originals = [
        Original { cells: &puzzle, solution: None, index: u64::MAX - 1, copies: 500 },
        Original { cells: &odd, solution: Some(&solution), index: 77, copies: 500 },
        Original { cells: &odd, solution: None, index: 0, copies: 0 },
    ];
    let mut wanted = b"before".to_vec();
    for original in &originals {
        for copy in 0..original.copies {
            let symmetry = Symmetry::random(9, original.index.wrapping_add(copy as u64));
            wanted.extend(symmetry.text(original.cells));
            if let Some(solution) = original.solution {
                wanted.push(b',');
                wanted.extend(symmetry.text(solution));
            }
            wanted.push(b'\n');
        }
    }
    for level in SimdLevel::available() {
        let mut text = b"before".to_vec();
        append_copies(level, 9, &originals, &mut text);
        assert!(text == wanted, "{level}");
    }
}
