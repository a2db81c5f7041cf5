//! Inputs that are read more than once: open files, and copies of streams in temporary files.

use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::sync::Arc;

use super::{Input, Waiting, head, is_regular, stdin};
use crate::cancel::CancelToken;
use crate::error::Error;
use crate::temporary::{cannot_write, temporary};

/// An open regular file, which is read from its start, as often as it is used as an input.
///
/// ```
/// use std::io::Write;
///
/// use rapidoku::file::{Input, OpenFile};
///
/// let mut file = tempfile::tempfile()?;
/// file.write_all(b"2")?;
/// let input = Input::Open(OpenFile::new(file, "numbers"));
/// assert_eq!((input.name().as_str(), input.size()?), ("numbers", Some(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct OpenFile {
    file: Arc<File>,
    name: String,
}

/// The same open file.
impl PartialEq for OpenFile {
    fn eq(&self, other: &OpenFile) -> bool {
        Arc::ptr_eq(&self.file, &other.file)
    }
}

impl Eq for OpenFile {}

impl OpenFile {
    /// A file with this name in messages.
    pub fn new(file: File, name: impl Into<String>) -> OpenFile {
        OpenFile { file: Arc::new(file), name: name.into() }
    }

    /// The name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file, at its start.
    pub(super) fn rewound(&self) -> io::Result<File> {
        let mut file = self.file.try_clone()?;
        file.rewind()?;
        Ok(file)
    }
}

impl Input {
    /// An input with the same content that can be read more than once: a stream is copied to a temporary file, which
    /// has no name and vanishes with the process. `accept` gets the start of a stream, which is up to [`CHUNK`] bytes,
    /// before anything is copied.
    ///
    /// # Errors
    /// That of `accept`. When the stream cannot be read, the temporary file cannot be written, or `cancel` was set.
    pub(crate) fn repeatable(
        &self,
        cancel: &CancelToken,
        accept: impl FnOnce(&[u8]) -> Result<(), Error>,
    ) -> Result<Input, Error> {
        let mut source = match self {
            Input::Stdin => {
                let mut file = stdin().map_err(|cause| self.cannot_open(cause))?;
                if is_regular(&file) && file.stream_position().is_ok_and(|at| at == 0) {
                    return Ok(Input::Open(OpenFile::new(file, self.name())));
                }
                Waiting(file)
            }
            Input::File(path) => {
                let metadata = fs::metadata(path).map_err(|cause| self.cannot_open(cause))?;
                if metadata.is_file() {
                    return Ok(self.clone());
                }
                Waiting(File::open(path).map_err(|cause| self.cannot_open(cause))?)
            }
            Input::Open(_) | Input::Text(_) => return Ok(self.clone()),
        };
        let mut buffer = head(&mut source, CHUNK).map_err(|cause| self.cannot_read(cause))?;
        accept(&buffer)?;
        let mut copy = temporary()?;
        copy.write_all(&buffer).map_err(cannot_write)?;
        buffer.resize(CHUNK, 0);
        loop {
            let read = source.read(&mut buffer).map_err(|cause| self.cannot_read(cause))?;
            if read == 0 {
                return Ok(Input::Open(OpenFile::new(copy, self.name())));
            }
            copy.write_all(&buffer[..read]).map_err(cannot_write)?;
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
        }
    }
}

/// Bytes of a stream that are copied at a time.
const CHUNK: usize = 1 << 20;
