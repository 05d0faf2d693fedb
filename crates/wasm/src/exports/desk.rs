//! What the module of the main thread exports.

use core::cell::RefCell;

use super::{answer_with, text};
use crate::desk::Desk;

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

/// Answers a request of the main thread and gives the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn desk() -> usize {
    answer_with(|request| DESK.with_borrow_mut(|desk| desk.call(&text(&request))))
}
