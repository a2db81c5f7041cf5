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

/// The identity of a regular file, whatever its name.
#[derive(PartialEq, Eq)]
pub struct Identity {
    #[cfg(unix)]
    device_and_inode: (u64, u64),
    #[cfg(not(unix))]
    path: PathBuf,
}

#[cfg(unix)]
impl Identity {
    pub fn of(path: &Path) -> Option<Identity> {
        fs::metadata(path).ok().and_then(|metadata| Self::of_metadata(&metadata))
    }

    pub fn of_stream(stream: impl std::os::fd::AsFd) -> Option<Identity> {
        let file = fs::File::from(stream.as_fd().try_clone_to_owned().ok()?);
        Self::of_metadata(&file.metadata().ok()?)
    }

    fn of_metadata(metadata: &fs::Metadata) -> Option<Identity> {
        use std::os::unix::fs::MetadataExt;
        metadata.is_file().then(|| Identity { device_and_inode: (metadata.dev(), metadata.ino()) })
    }
}

#[cfg(not(unix))]
impl Identity {
    pub fn of(path: &Path) -> Option<Identity> {
        fs::canonicalize(path).ok().filter(|path| path.is_file()).map(|path| Identity { path })
    }

    pub fn of_stream<S>(_stream: S) -> Option<Identity> {
        None
    }
}

impl Identity {
    /// Whether [`read_whole`] has read the file.
    pub fn is_read(&self) -> bool {
        READ.lock().expect("no thread panics with the lock").contains(self)
    }
}
