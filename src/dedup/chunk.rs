//! Rows sorted into parts, so that all rows with the same key are in the same part.

/// The number of parts. With 1,024 parts the table for one part of 50 million records fits into the cache of a core.
pub(crate) const PARTS: usize = 1024;

/// Rows of one or several items, sorted by part. Rows of the same part keep their order.
#[derive(Debug)]
pub(crate) struct Chunk<T> {
    rows: Vec<T>,
    /// The end of each part in `rows`.
    ends: Vec<u32>,
}

impl<T: Copy> Chunk<T> {
    /// Sorts fewer than 2³² items into `rows`, whose memory is used. `first` gives the part of the first of some rows, below
    /// [`PARTS`], and its length.
    pub fn new(unsorted: &[T], mut rows: Vec<T>, first: impl Fn(&[T]) -> (usize, usize)) -> Chunk<T> {
        let mut ends = vec![0; PARTS];
        let mut left = unsorted;
        while !left.is_empty() {
            let (part, length) = first(left);
            ends[part] += length as u32;
            left = &left[length..];
        }
        let mut start = 0;
        for end in &mut ends {
            // The start of the part, which becomes its end as its rows are placed.
            (start, *end) = (start + *end, start);
        }
        rows.clear();
        rows.extend_from_slice(unsorted);
        left = unsorted;
        while !left.is_empty() {
            let (part, length) = first(left);
            let (row, after) = left.split_at(length);
            rows[ends[part] as usize..][..length].copy_from_slice(row);
            ends[part] += length as u32;
            left = after;
        }
        Chunk { rows, ends }
    }

    /// The memory of the chunk in bytes.
    #[cfg(feature = "file")]
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.rows) + size_of_val(&*self.ends)
    }

    /// The rows of a part.
    pub fn part(&self, part: usize) -> &[T] {
        let start = part.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[start as usize..self.ends[part] as usize]
    }
}

/// The part of the records with this key: its first bits.
pub(crate) fn part_of_key(key: u64) -> usize {
    (key >> (u64::BITS - PARTS.trailing_zeros())) as usize
}

/// The part of the first of some entries, for [`Chunk::new`].
pub(crate) fn first_entry(entries: &[super::table::Entry]) -> (usize, usize) {
    (part_of_key(entries[0][1]), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_their_rows_in_order() {
        let rows: Vec<[u64; 2]> = (0..5000).map(|n| [n * n * 2_654_435_761 % 1_000_003 % 1500, n]).collect();
        // The last part is used, and many are empty.
        let part_of = |row: &[u64; 2]| (row[0] as usize).min(PARTS - 1);
        let chunk = Chunk::new(&rows, Vec::new(), |rows| (part_of(&rows[0]), 1));
        for part in 0..PARTS {
            let expected: Vec<_> = rows.iter().filter(|row| part_of(row) == part).copied().collect();
            assert_eq!(chunk.part(part), expected, "{part}");
        }
        assert!(!chunk.part(PARTS - 1).is_empty());
        assert_eq!(Chunk::<u8>::new(&[], Vec::new(), |_| (0, 1)).part(5), [0; 0]);
    }

    #[test]
    fn rows_may_have_different_lengths() {
        // The first byte is the part, the second the length.
        let row = |n: u8| [&[n % 7, 2 + n % 5][..], &[n; 4][..usize::from(n % 5)]].concat();
        let rows: Vec<Vec<u8>> = (0..=255).map(row).collect();
        let chunk = Chunk::new(&rows.concat(), Vec::new(), |rows| (rows[0].into(), rows[1].into()));
        for part in 0..PARTS {
            let of_part = |row: &&Vec<u8>| usize::from(row[0]) == part;
            let expected: Vec<u8> = rows.iter().filter(of_part).flatten().copied().collect();
            assert_eq!(chunk.part(part), expected, "{part}");
        }
    }

    #[test]
    fn the_first_bits_of_a_key_are_its_part() {
        assert_eq!(first_entry(&[[u64::MAX, 0, u64::MAX]]), (0, 1));
        assert_eq!(first_entry(&[[0, u64::MAX, 0]]), (PARTS - 1, 1));
        assert_eq!(first_entry(&[[0, 1 << 54, 0]]), (1, 1));
    }
}
