//! Files that options name, other than inputs and outputs, and the identity of files.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
#[cfg(not(unix))]
use std::path::PathBuf;
use std::sync::Mutex;

use crate::closed;

/// The most bytes of a file that is read as a whole.
const MAX_WHOLE: u64 = 64 << 20;

/// The files that [`read_whole`] has read.
static READ: Mutex<Vec<Identity>> = Mutex::new(Vec::new());

/// Reads a file that an option names, other than an input, as a whole; `-` is standard input. All such files are read
/// by this function before the outputs are created, so that no output replaces one of them.
///
/// # Errors
/// When it cannot be read, or has more than 64 MiB.
pub fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    let is_stdin = path == Path::new("-");
    let identity = if is_stdin { Identity::of_stream(io::stdin()) } else { Identity::of(path) };
    READ.lock().expect("no thread panics with the lock").extend(identity);
    let mut bytes = Vec::new();
    if is_stdin {
        closed::stdin()?;
        io::stdin().take(MAX_WHOLE + 1).read_to_end(&mut bytes)?;
    } else {
        fs::File::open(path)?.take(MAX_WHOLE + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > MAX_WHOLE {
        let reason = "it is larger than 64 MiB, the limit for this option";
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

/// The identity of a regular file, whatever its name: its device and inode, or else its path.
#[derive(PartialEq, Eq)]
pub struct Identity(#[cfg(unix)] (u64, u64), #[cfg(not(unix))] PathBuf);

impl Identity {
    #[cfg(unix)]
    pub fn of(path: &Path) -> Option<Identity> {
        Self::of_metadata(&fs::metadata(path).ok()?)
    }

    #[cfg(unix)]
    pub fn of_stream(stream: impl std::os::fd::AsFd) -> Option<Identity> {
        let file = fs::File::from(stream.as_fd().try_clone_to_owned().ok()?);
        Self::of_metadata(&file.metadata().ok()?)
    }

    #[cfg(unix)]
    fn of_metadata(metadata: &fs::Metadata) -> Option<Identity> {
        use std::os::unix::fs::MetadataExt;
        metadata.is_file().then(|| Identity((metadata.dev(), metadata.ino())))
    }

    #[cfg(not(unix))]
    pub fn of(path: &Path) -> Option<Identity> {
        fs::canonicalize(path).ok().filter(|path| path.is_file()).map(Identity)
    }

    #[cfg(not(unix))]
    pub fn of_stream<S>(_stream: S) -> Option<Identity> {
        None
    }

    /// Whether [`read_whole`] has read the file.
    pub fn is_read(&self) -> bool {
        READ.lock().expect("no thread panics with the lock").contains(self)
    }
}
