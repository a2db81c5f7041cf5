//! Rows of numbers sorted into parts, so that all rows with the same key are in the same part.

/// The number of parts. With 1,024 parts the table for one part of 50 million records fits into the cache of a core.
pub(crate) const PARTS: usize = 1024;

/// Rows, sorted by part. Rows of the same part keep their order.
pub(crate) struct Chunk<const W: usize> {
    rows: Vec<[u64; W]>,
    /// The end of each part in `rows`.
    ends: Vec<u32>,
}

impl<const W: usize> Chunk<W> {
    /// Sorts fewer than 2³² rows into `rows`, whose memory is used. `part_of` gives the part of a row, below [`PARTS`].
    pub fn new(
        unsorted: &[[u64; W]],
        mut rows: Vec<[u64; W]>,
        part_of: impl Fn(&[u64; W]) -> usize,
    ) -> Chunk<W> {
        let mut ends = vec![0; PARTS];
        for row in unsorted {
            ends[part_of(row)] += 1;
        }
        let mut start = 0;
        for end in &mut ends {
            // The start of the part, which becomes its end as its rows are placed.
            (start, *end) = (start + *end, start);
        }
        rows.clear();
        rows.resize(unsorted.len(), [0; W]);
        for row in unsorted {
            let at = &mut ends[part_of(row)];
            rows[*at as usize] = *row;
            *at += 1;
        }
        Chunk { rows, ends }
    }

    /// The number of rows.
    #[cfg(any(feature = "file", test))]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The rows of a part.
    pub fn part(&self, part: usize) -> &[[u64; W]] {
        let start = part.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[start as usize..self.ends[part] as usize]
    }
}

/// The part of the records with this key: its first bits.
pub(crate) fn part_of_key([_, high, _]: &super::table::Entry) -> usize {
    (high >> (u64::BITS - PARTS.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_their_rows_in_order() {
        let rows: Vec<[u64; 2]> = (0..5000).map(|n| [n * n * 2_654_435_761 % 1_000_003 % 1500, n]).collect();
        // The last part is used, and many are empty.
        let part_of = |row: &[u64; 2]| (row[0] as usize).min(PARTS - 1);
        let chunk = Chunk::new(&rows, Vec::new(), part_of);
        assert_eq!(chunk.len(), rows.len());
        for part in 0..PARTS {
            let expected: Vec<_> = rows.iter().filter(|row| part_of(row) == part).copied().collect();
            assert_eq!(chunk.part(part), expected, "{part}");
        }
        assert!(!chunk.part(PARTS - 1).is_empty());
        assert_eq!(Chunk::<2>::new(&[], Vec::new(), part_of).part(5), [[0; 2]; 0]);
    }

    #[test]
    fn the_first_bits_of_a_key_are_its_part() {
        assert_eq!(part_of_key(&[u64::MAX, 0, u64::MAX]), 0);
        assert_eq!(part_of_key(&[0, u64::MAX, 0]), PARTS - 1);
        assert_eq!(part_of_key(&[0, 1 << 54, 0]), 1);
    }
}
