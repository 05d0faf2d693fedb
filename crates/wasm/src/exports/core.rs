//! Exports of the main thread's module.

use std::cell::RefCell;

use super::{answer_with, text};
use crate::core::Core;

thread_local! {
    static CORE: RefCell<Core> = RefCell::default();
}

/// Answers a request of the main thread and returns the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn core() -> usize {
    answer_with(|request| CORE.with_borrow_mut(|core| core.call(&text(&request))))
}
