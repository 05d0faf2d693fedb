//! Exports and imports of the worker's module.

use core::cell::RefCell;
use core::time::Duration;

use crownhead_engine::Control;

use super::{answer_with, text};
use crate::thinker::Thinker;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Milliseconds since a fixed moment.
    safe fn now() -> f64;
    /// Not 0 when the search should stop.
    safe fn stopped() -> i32;
    /// Receives a report, as JSON.
    safe fn report(address: *const u8, length: usize);
}

thread_local! {
    static THINKER: RefCell<Option<Thinker>> = const { RefCell::new(None) };
}

/// Answers a request to the worker and returns the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn think() -> usize {
    let mut report = |text: &str| report(text.as_ptr(), text.len());
    answer_with(|request| with_thinker(|thinker| thinker.call(&text(&request), &Page, &mut report)))
}

/// Loads an endgame table file from the input buffer and returns the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn load_table() -> usize {
    answer_with(|file| with_thinker(|thinker| thinker.load_table(file)))
}

/// Calls the engine, which is created when it is first needed.
fn with_thinker(call: impl FnOnce(&mut Thinker) -> String) -> String {
    THINKER.with_borrow_mut(|thinker| match thinker {
        Some(thinker) => call(thinker),
        None => match Thinker::new() {
            Ok(new) => call(thinker.insert(new)),
            Err(error) => crate::written::<()>(Err(error)),
        },
    })
}

/// The page's clock and stop signal.
struct Page;

impl Control for Page {
    fn now(&self, _nodes: u64) -> Duration {
        Duration::from_secs_f64((now() / 1_000.0).max(0.0))
    }

    fn stopped(&self) -> bool {
        stopped() != 0
    }
}
