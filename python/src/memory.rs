//! Memory for rows.
//!
//! All memory whose size depends on what the caller passes is allocated here. If there is not enough, that is an error, which
//! becomes `MemoryError`. `clippy.toml` forbids functions of the standard library that would end the process instead.
//!
//! The kernel is asked for huge pages, because fresh memory of results is touched only once or twice and page faults are a
//! large part of its cost. Zeros of columns that threads fill come from the system: to write them takes several percent of the
//! time of a search for easy puzzles.

#![allow(clippy::disallowed_methods, reason = "memory is reserved first")]

use std::alloc::{Layout, alloc_zeroed};
use std::collections::TryReserveError;
use std::hint::black_box;
use std::iter;

use arrow_buffer::BooleanBuffer;
use pyo3::PyErr;
use pyo3::exceptions::PyMemoryError;

/// Rows that a thread handles at a time: 360 KB of puzzles and outcomes, which stay in its cache.
pub const CHUNK: usize = 4096;

/// There is not enough memory.
#[derive(Debug)]
pub struct OutOfMemory;

impl From<TryReserveError> for OutOfMemory {
    fn from(_: TryReserveError) -> OutOfMemory {
        OutOfMemory
    }
}

impl From<OutOfMemory> for PyErr {
    fn from(_: OutOfMemory) -> PyErr {
        PyMemoryError::new_err("not enough memory for the rows")
    }
}

/// A collection of a few items, whose number does not depend on the rows.
pub fn few<T, C: FromIterator<T>>(items: impl Iterator<Item = T>) -> C {
    items.collect()
}

/// A vector of these values.
pub fn collect<T>(values: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, OutOfMemory> {
    let mut vector = with_capacity(values.len())?;
    vector.extend(values);
    Ok(vector)
}

/// A vector of `n` equal values.
pub fn filled<T: Clone>(value: T, n: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut vector = with_capacity(n)?;
    vector.resize(n, value);
    Ok(vector)
}

/// An empty vector with room for `n` values.
pub fn with_capacity<T>(n: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut empty = Vec::new();
    empty.try_reserve_exact(n)?;
    advise(&empty);
    Ok(empty)
}

/// Changes the number of values. New ones are equal to `value`.
pub fn resize<T: Clone>(vector: &mut Vec<T>, n: usize, value: T) -> Result<(), OutOfMemory> {
    vector.try_reserve(n.saturating_sub(vector.len()))?;
    vector.resize(n, value);
    Ok(())
}

/// Appends a value.
#[inline]
pub fn push<T>(vector: &mut Vec<T>, value: T) -> Result<(), OutOfMemory> {
    vector.try_reserve(1)?;
    vector.push(value);
    Ok(())
}

/// Appends values.
pub fn extend<T: Copy>(vector: &mut Vec<T>, values: &[T]) -> Result<(), OutOfMemory> {
    vector.try_reserve(values.len())?;
    vector.extend_from_slice(values);
    Ok(())
}

/// `n` bits.
pub fn bits(n: usize, bit: impl Fn(usize) -> bool) -> Result<BooleanBuffer, OutOfMemory> {
    const WORD: usize = u64::BITS as usize;
    let word = |start: usize| {
        let end = n.min(start + WORD);
        (start..end).rev().fold(0, |word, row| word << 1 | u64::from(bit(row)))
    };
    let words = collect((0..n.div_ceil(WORD)).map(|k| word(WORD * k).to_le()))?;
    Ok(BooleanBuffer::new(words.into(), 0, n))
}

/// Checks that there is memory for later allocations.
pub fn check(bytes: usize) -> Result<(), OutOfMemory> {
    let mut memory = Vec::<u8>::new();
    memory.try_reserve_exact(bytes)?;
    // The compiler may leave out an allocation that is not used.
    black_box(&memory);
    Ok(())
}

/// Memory that a thread allocates whatever the number of rows, in places that cannot return an error: 2 MiB for its stack, 5 MiB
/// for tables and buffers, and as much again.
const PER_THREAD: usize = 14 << 20;

/// Checks that there is memory for the calling thread, besides that for rows.
pub fn check_this_thread() -> Result<(), OutOfMemory> {
    check(PER_THREAD)
}

/// Checks that there is memory for new threads, besides that for rows.
pub fn check_threads(threads: usize) -> Result<(), OutOfMemory> {
    /// Address space that glibc reserves for the allocations of a thread; half of it is returned at once. It also has to be there if
    /// a thread is alone: what is left then may not be enough for its local data, and glibc ends the process. This much always comes
    /// from the system: glibc may keep less for the calling thread, which other threads cannot use.
    const ARENA: usize = 128 << 20;
    check(threads * PER_THREAD + ARENA)
}

/// Values of which all bytes may be 0.
#[allow(unsafe_code, reason = "the compiler cannot check it")]
/// # Safety
/// Zeros are a value of the type, whose size is not 0.
pub unsafe trait Zero: Copy + Send {}

macro_rules! zero {
    ($($type:ty)*) => { $(
        #[allow(unsafe_code, reason = "zeros are a value")]
        // SAFETY: see the reason.
        unsafe impl Zero for $type {}
    )* };
}
zero!(i8 i64 u8 bool [u8; 81] [u8; 82]);

/// A column of zeros, which threads fill chunk by chunk. Fresh memory of the system is not written.
#[allow(unsafe_code, reason = "the standard library has no such function that returns an error")]
pub fn zeroed<T: Zero>(rows: usize) -> Result<Vec<T>, OutOfMemory> {
    if rows == 0 {
        return Ok(Vec::new());
    }
    let layout = Layout::array::<T>(rows).map_err(|_| OutOfMemory)?;
    // SAFETY: the size is not 0. A vector owns memory of this layout, of which zeros are values.
    let zeros = unsafe {
        let memory = alloc_zeroed(layout).cast::<T>();
        if memory.is_null() {
            return Err(OutOfMemory);
        }
        Vec::from_raw_parts(memory, rows, rows)
    };
    advise(&zeros);
    Ok(zeros)
}

/// Replaces the values of a chunk.
///
/// # Panics
/// If there are not as many.
pub fn set<T>(chunk: &mut [T], values: impl ExactSizeIterator<Item = T>) {
    assert_eq!(chunk.len(), values.len());
    chunk.iter_mut().zip(values).for_each(|(slot, value)| *slot = value);
}

/// What threads fill chunk by chunk: a column, or several of the same length.
pub trait Fill {
    /// [`CHUNK`] rows, or the remaining ones.
    type Chunk<'a>: Send
    where
        Self: 'a;

    /// The chunks, in order.
    fn chunks(&mut self) -> impl Iterator<Item = Self::Chunk<'_>> + Send;
}

impl<T: Send> Fill for Vec<T> {
    type Chunk<'a>
        = &'a mut [T]
    where
        T: 'a;

    fn chunks(&mut self) -> impl Iterator<Item = &mut [T]> + Send {
        self.chunks_mut(CHUNK)
    }
}

/// Two columns.
impl<A: Fill, B: Fill> Fill for (A, B) {
    type Chunk<'a>
        = (A::Chunk<'a>, B::Chunk<'a>)
    where
        A: 'a,
        B: 'a;

    fn chunks(&mut self) -> impl Iterator<Item = Self::Chunk<'_>> + Send {
        self.0.chunks().zip(self.1.chunks())
    }
}

/// A column that there may be.
impl<A: Fill> Fill for Option<A> {
    type Chunk<'a>
        = Option<A::Chunk<'a>>
    where
        A: 'a;

    fn chunks(&mut self) -> impl Iterator<Item = Self::Chunk<'_>> + Send {
        let mut chunks = self.as_mut().map(A::chunks);
        iter::from_fn(move || Some(chunks.as_mut().and_then(Iterator::next)))
    }
}

/// Asks for huge pages for the memory of a vector.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "advice to the kernel")]
fn advise<T>(vector: &Vec<T>) {
    const HUGE: usize = 2 << 20;
    let address = vector.as_ptr() as usize;
    let start = address.next_multiple_of(HUGE);
    let end = (address + vector.capacity() * size_of::<T>()) / HUGE * HUGE;
    if start < end {
        // SAFETY: the range lies within the memory of the vector, and the advice does not change its content. A kernel
        // without huge pages returns an error, which does not matter.
        let _ = unsafe { libc::madvise(start as *mut _, end - start, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn advise<T>(_: &Vec<T>) {}
