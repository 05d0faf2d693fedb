//! Atomic file writing: to a temporary file, which is synced and renamed. Also the lock file of a build.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::header::Kind;

/// The failures that a written file survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Durability {
    /// A killed process. A power loss may damage the file, which its checksum detects.
    Process,
    /// A power loss. Writing takes many times as long.
    PowerLoss,
}

/// Writes a file atomically: a reader finds the old file or the new one, never a part of it. After an error, removes
/// the temporary file.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8], durability: Durability) -> Result<(), Error> {
    let aside = aside(path);
    let written = write(&aside, bytes, durability).and_then(|()| fs::rename(&aside, path));
    if let Err(error) = written {
        // Best effort: the next build removes it otherwise.
        _ = fs::remove_file(&aside);
        return Err(Error::io("write", path)(error));
    }
    match path.parent() {
        Some(folder) if durability == Durability::PowerLoss => sync_folder(folder),
        _ => Ok(()),
    }
}

/// The path of the temporary file, which is then renamed.
fn aside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    name.into()
}

fn write(path: &Path, bytes: &[u8], durability: Durability) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    if durability == Durability::PowerLoss { file.sync_all() } else { Ok(()) }
}

/// Makes a rename durable. Only Unix can sync folders.
fn sync_folder(folder: &Path) -> Result<(), Error> {
    if cfg!(unix) {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::io("write", folder))?;
    }
    Ok(())
}

/// Removes the temporary files of a killed build from a folder, and no other files.
pub(crate) fn remove_leftovers(folder: &Path) -> Result<(), Error> {
    let of_a_table = |path: &Path| {
        let written = |kind: Kind| *path == *aside(&path.with_extension("").with_extension(kind.extension()));
        written(Kind::Wdl) || written(Kind::Dtw)
    };
    for entry in fs::read_dir(folder).map_err(Error::io("read", folder))? {
        let path = entry.map_err(Error::io("read", folder))?.path();
        if of_a_table(&path) && path.is_file() {
            fs::remove_file(&path).map_err(Error::io("remove", &path))?;
        }
    }
    Ok(())
}

/// Keeps other builds out of a folder until it is dropped or the process ends, even if it is killed.
pub(crate) struct BuildLock {
    _file: File,
}

impl BuildLock {
    pub(crate) fn take(folder: &Path) -> Result<BuildLock, Error> {
        let path = folder.join("building.lock");
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(Error::io("write", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(BuildLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(Error::Busy(folder.to_owned())),
            Err(TryLockError::Error(error)) => Err(Error::io("lock", &path)(error)),
        }
    }
}
