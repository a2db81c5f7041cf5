//! Rows sorted into parts, so that all rows with the same key are in the same part.

/// The number of parts. With 1,024 parts the table for one part of 50 million records fits into the cache of a core.
pub const PARTS: usize = 1024;

/// Rows of one or several items, sorted by part. Rows of the same part keep their order.
#[derive(Debug)]
pub struct Chunk<T> {
    rows: Vec<T>,
    /// The end of each part in `rows`.
    ends: Vec<u32>,
}

impl<T: Copy> Chunk<T> {
    /// Sorts fewer than 2³² items into `rows`, whose memory is used. `first` gives the part of the first of some rows,
    /// below [`PARTS`], and its length.
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
pub fn part_of_key(key: u64) -> usize {
    (key >> (u64::BITS - PARTS.trailing_zeros())) as usize
}

/// The part of the first of some entries, for [`Chunk::new`].
pub fn first_entry(entries: &[super::table::Entry]) -> (usize, usize) {
    (part_of_key(entries[0][1]), 1)
}
