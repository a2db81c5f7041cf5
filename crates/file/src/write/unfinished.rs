//! Temporary files: the registry that removes them, and their way to the final name.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf, is_separator};
use std::sync::{Arc, Mutex, TryLockError};
use std::thread;
use std::time::Duration;

use tempfile::TempPath;

use super::sink::synchronise;
use crate::error::Error;
use crate::sync::lock;
use crate::temporary::{cannot_write, temp_dir};

/// A registry of temporary files, which a program removes if it ends early, for example on Ctrl-C.
///
/// Clones share the same registry.
#[derive(Clone, Debug, Default)]
pub struct Unfinished(Arc<Mutex<Vec<Entry>>>);

#[derive(Debug)]
struct Entry {
    temporary: TempPath,
    /// The final path of an output, as [`final_path`] returns it.
    target: Option<PathBuf>,
}

impl Unfinished {
    /// Removes all unfinished files; their outputs then fail to [finish](super::Output::finish). Returns the paths of
    /// these outputs.
    ///
    /// While the returned guard lives, no output is created or finished on this registry. Keep it until the process
    /// ends.
    pub fn discard(&self) -> (impl Drop + '_, Vec<PathBuf>) {
        let mut files = lock(&self.0);
        let paths = files.drain(..).filter_map(|file| file.target).collect();
        (files, paths)
    }

    /// The same after a failed allocation: waits for the lock for at most five seconds, because this thread may hold
    /// it, and neither allocates nor frees memory, except for very long paths.
    #[doc(hidden)]
    pub fn try_discard(&self) -> Option<impl Drop + '_> {
        for _ in 0..5000 {
            match self.0.try_lock() {
                Ok(files) => {
                    for file in files.iter() {
                        let _ = fs::remove_file(&file.temporary);
                    }
                    return Some(files);
                }
                Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
                Err(TryLockError::Poisoned(_)) => return None,
            }
        }
        None
    }

    /// Creates a temporary file beside `path`, to which `old` belongs if it exists. It has to be
    /// [finished](TempFile::finish).
    ///
    /// # Errors
    /// Also if the file could not be renamed later, as far as that can be known.
    pub(super) fn create(&self, path: &Path, old: Option<&Metadata>) -> io::Result<(File, TempFile)> {
        let target = final_path(path)?;
        let folder = folder_of(&target);
        if old.is_some() {
            // Replacing a file needs no permission to write it, but a read-only file should stay.
            File::options().write(true).open(&target)?;
        }
        let mut files = lock(&self.0);
        if files.iter().any(|file| file.target.as_ref() == Some(&target)) {
            return Err(io::Error::other("another output has the same name"));
        }
        files.reserve(1);
        let mut builder = tempfile::Builder::new();
        builder.prefix(".rapidoku-").suffix(".part");
        // A new file gets the usual permissions. One that replaces another is private until `copy_attributes`.
        #[cfg(unix)]
        builder.permissions(PermissionsExt::from_mode(if old.is_none() { 0o666 } else { 0o600 }));
        let (file, temporary) = builder.tempfile_in(folder)?.into_parts();
        if let Some(old) = old {
            copy_attributes(&file, old, folder)?;
        }
        let unfinished = TempFile(self.clone(), temporary.to_path_buf());
        files.push(Entry { temporary, target: Some(target) });
        Ok((file, unfinished))
    }

    /// Creates a temporary file with this content, for other programs to read.
    ///
    /// # Errors
    /// When the file cannot be created or written.
    #[doc(hidden)]
    pub fn temp_file(&self, content: &[u8]) -> Result<TempFile, Error> {
        let mut files = lock(&self.0);
        let file = tempfile::Builder::new().prefix("rapidoku-").suffix(".txt").tempfile_in(temp_dir());
        let written = file.and_then(|mut file| file.write_all(content).map(|()| file));
        let file = written.map_err(cannot_write)?;
        let temporary = file.into_temp_path();
        let path = temporary.to_path_buf();
        files.push(Entry { temporary, target: None });
        Ok(TempFile(self.clone(), path))
    }
}

/// A temporary file that is removed when this value is dropped.
pub struct TempFile(Unfinished, PathBuf);

impl TempFile {
    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.1
    }

    /// Gives an output, whose content must be on disk if `sync` is set, its final name. Then waits until the new name
    /// is on disk too.
    ///
    /// # Errors
    /// When the file was discarded or the system reports an error.
    pub(super) fn finish(self, sync: bool) -> io::Result<()> {
        let mut files = lock(&self.0.0);
        let Some(index) = files.iter().position(|file| *file.temporary == *self.1) else {
            return Err(io::Error::other("the unfinished file was discarded"));
        };
        let target = files[index].target.clone().expect("it is an output");
        // Opened before the rename, so that a failure leaves the old file.
        let folder = match (sync && cfg!(unix)).then(|| File::open(folder_of(&target))) {
            // A folder may be written but not read.
            Some(Err(error)) if error.kind() == io::ErrorKind::PermissionDenied => None,
            opened => opened.transpose()?,
        };
        let temporary = files.swap_remove(index).temporary;
        temporary.persist(&target).map_err(|error| error.error)?;
        // Signals need the lock, and the disk may be slow.
        drop(files);
        folder.map_or(Ok(()), |folder| synchronise(&folder))
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        lock(&self.0.0).retain(|file| *file.temporary != *self.1);
    }
}

/// The path of a file, which need not exist, without symbolic links. Two paths to the same file give the same path.
fn final_path(path: &Path) -> io::Result<PathBuf> {
    let path = follow_links(path)?;
    let last = path.as_os_str().as_encoded_bytes().last();
    let is_folder = last.is_some_and(|&byte| is_separator(byte.into()));
    let name = path.file_name().filter(|_| !is_folder).ok_or(io::ErrorKind::IsADirectory)?;
    let folder = folder_of(&path);
    // Fails if a folder further up may not be searched. Then two paths to the same file may be unequal.
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    Ok(folder.join(name))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Follows symbolic links from `path` to a file, which need not exist.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            // There is no file, or one that is not a link.
            Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::NotFound) => {
                return Ok(path);
            }
            Err(error) if cfg!(unix) => return Err(error),
            Err(_) => return Ok(path),
        }
    }
    Err(io::ErrorKind::InvalidInput.into())
}

/// Gives `file` the owner, the group and the permissions of a file that it will replace, as far as this process may.
/// The bits that make a program run as its owner or group are not copied: the content is not that program.
///
/// # Errors
/// If this fails, or if `folder` is sticky and the old file belongs to somebody else: it cannot be replaced then,
/// although files can be created beside it.
#[cfg(unix)]
fn copy_attributes(file: &File, old: &Metadata, folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    const STICKY: u32 = 0o1000;
    let (new, folder) = (file.metadata()?, fs::metadata(folder)?);
    if folder.mode() & STICKY != 0 && ![0, old.uid(), folder.uid()].contains(&new.uid()) {
        return Err(io::Error::other("file of another user in a sticky directory"));
    }
    let mut mode = old.mode() & 0o777;
    if old.gid() != new.gid() && fchown(file, None, Some(old.gid())).is_err() {
        // Another group than before may do no more than everybody.
        mode = mode & !0o070 | (mode & 0o007) << 3;
    }
    file.set_permissions(fs::Permissions::from_mode(mode))?;
    if old.uid() != new.uid() {
        // Last, because only the owner may change permissions. Only a privileged process may change the owner.
        let _ = fchown(file, Some(old.uid()), None);
    }
    Ok(())
}

#[cfg(not(unix))]
fn copy_attributes(file: &File, old: &Metadata, _: &Path) -> io::Result<()> {
    file.set_permissions(old.permissions())
}
