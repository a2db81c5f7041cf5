//! Memory of results.
//!
//! The kernel is asked for huge pages, because fresh memory of results is touched only once or twice and page faults are a
//! large part of its cost. Columns that threads fill are not zeroed first, which takes several percent of the time of a
//! search for easy puzzles.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::run::CHUNK;

/// A vector of these values.
pub fn collect<T>(values: impl ExactSizeIterator<Item = T>) -> Vec<T> {
    let mut vector = with_capacity(values.len());
    vector.extend(values);
    vector
}

/// An empty vector with room for `n` values.
pub fn with_capacity<T>(n: usize) -> Vec<T> {
    let empty = Vec::with_capacity(n);
    advise(&empty);
    empty
}

/// A column with a value for each row, which threads fill chunk by chunk.
pub struct Unfilled<T> {
    /// Has no elements, and room for all.
    values: Vec<T>,
    rows: usize,
    filled: AtomicUsize,
}

impl<T: Copy> Unfilled<T> {
    pub fn new(rows: usize) -> Unfilled<T> {
        Unfilled { values: with_capacity(rows), rows, filled: AtomicUsize::new(0) }
    }

    /// The chunks of [`crate::run::chunks`].
    pub fn chunks(&mut self) -> impl Iterator<Item = Chunk<'_, T>> {
        // Values of an earlier call would be counted twice.
        *self.filled.get_mut() = 0;
        let filled = &self.filled;
        let slots = &mut self.values.spare_capacity_mut()[..self.rows];
        slots.chunks_mut(CHUNK).map(move |slots| Chunk { slots, written: 0, filled })
    }

    /// The values.
    ///
    /// # Panics
    /// If a row has none.
    #[allow(unsafe_code, reason = "the memory was not initialised")]
    pub fn finish(mut self) -> Vec<T> {
        assert_eq!(*self.filled.get_mut(), self.rows, "all rows have a value");
        // SAFETY: each chunk adds the number of slots that it has written, and the chunks of a call do not overlap. So all
        // of the first `rows` slots are written, for which there is room.
        unsafe { self.values.set_len(self.rows) };
        self.values
    }
}

/// Successive rows of a column, some of which have values.
pub struct Chunk<'a, T> {
    slots: &'a mut [MaybeUninit<T>],
    /// The number of slots at the start that have a value.
    written: usize,
    filled: &'a AtomicUsize,
}

impl<T> Chunk<'_, T> {
    /// Gives a value to the next row.
    ///
    /// # Panics
    /// If all rows have one.
    #[inline]
    pub fn push(&mut self, value: T) {
        self.slots[self.written].write(value);
        self.written += 1;
    }

    /// Gives values to the next rows.
    ///
    /// # Panics
    /// If there are more values than rows.
    #[inline]
    pub fn extend<U>(&mut self, values: &[U], convert: impl Fn(&U) -> T) {
        let slots = &mut self.slots[self.written..][..values.len()];
        slots.iter_mut().zip(values).for_each(|(slot, value)| _ = slot.write(convert(value)));
        self.written += values.len();
    }
}

impl<T> Drop for Chunk<'_, T> {
    fn drop(&mut self) {
        self.filled.fetch_add(self.written, Ordering::Relaxed);
    }
}

/// Asks for huge pages for the memory of a vector.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "advice to the kernel")]
fn advise<T>(vector: &Vec<T>) {
    use rustix::mm::{Advice, madvise};

    const HUGE: usize = 2 << 20;
    let address = vector.as_ptr() as usize;
    let start = address.next_multiple_of(HUGE);
    let end = (address + vector.capacity() * size_of::<T>()) / HUGE * HUGE;
    if start < end {
        // SAFETY: the range lies within the memory of the vector, and the advice does not change its content. A kernel
        // without huge pages returns an error, which does not matter.
        let _ = unsafe { madvise(start as *mut _, end - start, Advice::LinuxHugepage) };
    }
}

#[cfg(not(target_os = "linux"))]
fn advise<T>(_: &Vec<T>) {}
