//! Inputs that are read more than once: open files, and copies of streams in temporary files.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::sync::Arc;

use super::{Input, Waiting, head, is_regular};
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
        let mut file = match self {
            Input::Open(_) | Input::Text(_) => return Ok(self.clone()),
            Input::File(path) if self.is_file(path)? => return Ok(self.clone()),
            _ => self.file()?,
        };
        if is_regular(&mut file) {
            return Ok(Input::Open(OpenFile::new(file, self.name())));
        }
        let mut source = Waiting::new(file);
        let mut buffer = head(&mut source, CHUNK).map_err(|cause| self.cannot_read(cause))?;
        accept(&buffer)?;
        let (mut copy, mut read) = (temporary()?, buffer.len());
        buffer.resize(CHUNK, 0);
        while read > 0 {
            copy.write_all(&buffer[..read]).map_err(cannot_write)?;
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            read = source.read(&mut buffer).map_err(|cause| self.cannot_read(cause))?;
        }
        Ok(Input::Open(OpenFile::new(copy, self.name())))
    }
}

/// Bytes of a stream that are copied at a time.
const CHUNK: usize = 1 << 20;
