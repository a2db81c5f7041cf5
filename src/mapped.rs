//! Stage 1, bytes: files mapped to memory, from where workers read the page cache in place.
//!
//! The system reads ahead of who reads a file from its start to its end. It does not see that in several threads, each
//! with a batch of its own, so they [ask](Mapped::ask_for) for what comes next. What is asked for like this comes in single
//! pages: who reads the file once more takes a sixth longer for easy puzzles than if it had come in larger parts. But to
//! have these (with MADV_HUGEPAGE and MADV_POPULATE_READ, by workers or by a thread for that) made the first reading take
//! a fifth to a half longer, on the virtual machine where it was tried.
//!
//! A mapped file that another process truncates during the run cannot be read to its end: the system sends
//! SIGBUS to who touches a page that is gone, and gives zeros for the rest of the last page that is left. The
//! first ends the process, by default without a word; [`tell_of_shrinking`] makes it a message. The second is
//! noticed when the end of the map is reached. The streaming path reads such a file to its new end.

use std::fs::File;
use std::io;
use std::ops::Range;

use memmap2::Mmap;

#[cfg(unix)]
pub use shrinking::{is_ignored, shrunk, tell_of_shrinking};

const SHRANK: &str = "it became shorter while it was read";

/// A part is asked for in pieces of this size, as some systems read no more at once.
const PIECE: usize = 512 << 10;

/// A regular file that is mapped to memory.
pub(crate) struct Mapped {
    map: Mmap,
    file: File,
}

impl Mapped {
    /// Maps a regular file that has a length, or gives it back.
    pub fn new(file: File, name: &str) -> Result<Mapped, File> {
        // SAFETY: The mapping is read-only and private to us, and nothing but `&[u8]` is ever taken from it.
        // Another process may still change the file under us, which no program can prevent: every byte is
        // read as plain data whose value no memory access depends on unchecked, so the worst that comes of
        // it is a garbled record, or the signal of the module's documentation.
        #[allow(unsafe_code)]
        let Ok(map) = (unsafe { Mmap::map(&file) }) else { return Err(file) };
        // Advice may be refused without harm.
        #[cfg(unix)]
        let _ = map.advise(memmap2::Advice::Sequential);
        shrinking::note(name, &map);
        Ok(Mapped { map, file })
    }

    /// All of it.
    pub fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Has the system read a part from the disk, unless it is there, and does not wait for it.
    pub fn ask_for(&self, part: Range<usize>) {
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
    pub fn let_go(&self, part: Range<usize>) {
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

/// What becomes of SIGBUS, and of signals that are ignored.
#[cfg(unix)]
mod shrinking {
    use std::ops::Range;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::{io, mem, ptr};

    use memmap2::Mmap;

    use super::SHRANK;

    /// Names of the files that have been mapped, and where. Few enough to be kept.
    static MAPS: Mutex<Vec<(Range<usize>, String)>> = Mutex::new(Vec::new());
    /// The address that could not be read, or 0.
    static FAULT: AtomicUsize = AtomicUsize::new(0);

    pub(super) fn note(name: &str, map: &Mmap) {
        let start = map.as_ptr() as usize;
        MAPS.lock().expect("nobody panics with the lock").push((start..start + map.len(), name.to_owned()));
    }

    /// From now on a page of a mapped file that is gone leads to a SIGTERM to this process, and the thread that
    /// wanted it waits for the end. Who handles that signal asks [`shrunk`] for the reason.
    ///
    /// # Errors
    /// When the system says so.
    #[allow(unsafe_code)]
    pub fn tell_of_shrinking() -> io::Result<()> {
        // SAFETY: All zeros are a valid `sigaction`, which holds an address, integers and a set of bits.
        let mut action: libc::sigaction = unsafe { mem::zeroed() };
        let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) = on_bus_error;
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_SIGINFO;
        // SAFETY: `action` is initialised and its handler has the signature that SA_SIGINFO asks for and calls
        // nothing that is not safe in a signal handler; the old action is not asked for.
        match unsafe { libc::sigaction(libc::SIGBUS, &action, ptr::null_mut()) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Whether this process ignores a signal, as those that `nohup` starts ignore SIGHUP.
    #[allow(unsafe_code)]
    pub fn is_ignored(signal: libc::c_int) -> bool {
        // SAFETY: All zeros are a valid `sigaction`, which holds an address, integers and a set of bits.
        let mut action: libc::sigaction = unsafe { mem::zeroed() };
        // SAFETY: No action is given, so none is set; `action` is there to be written to.
        let answer = unsafe { libc::sigaction(signal, ptr::null(), &mut action) };
        answer == 0 && action.sa_sigaction == libc::SIG_IGN
    }

    /// What is to be said if a page was gone: the name of the file, if it is known, and what happened.
    pub fn shrunk() -> Option<String> {
        let address = match FAULT.load(Ordering::SeqCst) {
            0 => return None,
            address => address,
        };
        let maps = MAPS.lock().ok()?;
        // An address may have been used before.
        let file = maps.iter().rev().find(|(range, _)| range.contains(&address));
        Some(file.map_or("bus error".to_owned(), |(_, name)| format!("cannot read '{name}': {SHRANK}")))
    }

    #[allow(unsafe_code)]
    extern "C" fn on_bus_error(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
        // SAFETY: The system gives a valid `info`, and for SIGBUS it holds an address (some value, if the signal
        // was sent by a process). kill, getpid and pause may be called from a signal handler.
        unsafe {
            FAULT.store(((*info).si_addr() as usize).max(1), Ordering::SeqCst);
            libc::kill(libc::getpid(), libc::SIGTERM);
            // To return would be to touch the page again.
            loop {
                libc::pause();
            }
        }
    }
}

/// Elsewhere the system says what it says.
#[cfg(not(unix))]
mod shrinking {
    pub(super) fn note(_name: &str, _map: &memmap2::Mmap) {}
}
