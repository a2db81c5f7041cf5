//! Stage 1, bytes: mapped files and streams.
//!
//! A regular file is mapped, so that workers read the page cache in place. Everything else (standard
//! input, pipes, and every file where mapping is not wanted or fails) is a stream of `read` calls. Packed
//! files are unpacked as a stream, see `unpack.rs`.
//! The batch stage makes the same lines of both.
//!
//! A mapped file that another process truncates during the run cannot be read to its end: the system sends
//! SIGBUS to who touches a page that is gone, and gives zeros for the rest of the last page that is left. The
//! first ends the process, by default without a word; [`tell_of_shrinking`] makes it a message. The second is
//! noticed when the end of the map is reached. The streaming path reads such a file to its new end.

use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek};
use std::ops::Range;
use std::path::{Path, PathBuf};

use memmap2::Mmap;

use crate::error::Error;
use crate::unpack::{MAGIC, Packing, Unpacked};

/// Where records come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

const SHRANK: &str = "it became shorter while it was read";

/// An input that is being read.
pub(crate) enum Bytes {
    Mapped(Mmap, File),
    Stream(Box<dyn Read + Send>),
    /// Unpacked on the way. Of a zip, one entry after the other.
    Packed(Packing, Unpacked),
}

impl Input {
    /// The input that an operand of the command line names: `-` is standard input.
    pub fn from_operand(operand: &Path) -> Input {
        if operand == Path::new("-") { Input::Stdin } else { Input::File(operand.to_owned()) }
    }

    /// As it is called in messages.
    pub fn name(&self) -> String {
        match self {
            Input::Stdin => "<stdin>".to_owned(),
            Input::File(path) => path.display().to_string(),
        }
    }

    /// Bytes to come, where that is known beforehand: of regular files that are not packed.
    ///
    /// # Errors
    /// When the file cannot be opened, or is a directory. A run checks all of its inputs in this way before
    /// it starts on the first.
    pub fn size(&self) -> Result<Option<u64>, Error> {
        let Input::File(path) = self else { return Ok(None) };
        let metadata = fs::metadata(path).map_err(|cause| self.cannot_open(cause))?;
        if metadata.is_dir() {
            return Err(self.cannot_open(io::ErrorKind::IsADirectory.into()));
        }
        // To open a pipe may take its first bytes from who reads it later.
        if !metadata.is_file() {
            return Ok(None);
        }
        let mut file = File::open(path).map_err(|cause| self.cannot_open(cause))?;
        let is_packed = head(&mut file, MAGIC).is_ok_and(|head| Packing::of(&head).is_some());
        Ok((!is_packed).then_some(metadata.len()))
    }

    pub(crate) fn open(&self, may_map: bool) -> Result<Bytes, Error> {
        let (file, may_map) = match self {
            Input::File(path) => (File::open(path), may_map),
            Input::Stdin => (stdin(), false),
        };
        let file = file.map_err(|cause| self.cannot_open(cause))?;
        prepare(file, &self.name(), may_map).map_err(|cause| self.cannot_read(cause))
    }

    /// An error if a file that was mapped as a whole is shorter now.
    pub(crate) fn check_length(&self, file: &File, mapped: usize) -> Result<(), Error> {
        let length = file.metadata().map_err(|cause| self.cannot_read(cause))?.len();
        if length < mapped as u64 {
            return Err(self.cannot_read(io::Error::new(io::ErrorKind::UnexpectedEof, SHRANK)));
        }
        Ok(())
    }

    pub(crate) fn cannot_read(&self, cause: io::Error) -> Error {
        Error::Read { name: self.name(), cause }
    }

    fn cannot_open(&self, cause: io::Error) -> Error {
        Error::Open { name: self.name(), cause }
    }
}

/// Standard input as a file: what was redirected to it may be one.
#[cfg(not(windows))]
fn stdin() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdin().as_fd().try_clone_to_owned()?.into())
}

/// Standard input as a file: what was redirected to it may be one.
#[cfg(windows)]
fn stdin() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdin().as_handle().try_clone_to_owned()?.into())
}

/// Looks at the first bytes and decides how the rest is to be read.
fn prepare(mut file: File, name: &str, may_map: bool) -> io::Result<Bytes> {
    let is_regular = is_regular(&file) && file.stream_position().is_ok_and(|at| at == 0);
    let head = head(&mut file, MAGIC)?;
    if is_regular {
        file.rewind()?;
    }
    let packing = Packing::of(&head);
    if is_regular {
        return match packing {
            Some(packing) => Ok(Bytes::Packed(packing, Unpacked::from_file(packing, file)?)),
            None => Ok(match may_map.then(|| map(&file)).flatten() {
                Some(map) => {
                    shrinking::note(name, &map);
                    Bytes::Mapped(map, file)
                }
                None => Bytes::Stream(Box::new(file)),
            }),
        };
    }
    let stream = Cursor::new(head).chain(file);
    match packing {
        Some(packing) => Ok(Bytes::Packed(packing, Unpacked::from_stream(packing, stream)?)),
        None => Ok(Bytes::Stream(Box::new(stream))),
    }
}

/// The first `n` bytes, or all if there are fewer.
pub(crate) fn head(source: &mut impl Read, n: usize) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    source.take(n as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// Files in /proc and the like claim to be regular and empty, and yet have bytes to read.
fn is_regular(file: &File) -> bool {
    file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0)
}

/// Maps a regular file that has a length; `None` asks for a stream.
fn map(file: &File) -> Option<Mmap> {
    // SAFETY: The mapping is read-only and private to us, and nothing but `&[u8]` is ever taken from it.
    // Another process may still change the file under us, which no program can prevent: every byte is
    // read as plain data whose value no memory access depends on unchecked, so the worst that comes of
    // it is a garbled record, or the signal of the module's documentation.
    #[allow(unsafe_code)]
    let mapped = unsafe { Mmap::map(file) }.ok()?;
    // Advice may be refused without harm.
    #[cfg(unix)]
    let _ = mapped.advise(memmap2::Advice::Sequential);
    Some(mapped)
}

/// Lets the system forget that this part of a file is mapped. Whoever reads it again maps it again.
#[cfg(unix)]
pub(crate) fn let_go(map: &Mmap, part: Range<usize>) {
    // SAFETY: The mapping is of a file and never written to, so the bytes stay what they are, also for those who look at
    // them now.
    #[allow(unsafe_code)]
    let _ = unsafe { map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, part.start, part.len()) };
}

#[cfg(not(unix))]
pub(crate) fn let_go(_: &Mmap, _: Range<usize>) {}

#[cfg(unix)]
pub use shrinking::{is_ignored, shrunk, tell_of_shrinking};

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
