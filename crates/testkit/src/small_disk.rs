//! A small disk in memory that can be filled and freed: a tmpfs of its own, unmounted when it is dropped.

use std::env;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use anyhow::{Context, ensure};
use tempfile::TempDir;

/// Memory is handed out in pages of this size, so nothing smaller is left over.
const PAGE: [u8; 4_096] = [0; 4_096];

/// Set in a program that was started again in a user namespace.
const IN_NAMESPACE: &str = "CROWNHEAD_IN_NAMESPACE";

/// A mounted tmpfs.
#[derive(Debug)]
pub struct SmallDisk {
    folder: TempDir,
}

impl SmallDisk {
    /// Mounts a tmpfs. This requires Linux and root, if only the root of a user namespace.
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
        ensure!(
            output.status.success(),
            "cannot mount a small disk (it takes Linux, and root or user namespaces): {why}"
        );
        Ok(SmallDisk { folder })
    }

    /// Runs this program again, with the given arguments, as root of a user namespace of its own, if it may not mount a
    /// disk itself. Returns the exit status of that run, or `None` if there is no need.
    ///
    /// # Errors
    /// If a disk cannot be mounted there either.
    pub fn run_where_it_mounts(arguments: &[&str]) -> anyhow::Result<Option<ExitStatus>> {
        let Err(error) = SmallDisk::mount(64) else { return Ok(None) };
        ensure!(env::var_os(IN_NAMESPACE).is_none(), error);
        let mut again = Command::new("unshare");
        again.args(["--user", "--map-root-user", "--mount"]).arg(env::current_exe()?).args(arguments);
        let status = again.env(IN_NAMESPACE, "1").status().context("cannot start unshare")?;
        Ok(Some(status))
    }

    /// Where it is mounted.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Takes every page that is left. May be called again, in case something was freed.
    ///
    /// # Errors
    /// If anything fails for another reason than a full disk.
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

    /// Frees the space that [`SmallDisk::fill`] took.
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
