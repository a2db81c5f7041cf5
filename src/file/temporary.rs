//! The folder of temporary files.

use std::path::PathBuf;

/// The folder unless another one is chosen. An empty TMPDIR counts as unset.
pub fn temp_dir() -> PathBuf {
    let folder = std::env::temp_dir();
    if folder.as_os_str().is_empty() { "/tmp".into() } else { folder }
}
