//! Large pages of memory for the hash table: it is read at random, and most small pages of it would have to be looked up
//! first.

/// Asks the system to give this memory in large pages. Nothing but the speed depends on the answer.
#[cfg(target_os = "linux")]
pub(super) fn prefer_large<T>(memory: &mut [core::mem::MaybeUninit<T>]) {
    let range = memory.as_mut_ptr_range();
    let start = range.start.addr().next_multiple_of(PAGE_BYTES);
    let Some(bytes) = range.end.addr().checked_sub(start) else { return };
    #[allow(unsafe_code)]
    // SAFETY: the pages from `start` on are all within the memory, and the advice changes nothing that is in them.
    // Measured: 5 % more nodes a second with 64 MB (medians of eight alternating runs).
    unsafe {
        libc::madvise(range.start.with_addr(start).cast(), bytes, libc::MADV_HUGEPAGE);
    }
}

/// Other systems have no such wish, or need no asking.
#[cfg(not(target_os = "linux"))]
pub(super) fn prefer_large<T>(_memory: &mut [core::mem::MaybeUninit<T>]) {}

/// The advice must begin at a page of the usual size.
#[cfg(target_os = "linux")]
const PAGE_BYTES: usize = 4096;
