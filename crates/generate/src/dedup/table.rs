//! An open hash table from keys to the least number of a record with that key.

use std::collections::TryReserveError;

/// A record: the low and the high half of its key, and its number.
pub type Entry = [u64; 3];

/// The least number of a record for each key. Keys are hashes, so their low bits are the place in the table.
#[derive(Default)]
pub struct Table {
    /// For each slot the index of an entry plus 1, or 0 if it is empty. At most half of the slots are in use.
    slots: Vec<u32>,
    /// One entry for each key.
    entries: Vec<Entry>,
}

impl Table {
    /// Removes all entries and makes room for `expected` others. The table grows if there are more.
    pub fn reset(&mut self, expected: usize) {
        self.entries.clear();
        self.resize(slots_for(expected));
    }

    /// The same, but lack of memory is an error. Adding up to `expected` entries then allocates nothing.
    pub fn try_reset(&mut self, expected: usize) -> Result<(), TryReserveError> {
        self.entries.clear();
        self.entries.try_reserve(expected)?;
        self.slots.clear();
        self.slots.try_reserve(slots_for(expected))?;
        self.reset(expected);
        Ok(())
    }

    /// The number of keys.
    pub fn key_count(&self) -> usize {
        self.entries.len()
    }

    /// Adds a record.
    #[inline]
    pub fn add(&mut self, entry: &Entry) {
        if 2 * self.entries.len() >= self.slots.len() {
            self.resize(2 * self.slots.len().max(8));
        }
        match self.find(entry) {
            Ok(index) => {
                let least = &mut self.entries[index][2];
                *least = entry[2].min(*least);
            }
            Err(slot) => {
                self.entries.push(*entry);
                self.slots[slot] = u32::try_from(self.entries.len()).expect("a part has fewer records");
            }
        }
    }

    /// The least number of a record with the key of this one.
    #[inline]
    pub fn first(&self, entry: &Entry) -> Option<u64> {
        self.find(entry).ok().map(|index| self.entries[index][2])
    }

    /// The index of the entry with the key of this one, or the empty slot where it belongs.
    #[inline]
    fn find(&self, entry: &Entry) -> Result<usize, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = entry[0] as usize & mask;
        loop {
            let index = match self.slots[slot] {
                0 => return Err(slot),
                index => index as usize - 1,
            };
            if self.entries[index][..2] == entry[..2] {
                return Ok(index);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Changes the number of slots, a power of two, and puts all entries into them.
    fn resize(&mut self, slots: usize) {
        self.slots.clear();
        self.slots.resize(slots, 0);
        let mask = self.slots.len() - 1;
        for (index, entry) in (1..).zip(&self.entries) {
            let mut slot = entry[0] as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = index;
        }
    }
}

/// The number of slots for a number of entries.
fn slots_for(entries: usize) -> usize {
    (2 * entries.max(8)).next_power_of_two()
}
