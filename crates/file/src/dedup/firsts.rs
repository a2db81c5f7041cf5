//! The records that are duplicates, and the first record of the class of each.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::mem::take;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rapidoku_generate::dedup::Spread;

use crate::cancel::{CancelToken, Cancelled};
use crate::error::Error;
use crate::parallel::for_each;
use crate::sync::lock;

/// The number of slices of all keys, by their first bits. The map of a slice of 10 million records fits into the cache
/// of a core.
pub(super) const SLICES: usize = 256;

/// Set in the numbers of records that are compared with those of other inputs, and not with each other.
pub(super) const SIDE: u64 = 1 << 63;

/// The low and the high half of a key, and the number of a record with it.
pub(super) type Entry = [u64; 3];

/// The keys of records in some slices: from `start` to an end before which they fit into memory.
pub(super) struct Keys {
    slices: Vec<Mutex<Vec<Entry>>>,
    /// Reused to keep their memory.
    logs: Mutex<Vec<Vec<Vec<Entry>>>>,
    start: usize,
    end: AtomicUsize,
    bytes: AtomicUsize,
    max_bytes: usize,
}

impl Keys {
    pub fn new(start: usize, memory: u64) -> Keys {
        let slices = (0..SLICES).map(|_| Mutex::default()).collect();
        let max_bytes = usize::try_from(memory).unwrap_or(usize::MAX);
        Keys { slices, logs: Mutex::default(), start, end: SLICES.into(), bytes: 0.into(), max_bytes }
    }

    /// The end of the slices that fit into memory.
    pub fn end(&self) -> usize {
        self.end.load(Ordering::Relaxed)
    }

    /// Adds records, in any order, as far as their slices are among those.
    pub fn add(&self, entries: impl Iterator<Item = Entry>) {
        let log = lock(&self.logs).pop();
        let mut log = log.unwrap_or_else(|| vec![Vec::new(); SLICES]);
        for entry in entries {
            log[(entry[1] >> (u64::BITS - SLICES.trailing_zeros())) as usize].push(entry);
        }
        let active = self.start..self.end();
        for (slice, added) in self.slices[active.clone()].iter().zip(&mut log[active]) {
            let mut entries = lock(slice);
            if entries.len() + added.len() > entries.capacity() {
                let more = entries.len() / 2 + added.len();
                entries.reserve_exact(more);
                self.bytes.fetch_add(more * size_of::<Entry>(), Ordering::Relaxed);
            }
            entries.append(added);
        }
        log.iter_mut().for_each(Vec::clear);
        lock(&self.logs).push(log);
        // The last slices are dropped. Other threads may still add records to them, which are ignored.
        while self.bytes.load(Ordering::Relaxed) > self.max_bytes {
            let shorter = |end| (end > self.start + 1).then_some(end - 1);
            let Ok(end) = self.end.fetch_update(Ordering::Relaxed, Ordering::Relaxed, shorter) else {
                return;
            };
            let dropped = take(&mut *lock(&self.slices[end - 1]));
            self.bytes.fetch_sub(dropped.capacity() * size_of::<Entry>(), Ordering::Relaxed);
        }
    }

    /// Finds the duplicates: the records that have the key of an earlier one. If there are two sides, those with
    /// [`SIDE`] that have the key of one without it.
    ///
    /// # Errors
    /// If `cancel` was set.
    pub fn find(&self, has_sides: bool, cancel: &CancelToken, found: &Mutex<Duplicates>) -> Result<(), Error> {
        let slices = &self.slices[self.start..self.end()];
        // Reused to keep their memory.
        let maps = Mutex::new(Vec::new());
        for_each(0, slices.len(), slices.iter(), |slice| {
            cancel.check().map_err(|Cancelled| Error::Cancelled)?;
            let entries = take(&mut *lock(slice));
            let mut firsts: FirstOfKey = lock(&maps).pop().unwrap_or_default();
            firsts.clear();
            // There may be many records with few keys.
            firsts.reserve(entries.len().min(MAX_RESERVED));
            for &[low, high, record] in &entries {
                let first = firsts.entry((high, low)).or_insert(record);
                *first = record.min(*first);
            }
            let pair = |&[low, high, record]: &Entry| [record, firsts[&(high, low)]];
            let is_duplicate = |[record, first]: &Pair| {
                if has_sides { *record >= SIDE && *first < SIDE } else { record != first }
            };
            if firsts.len() < entries.len() {
                lock(found).add(entries.iter().map(pair).filter(is_duplicate));
            }
            lock(&maps).push(firsts);
            Ok(())
        })
    }
}

/// The maximal number of keys for which a map reserves room.
const MAX_RESERVED: usize = 1 << 16;

/// The number of the first record with each key.
type FirstOfKey = HashMap<(u64, u64), u64, BuildHasherDefault<Spread>>;

/// A duplicate and the first record of its class.
type Pair = [u64; 2];

/// The duplicates.
pub(super) struct Duplicates {
    /// A bit for each record.
    bits: Vec<u64>,
    /// Each duplicate with the first record of its class, if that is asked for. To be sorted.
    pub pairs: Option<Vec<Pair>>,
}

impl Duplicates {
    pub fn new(keeps_pairs: bool) -> Duplicates {
        Duplicates { bits: Vec::new(), pairs: keeps_pairs.then(Vec::new) }
    }

    fn add(&mut self, pairs: impl Iterator<Item = Pair>) {
        for [record, first] in pairs.map(|[record, first]| [record & !SIDE, first]) {
            let word = (record / 64) as usize;
            self.bits.resize(self.bits.len().max(word + 1), 0);
            self.bits[word] |= 1 << (record % 64);
            self.pairs.iter_mut().for_each(|pairs| pairs.push([record, first]));
        }
    }

    pub fn count(&self) -> u64 {
        self.bits.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    pub fn contains(&self, record: u64) -> bool {
        self.bits.get((record / 64) as usize).is_some_and(|word| word >> (record % 64) & 1 != 0)
    }

    /// The pairs from this record on, if they are kept.
    pub fn pairs_from(&self, record: u64) -> &[Pair] {
        let pairs = self.pairs.as_deref().unwrap_or_default();
        &pairs[pairs.partition_point(|pair| pair[0] < record)..]
    }
}
