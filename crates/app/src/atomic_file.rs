//! A file that is written beside its old self and takes its place at the end, whole or not at all.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::iter;
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::NamedTempFile;

/// The new content of a file. Until [`commit`](AtomicFile::commit) the old one stays; if it is dropped before, the
/// old one stays for good.
pub(crate) struct AtomicFile {
    path: PathBuf,
    content: Content,
}

enum Content {
    Beside(BufWriter<NamedTempFile>),
    /// A device, a pipe or a file that is open already cannot be replaced; it is added to.
    Open(BufWriter<File>),
}

/// Where systems keep the names of open files.
const OPEN_FILES: [&str; 2] = ["/proc", "/dev/fd"];

impl AtomicFile {
    pub(crate) fn create(path: &Path) -> anyhow::Result<AtomicFile> {
        AtomicFile::open(path).with_context(|| format!("cannot write {}", path.display()))
    }

    fn open(path: &Path) -> io::Result<AtomicFile> {
        let old = match fs::metadata(path) {
            Ok(old) => Some(old),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if old.as_ref().is_some_and(|old| !old.is_file() || is_open(path)) {
            let device = BufWriter::new(File::options().append(true).open(path)?);
            return Ok(AtomicFile { path: path.to_owned(), content: Content::Open(device) });
        }
        let path = end_of_links(path);
        let folder = folder_of(&path);
        // Said here, a missing folder is told by the name that was given and not by that of a temporary file.
        fs::metadata(folder)?;
        if let Some(old) = &old {
            check_writable(&path, old)?;
        }
        let file = create_beside(folder)?;
        if let Some(old) = old {
            file.as_file().set_permissions(old.permissions())?;
        }
        Ok(AtomicFile { path, content: Content::Beside(BufWriter::new(file)) })
    }

    /// Replaces a file at once.
    pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
        let mut file = AtomicFile::create(path)?;
        file.write_all(content.as_ref()).with_context(|| format!("cannot write {}", path.display()))?;
        file.commit()
    }

    /// Finds out before long work whether a file can be written after it. Leaves no trace, even if the work is
    /// interrupted.
    pub(crate) fn check(path: &Path) -> anyhow::Result<()> {
        let is_device = |old: &Metadata| !old.is_dir() && (!old.is_file() || is_open(path));
        // A pipe that is opened and closed has ended for its reader.
        if fs::metadata(path).as_ref().is_ok_and(is_device) {
            return Ok(());
        }
        AtomicFile::create(path).map(drop)
    }

    /// Puts the new content in the place of the old.
    pub(crate) fn commit(self) -> anyhow::Result<()> {
        let context = || format!("cannot write {}", self.path.display());
        match self.content {
            Content::Open(mut device) => device.flush().with_context(context),
            Content::Beside(file) => {
                let file = file.into_inner().map_err(io::IntoInnerError::into_error).with_context(context)?;
                file.as_file().sync_all().with_context(context)?;
                file.persist(&self.path).map_err(|failed| failed.error).with_context(context)?;
                Ok(())
            }
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.content {
            Content::Beside(file) => file.write(bytes),
            Content::Open(device) => device.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.content {
            Content::Beside(file) => file.flush(),
            Content::Open(device) => device.flush(),
        }
    }
}

/// The one name of a file, whether it is there or yet to be made: two names that come to the same mean the same file.
pub(crate) fn one_name(path: &Path) -> PathBuf {
    match fs::canonicalize(path) {
        Ok(name) => name,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let path = end_of_links(path);
            let folder = fs::canonicalize(folder_of(&path)).ok();
            folder.zip(path.file_name()).map(|(folder, name)| folder.join(name)).unwrap_or(path)
        }
        // Links in a circle have no end.
        Err(_) => path.to_owned(),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The file that a link leads to, even if it is yet to be made: a link stays a link.
fn end_of_links(path: &Path) -> PathBuf {
    links(path).last().unwrap_or_default()
}

/// Does a name stand for a file that is open, as /dev/stdout does? Whoever opened it would be left with the old one.
fn is_open(path: &Path) -> bool {
    links(path).any(|name| OPEN_FILES.iter().any(|folder| name.starts_with(folder)))
}

/// A name, and those that links lead to from it, one after the other.
fn links(path: &Path) -> impl Iterator<Item = PathBuf> {
    iter::successors(Some(path.to_owned()), |path| Some(folder_of(path).join(fs::read_link(path).ok()?)))
}

/// May a file be written? Its folder decides whether it can be replaced, but who made it read-only wants it to stay,
/// even from those who may write everything.
fn check_writable(path: &Path, old: &Metadata) -> io::Result<()> {
    if old.permissions().readonly() {
        let told = "it is read-only; make it writable or give another name";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, told));
    }
    File::options().write(true).open(path).map(drop)
}

/// A temporary file that others may read as any new file, unlike the usual ones.
fn create_beside(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".crownhead-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn the_old_file_stays_until_the_new_one_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pdn");
        fs::write(&path, "old").unwrap();
        let mut new = AtomicFile::create(&path).unwrap();
        new.write_all(b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        new.commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["games.pdn"]);
    }

    #[test]
    fn what_is_given_up_leaves_no_trace() {
        let folder = tempfile::tempdir().unwrap();
        let mut new = AtomicFile::create(&folder.path().join("games.pdn")).unwrap();
        new.write_all(b"new").unwrap();
        drop(new);
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn what_cannot_be_written_is_found_out_before_and_what_can_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        fs::write(&old, "old").unwrap();
        AtomicFile::check(&old).unwrap();
        AtomicFile::check(&new).unwrap();
        assert_eq!(
            (names(folder.path()), fs::read_to_string(&old).unwrap()),
            (vec!["old".into()], "old".into())
        );
        for wrong in [folder.path(), &folder.path().join("no/such")] {
            let error = AtomicFile::check(wrong).unwrap_err().to_string();
            assert_eq!(error, format!("cannot write {}", wrong.display()));
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay_as_they_are() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("games.pdn"), folder.path().join("link"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        let mut new = AtomicFile::create(&link).unwrap();
        new.write_all(b"new").unwrap();
        new.commit().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_file_yet_to_be_made_stays_a_link() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("games")).unwrap();
        let link = |name: &str| folder.path().join(name);
        symlink("second", link("first")).unwrap();
        symlink("games/new.pdn", link("second")).unwrap();
        AtomicFile::write(&link("first"), "new").unwrap();
        assert!(["first", "second"].iter().all(|name| link(name).is_symlink()));
        assert_eq!(fs::read_to_string(folder.path().join("games/new.pdn")).unwrap(), "new");
        for (name, to) in [("astray", "no/such"), ("round", "round")] {
            symlink(to, link(name)).unwrap();
            assert!(AtomicFile::write(&link(name), "new").is_err());
            assert!(link(name).is_symlink());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_has_one_name_before_and_after_it_is_made() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("games")).unwrap();
        symlink("new", folder.path().join("link")).unwrap();
        symlink("round", folder.path().join("round")).unwrap();
        let name = |name: &str| one_name(&folder.path().join(name));
        for is_made in [false, true] {
            if is_made {
                fs::write(folder.path().join("new"), "new").unwrap();
            }
            assert_eq!([name("link"), name("games/../new")], [name("new"), name("new")]);
            assert!(![name("newer"), name("games/new"), name("round")].contains(&name("new")));
        }
    }

    #[test]
    fn a_file_that_was_made_read_only_is_refused_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pdn");
        fs::write(&path, "old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        for refused in [AtomicFile::check(&path), AtomicFile::write(&path, "new")] {
            let error = format!("{:#}", refused.unwrap_err());
            assert!(
                error.starts_with(&format!("cannot write {}: it is read-only", path.display())),
                "{error}"
            );
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["games.pdn"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        let mut null = AtomicFile::create(Path::new("/dev/null")).unwrap();
        null.write_all(b"new").unwrap();
        null.commit().unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_open_file_is_added_to_and_not_replaced() {
        use std::os::fd::AsRawFd;
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("games.pdn"), folder.path().join("link"));
        let mut open = File::create(&path).unwrap();
        open.write_all(b"old ").unwrap();
        symlink(format!("/proc/self/fd/{}", open.as_raw_fd()), &link).unwrap();
        AtomicFile::check(&link).unwrap();
        AtomicFile::write(&link, "new").unwrap();
        assert_eq!(open.metadata().unwrap().len(), 7);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old new");
    }
}
