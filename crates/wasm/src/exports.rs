//! The border to JavaScript: two buffers, and numbers that say where they are.
//!
//! A call: `reserve(length)` gives the address of the input buffer; the page writes a request there as UTF-8 JSON; `desk()`
//! or `think()` answers it and gives the length of the answer, which stands at `answer()` until the next call. `load_table()`
//! takes the bytes of a file in place of a request.
//!
//! Invariant: between `reserve` and the call that follows it nothing else runs in this module, so the page is the only one
//! that writes to the input buffer; and every export has its name once. Nothing here follows a pointer from outside.
#![expect(
    unsafe_code,
    reason = "exported names and imported functions are unsafe attributes; see the invariant"
)]

use core::cell::RefCell;
use core::time::Duration;
use std::borrow::Cow;
use std::panic;

use crownhead_engine::Control;

use crate::desk::Desk;
use crate::thinker::Thinker;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Milliseconds since any fixed moment.
    safe fn now() -> f64;
    /// Not 0 when the search should end.
    safe fn stopped() -> i32;
    /// Takes a report, as JSON.
    safe fn report(address: *const u8, length: usize);
    /// Takes the message of a panic. The module is of no use afterwards.
    safe fn panicked(address: *const u8, length: usize);
}

#[derive(Default)]
struct Buffers {
    input: Vec<u8>,
    output: String,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
    static DESK: RefCell<Desk> = RefCell::default();
    static THINKER: RefCell<Option<Thinker>> = const { RefCell::new(None) };
}

/// Makes room for a request and gives its address.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    BUFFERS.with_borrow_mut(|buffers| {
        buffers.input.clear();
        buffers.input.resize(length, 0);
        buffers.input.as_mut_ptr()
    })
}

/// Answers a request of the main thread and gives the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn desk() -> usize {
    answer_with(|request| DESK.with_borrow_mut(|desk| desk.call(&text(&request))))
}

/// Answers a request to the worker and gives the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn think() -> usize {
    let mut report = |text: &str| report(text.as_ptr(), text.len());
    answer_with(|request| with_thinker(|thinker| thinker.call(&text(&request), &Page, &mut report)))
}

/// Takes the file of an endgame table from the input buffer and gives the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn load_table() -> usize {
    answer_with(|file| with_thinker(|thinker| thinker.load_table(file)))
}

/// Where the answer stands.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    BUFFERS.with_borrow(|buffers| buffers.output.as_ptr())
}

fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Calls the engine, which is made when it is first needed.
fn with_thinker(call: impl FnOnce(&mut Thinker) -> String) -> String {
    THINKER.with_borrow_mut(|thinker| match thinker {
        Some(thinker) => call(thinker),
        None => match Thinker::new() {
            Ok(new) => call(thinker.insert(new)),
            Err(error) => crate::written::<()>(Err(error)),
        },
    })
}

fn answer_with(call: impl FnOnce(Vec<u8>) -> String) -> usize {
    panic::set_hook(Box::new(|info| {
        let message = info.to_string();
        panicked(message.as_ptr(), message.len());
    }));
    let request = BUFFERS.with_borrow_mut(|buffers| core::mem::take(&mut buffers.input));
    let answer = call(request);
    BUFFERS.with_borrow_mut(|buffers| {
        buffers.output = answer;
        buffers.output.len()
    })
}

/// The time and the stop, from the page.
struct Page;

impl Control for Page {
    fn now(&self, _nodes: u64) -> Duration {
        Duration::from_secs_f64((now() / 1_000.0).max(0.0))
    }

    fn stopped(&self) -> bool {
        stopped() != 0
    }
}
