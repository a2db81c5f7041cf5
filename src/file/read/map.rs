//! Stage 1, bytes: files mapped to memory, from where workers read the page cache in place.
//!
//! The system reads ahead of who reads a file from its start to its end. It does not see that in several threads, each
//! with a batch of its own, so they [ask](Mapped::prefetch) for what comes next. What is asked for like this comes in single
//! pages: who reads the file once more takes a sixth longer for easy puzzles than if it had come in larger parts. But to
//! have these (with MADV_HUGEPAGE and MADV_POPULATE_READ, by workers or by a thread for that) made the first reading take
//! a fifth to a half longer, on the virtual machine where it was tried.
//!
//! A mapped file that another process truncates during the run cannot be read to its end: the system sends
//! SIGBUS to who touches a page that is gone, and gives zeros for the rest of the last page that is left. The
//! first ends the process, by default without a word; [`tell_of_shrinking`] makes it a message. The second is
//! noticed when the end of the map is reached. The streaming path reads such a file to its new end.

use std::fs::File;
use std::ops::Range;
use std::sync::Arc;
use std::{fmt, io};

use memmap2::Mmap;

const SHRANK: &str = "it became shorter while it was read";

/// A part is asked for in pieces of this size, as some systems read no more at once.
const PIECE: usize = 512 << 10;

/// Whether regular files are mapped to memory.
///
/// The default is [`Mapping::NEVER`]: files are read with `read` calls.
#[derive(Clone, Default)]
pub struct Mapping(Option<Choice>);

#[derive(Clone)]
struct Choice {
    observer: Option<Arc<dyn MapObserver>>,
}

/// Is told which files are mapped where, for a handler of SIGBUS.
pub trait MapObserver: Send + Sync {
    /// A file has been mapped at these addresses.
    fn mapped(&self, name: &str, addresses: Range<usize>);
    /// It will be unmapped.
    fn unmapped(&self, addresses: Range<usize>);
}

impl Mapping {
    /// Files are read.
    pub const NEVER: Mapping = Mapping(None);

    /// Files are mapped, which saves a copy: easy puzzles are solved a tenth faster.
    ///
    /// # Safety
    /// No other process may change the files during the run. A file that is changed gives wrong records; a file that is
    /// truncated ends the process with SIGBUS on Unix.
    #[allow(unsafe_code)]
    pub unsafe fn always() -> Mapping {
        Mapping(Some(Choice { observer: None }))
    }

    /// Files are mapped, and `observer` is told where.
    ///
    /// # Safety
    /// As [`Mapping::always`], except that a handler of SIGBUS may end the process in its own way.
    #[allow(unsafe_code)]
    pub unsafe fn observed(observer: Arc<dyn MapObserver>) -> Mapping {
        Mapping(Some(Choice { observer: Some(observer) }))
    }

    pub(super) fn is_on(&self) -> bool {
        self.0.is_some()
    }
}

impl fmt::Debug for Mapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_on() { "Mapping::always" } else { "Mapping::NEVER" })
    }
}

/// A regular file that is mapped to memory.
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
    /// Maps a regular file of at least one byte. Returns the file if it cannot be mapped.
    pub fn new(file: File, name: &str, mapping: &Mapping) -> Result<Mapped, File> {
        let observer = mapping.0.as_ref().and_then(|choice| choice.observer.clone());
        // SAFETY: The mapping is read-only, and the caller of `Mapping::always` or `Mapping::observed` guarantees that the
        // file does not change. If it does all the same, no memory access depends on the bytes unchecked: the result is a
        // garbled record or SIGBUS.
        #[allow(unsafe_code)]
        let Ok(map) = (unsafe { Mmap::map(&file) }) else { return Err(file) };
        // The advice may be refused without harm.
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

    /// All of it.
    pub fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Has the system read a part from the disk, unless it is there, and does not wait for it.
    pub fn prefetch(&self, part: Range<usize>) {
        for start in part.clone().step_by(PIECE) {
            let end = part.end.min(start + PIECE);
            // The last byte tells of all, for to look at each page of a file that is there takes a fiftieth of the time of
            // easy puzzles.
            if !is_cached(&self.file, end - 1) {
                #[cfg(unix)]
                let _ = self.map.advise_range(memmap2::Advice::WillNeed, start, end - start);
            }
        }
    }

    /// Lets the system forget that a part is mapped. Whoever reads it again maps it again.
    pub fn release(&self, part: Range<usize>) {
        // SAFETY: The mapping is of a file and never written to, so the bytes stay what they are, also for those who look
        // at them now.
        #[cfg(unix)]
        #[allow(unsafe_code)]
        let _ = unsafe {
            self.map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, part.start, part.len())
        };
        #[cfg(not(unix))]
        let _ = part;
    }

    /// Whether the file still has as many bytes.
    ///
    /// # Errors
    /// When it has fewer, or the system does not tell.
    pub fn check_length(&self) -> io::Result<()> {
        if self.file.metadata()?.len() < self.map.len() as u64 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, SHRANK));
        }
        Ok(())
    }
}

/// Whether a byte of a file can be read at once. Where this cannot be asked, nothing is known to be there.
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
