//! The disk as SQLite sees it: the test decides when a file is written through.
//!
//! SQLite commits by `fsync` on its log, and shows what it wrote to nobody before that returns. This program has an
//! `fsync` of its own, which the linker takes in the place of the system's: it waits while the file is held, and then
//! does what the system's does. Linux tells which file it is.

use std::ffi::c_int;
use std::fs::read_link;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Files that are held, and whether somebody waits for them.
static HELD: Mutex<Vec<(PathBuf, bool)>> = Mutex::new(Vec::new());
static CHANGED: Condvar = Condvar::new();

fn held() -> MutexGuard<'static, Vec<(PathBuf, bool)>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that is not written through until this is dropped.
pub(crate) struct Hold(PathBuf);

impl Hold {
    pub(crate) fn new(file: &Path) -> Hold {
        let file = file.canonicalize().expect("a file");
        held().push((file.clone(), false));
        Hold(file)
    }

    /// Waits until somebody wants it written through, or it is let go.
    pub(crate) async fn reached(&self) {
        let unasked = (self.0.clone(), false);
        let wait = move || drop(CHANGED.wait_while(held(), |held| held.contains(&unasked)));
        tokio::task::spawn_blocking(wait).await.expect("no panic");
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        held().retain(|(file, _)| *file != self.0);
        CHANGED.notify_all();
    }
}

#[expect(unsafe_code, reason = "only by its name does it come in the place of the system's")]
#[unsafe(no_mangle)]
extern "C" fn fsync(file: c_int) -> c_int {
    if let Ok(path) = read_link(format!("/proc/self/fd/{file}")) {
        let is_held = |held: &mut Vec<(PathBuf, bool)>| {
            let entry = held.iter_mut().find(|(held, _)| *held == path);
            entry.is_some_and(|(_, is_awaited)| {
                if !std::mem::replace(is_awaited, true) {
                    CHANGED.notify_all();
                }
                true
            })
        };
        drop(CHANGED.wait_while(held(), is_held));
    }
    // SAFETY: it takes a number, and for one that is no open file it answers with an error, as the system's does.
    unsafe { libc::syscall(libc::SYS_fsync, file) as c_int }
}
