//! Temporary files without a name, and their folder.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::error::Error;

/// The folder unless another one is chosen. An empty TMPDIR counts as unset.
pub fn temp_dir() -> PathBuf {
    let folder = std::env::temp_dir();
    if folder.as_os_str().is_empty() { "/tmp".into() } else { folder }
}

/// Creates a temporary file without a name in `folder`. It vanishes with the process, however that ends.
pub fn temporary(folder: &Path) -> Result<File, Error> {
    tempfile::tempfile_in(folder).map_err(|source| Error::Create { name: name(folder), source })
}

/// The error of a [`temporary`] file that cannot be written or read again.
pub fn cannot_write(folder: &Path, source: io::Error) -> Error {
    Error::Write { name: name(folder), source }
}

fn name(folder: &Path) -> String {
    format!("temporary file in {}", folder.display())
}
