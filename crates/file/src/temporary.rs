//! Temporary files without a name, and their folder.

use std::fs::File;
use std::io;
use std::path::PathBuf;

use super::error::Error;

/// The folder. An empty TMPDIR counts as unset.
pub fn temp_dir() -> PathBuf {
    let folder = std::env::temp_dir();
    if folder.as_os_str().is_empty() { "/tmp".into() } else { folder }
}

/// Creates a temporary file without a name. It vanishes with the process, however that ends.
pub fn temporary() -> Result<File, Error> {
    tempfile::tempfile_in(temp_dir()).map_err(|source| Error::Create { name: name(), source })
}

/// The error of a [`temporary`] file that cannot be written or read again.
pub fn cannot_write(source: io::Error) -> Error {
    Error::Write { name: name(), source }
}

fn name() -> String {
    format!("temporary file in {}, see TMPDIR", temp_dir().display())
}
