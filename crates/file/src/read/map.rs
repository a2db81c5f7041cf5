//! Stage 1, bytes: memory-mapped files. Workers read the page cache in place, without a copy.
//!
//! Kernel readahead assumes a single sequential reader, but here several threads read one batch each. Workers therefore
//! [request](Mapped::prefetch) the next range with `MADV_WILLNEED`. Ranges requested this way arrive as single pages,
//! so a second run over the same file takes a sixth longer on easy puzzles than with large folios. `MADV_HUGEPAGE` and
//! `MADV_POPULATE_READ`, issued by workers or by a dedicated thread, slowed the first run by a fifth to a half
//! (measured on a virtual machine).
//!
//! If another process truncates a mapped file during the run, accesses beyond the new end raise SIGBUS, which ends the
//! process unless the program handles it (see [`MapObserver`]). The rest of the last page reads as zeros;
//! [`Mapped::check_length`] detects this at the end of the file. A stream reads such a file up to its new end.

use std::fs::File;
use std::ops::Range;
use std::sync::Arc;
use std::{fmt, io};

use memmap2::Mmap;

const TRUNCATED: &str = "file truncated while it was read";

/// Size of one prefetch request; some kernels limit the bytes read per request.
const PREFETCH_SIZE: usize = 512 << 10;

/// Whether regular files are memory-mapped or read.
///
/// The default is [`Mapping::NEVER`]. Mapping is `unsafe` to enable because other processes can modify a mapped file.
///
/// ```
/// use rapidoku::file::{Mapping, Run};
///
/// // SAFETY: No other process modifies this file.
/// let mapping = unsafe { Mapping::always() };
/// let run = Run { mapping, ..Run::default() }.input("puzzles.txt");
/// ```
#[derive(Clone, Default)]
pub struct Mapping(Option<Option<Arc<dyn MapObserver>>>);

/// Receives the address range of each mapped file, so that a SIGBUS handler can find the file for an address.
pub trait MapObserver: Send + Sync {
    /// Called after a file was mapped at these addresses.
    fn mapped(&self, name: &str, addresses: Range<usize>);
    /// Called before the file at these addresses is unmapped.
    fn unmapped(&self, addresses: Range<usize>);
}

impl Mapping {
    /// Reads files with `read` calls.
    pub const NEVER: Mapping = Mapping(None);

    /// Maps regular files, which saves a copy: runs on easy puzzles are a tenth faster.
    ///
    /// # Safety
    /// No other process may modify the files during the run. A modified file gives wrong records; on Unix, a truncated
    /// file ends the process with SIGBUS.
    #[allow(unsafe_code)]
    pub unsafe fn always() -> Mapping {
        Mapping(Some(None))
    }

    /// Maps regular files and reports their addresses to `observer`.
    ///
    /// # Safety
    /// As for [`Mapping::always`], except that a SIGBUS handler may decide how the process ends.
    #[allow(unsafe_code)]
    pub unsafe fn observed(observer: Arc<dyn MapObserver>) -> Mapping {
        Mapping(Some(Some(observer)))
    }
}

impl fmt::Debug for Mapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Mapping::always" } else { "Mapping::NEVER" })
    }
}

/// A memory-mapped regular file.
pub(in super::super) struct Mapped {
    map: Mmap,
    file: File,
    observer: Option<Arc<dyn MapObserver>>,
}

impl Drop for Mapped {
    fn drop(&mut self) {
        if let Some(observer) = &self.observer {
            observer.unmapped(self.addresses());
        }
    }
}

impl Mapped {
    /// Maps a regular file of at least one byte. Returns the file if mapping is off or fails.
    pub fn new(file: File, name: &str, mapping: &Mapping) -> Result<Mapped, File> {
        let Mapping(Some(observer)) = mapping else { return Err(file) };
        let observer = observer.clone();
        // SAFETY: The mapping is read-only. The caller of `Mapping::always` or `Mapping::observed` guarantees that the
        // file is not modified. Even if it is, no memory access depends on its content unchecked: the result is a
        // garbled record or SIGBUS.
        #[allow(unsafe_code)]
        let Ok(map) = (unsafe { Mmap::map(&file) }) else { return Err(file) };
        // The advice is only a hint, so its failure is harmless.
        #[cfg(unix)]
        let _ = map.advise(memmap2::Advice::Sequential);
        let mapped = Mapped { map, file, observer };
        if let Some(observer) = &mapped.observer {
            observer.mapped(name, mapped.addresses());
        }
        Ok(mapped)
    }

    fn addresses(&self) -> Range<usize> {
        let start = self.map.as_ptr() as usize;
        start..start + self.map.len()
    }

    /// The whole content.
    pub fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Starts reading a range from disk unless it is cached. Does not wait.
    pub fn prefetch(&self, part: Range<usize>) {
        for start in part.clone().step_by(PREFETCH_SIZE) {
            let end = part.end.min(start + PREFETCH_SIZE);
            // Only the last byte of each request is checked: checking every page costs a fiftieth of the run time on
            // easy puzzles with a cached file.
            if !is_cached(&self.file, end - 1) {
                #[cfg(unix)]
                let _ = self.map.advise_range(memmap2::Advice::WillNeed, start, end - start);
            }
        }
    }

    /// Removes a range from the page tables. A later access maps it again.
    pub fn release(&self, part: Range<usize>) {
        // SAFETY: The mapping is file-backed and never written to, so `MADV_DONTNEED` does not change its bytes, not
        // even for threads that are reading them.
        #[cfg(unix)]
        #[allow(unsafe_code)]
        let _ = unsafe { self.map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, part.start, part.len()) };
        #[cfg(not(unix))]
        let _ = part;
    }

    /// Checks that the file still has its original length.
    ///
    /// # Errors
    /// When the file is shorter, or its metadata cannot be read.
    pub fn check_length(&self) -> io::Result<()> {
        if self.file.metadata()?.len() < self.map.len() as u64 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, TRUNCATED));
        }
        Ok(())
    }
}

/// Whether a byte of a file is in the page cache. `false` on systems without such a query.
#[cfg(target_os = "linux")]
fn is_cached(file: &File, at: usize) -> bool {
    use rustix::io::{ReadWriteFlags, preadv2};
    let mut byte = [0];
    let mut into = [io::IoSliceMut::new(&mut byte)];
    preadv2(file, &mut into, at as u64, ReadWriteFlags::NOWAIT).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn is_cached(_: &File, _: usize) -> bool {
    false
}
