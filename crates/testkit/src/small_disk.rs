//! A small disk in memory that can be filled and freed: a tmpfs of its own, unmounted when it is dropped.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use tempfile::TempDir;

/// Memory is handed out in pages of this size, so nothing smaller is left over.
const PAGE: [u8; 4_096] = [0; 4_096];

/// A mounted tmpfs.
#[derive(Debug)]
pub struct SmallDisk {
    folder: TempDir,
}

impl SmallDisk {
    /// Mounts one; this takes Linux and root.
    ///
    /// # Errors
    /// If it cannot be mounted.
    pub fn mount(kilobytes: usize) -> anyhow::Result<SmallDisk> {
        let folder = tempfile::Builder::new().prefix("crownhead-disk").tempdir()?;
        let options = format!("size={kilobytes}k,mode=0777");
        let mut mount = Command::new("mount");
        let output = mount.args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(folder.path()).output();
        let output = output.context("cannot start mount")?;
        let why = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "cannot mount a small disk (it takes Linux and root): {why}");
        Ok(SmallDisk { folder })
    }

    /// Where it is mounted.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Takes every page that is left. May be called again, in case something was freed.
    ///
    /// # Errors
    /// If anything fails other than for want of space.
    pub fn fill(&self) -> anyhow::Result<()> {
        let mut filler = File::options().create(true).append(true).open(self.filler())?;
        loop {
            match filler.write_all(&PAGE) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::StorageFull => return Ok(()),
                Err(error) => return Err(error).context("cannot fill the disk"),
            }
        }
    }

    /// Gives back what [`SmallDisk::fill`] took.
    ///
    /// # Errors
    /// If it was not filled.
    pub fn free(&self) -> anyhow::Result<()> {
        fs::remove_file(self.filler()).context("cannot free the disk")
    }

    fn filler(&self) -> PathBuf {
        self.path().join("filler")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: a process that is about to end may still hold a file on it.
        let _ = Command::new("umount").arg("--lazy").arg(self.path()).status();
    }
}
