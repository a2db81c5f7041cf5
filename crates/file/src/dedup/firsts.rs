//! The records that are duplicates, and the first record of the class of each.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::cancel::{CancelToken, Cancelled};
use crate::collector::{Collected, Collector};
use crate::error::Error;
use crate::parallel::for_each;
use crate::sync::{into_inner, lock};
use rapidoku_generate::dedup::{Entry, PARTS, Table};

/// Set in the numbers of records that are compared with those of other inputs, and not with each other.
pub(super) const SIDE: u64 = 1 << 63;

/// A duplicate and the first record of its class.
pub(super) type Pair = [u64; 2];

/// The duplicates, by number.
pub(super) struct Firsts {
    pairs: Collected<Pair>,
    /// The number of duplicates.
    pub count: u64,
    /// The number of records whose duplicates a part has.
    records_per_part: u64,
    /// The parts that were used last, sorted by number.
    recent: Mutex<VecDeque<(usize, Arc<Vec<Pair>>)>>,
    max_recent: usize,
}

impl Firsts {
    /// Finds the duplicates among `records` records with these keys: the records that have the key of an earlier one.
    /// If there are two sides, those with [`SIDE`] that have the key of one without it.
    ///
    /// Also returns the time that all threads took.
    ///
    /// # Errors
    /// When temporary files cannot be written or read, or `cancel` was set.
    pub fn find(
        keys: &Collected<Entry>,
        records: u64,
        has_sides: bool,
        pool: &rayon::ThreadPool,
        memory: u64,
        cancel: &CancelToken,
    ) -> Result<(Firsts, Duration), Error> {
        let records_per_part = records.div_ceil(PARTS as u64).max(MIN_RECORDS);
        let first = |pairs: &[Pair]| ((pairs[0][0] / records_per_part) as usize, 1);
        let pairs = Collector::new(memory, first);
        let total = Mutex::new((0, Duration::ZERO));
        let search = || Search { table: Table::default(), found: Vec::new(), has_sides };
        let find = || {
            for_each(0, PARTS, 0..PARTS, search, |search, part| {
                cancel.check().map_err(|Cancelled| Error::Cancelled)?;
                let start = Instant::now();
                let found = search.part(keys, part, &pairs)?;
                let (count, time) = &mut *lock(&total);
                (*count, *time) = (*count + found, *time + start.elapsed());
                Ok(())
            })
        };
        pool.install(find)?;
        let (count, time) = into_inner(total);
        let firsts = Firsts {
            pairs: pairs.finish()?,
            count,
            records_per_part,
            recent: Mutex::default(),
            max_recent: pool.current_num_threads() + 2,
        };
        Ok((firsts, time))
    }

    /// Replaces `pairs` by the duplicates among these records, in order.
    ///
    /// # Errors
    /// When a temporary file cannot be read.
    pub fn within(&self, records: Range<u64>, pairs: &mut Vec<Pair>) -> Result<(), Error> {
        pairs.clear();
        if records.is_empty() || self.count == 0 {
            return Ok(());
        }
        let [first, last] = [records.start, records.end - 1].map(|record| record / self.records_per_part);
        for part in first..=last.min(PARTS as u64 - 1) {
            let all = self.part(part as usize)?;
            let [start, end] =
                [records.start, records.end].map(|record| all.partition_point(|pair| pair[0] < record));
            pairs.extend_from_slice(&all[start..end]);
        }
        Ok(())
    }

    fn part(&self, part: usize) -> Result<Arc<Vec<Pair>>, Error> {
        // Batches are processed in order, more or less, so nearly all of them find their part here.
        let mut recent = lock(&self.recent);
        if let Some((_, pairs)) = recent.iter().find(|(other, _)| *other == part) {
            return Ok(Arc::clone(pairs));
        }
        let mut pairs = Vec::with_capacity(self.pairs.len(part));
        self.pairs.for_each(part, |some| pairs.extend_from_slice(some))?;
        pairs.sort_unstable();
        let pairs = Arc::new(pairs);
        if recent.len() >= self.max_recent {
            recent.pop_front();
        }
        recent.push_back((part, Arc::clone(&pairs)));
        Ok(pairs)
    }
}

/// Fewer records in a part gain nothing.
const MIN_RECORDS: u64 = 1 << 14;
/// The maximal number of keys for which the table of a part reserves room: a part may have many records with few keys.
const MAX_EXPECTED: usize = 1 << 16;
/// The number of duplicates that are passed on at once.
const FOUND: usize = 1 << 12;

/// The search of a thread.
struct Search {
    table: Table,
    found: Vec<Pair>,
    has_sides: bool,
}

impl Search {
    /// Finds the duplicates in a part, and returns their number. Twice over the records, because they are in no order.
    fn part<F: Fn(&[Pair]) -> (usize, usize)>(
        &mut self,
        keys: &Collected<Entry>,
        part: usize,
        pairs: &Collector<Pair, F>,
    ) -> Result<u64, Error> {
        let Search { table, found, has_sides } = self;
        let records = keys.len(part);
        table.reset(records.min(MAX_EXPECTED));
        keys.for_each(part, |entries| entries.iter().for_each(|entry| table.add(entry)))?;
        if table.key_count() == records {
            return Ok(0);
        }
        let (mut result, mut count) = (Ok(()), 0);
        found.clear();
        keys.for_each(part, |entries| {
            for entry in entries {
                let (number, first) = (entry[2], table.first(entry).expect("it was added"));
                let is_duplicate = if *has_sides { number >= SIDE && first < SIDE } else { first != number };
                if is_duplicate {
                    found.push([number & !SIDE, first]);
                    count += 1;
                }
            }
            if found.len() >= FOUND && result.is_ok() {
                result = pairs.add(found);
                found.clear();
            }
        })?;
        result.and_then(|()| pairs.add(found)).map(|()| count)
    }
}
