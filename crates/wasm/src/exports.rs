//! The border to JavaScript: two buffers, and numbers that say where they are.
//!
//! A call: `reserve(length)` gives the address of the input buffer; the page writes a request there as UTF-8 JSON; `core()`
//! in the one module, `think()` in the other answers it and gives the length of the answer, which stands at `answer()` until
//! the next call. `load_table()` takes the bytes of a file in place of a request.
//!
//! Invariant: between `reserve` and the call that follows it nothing else runs in this module, so the page is the only one
//! that writes to the input buffer; and every export has its name once. Nothing here follows a pointer from outside.
#![expect(
    unsafe_code,
    reason = "exported names and imported functions are unsafe attributes; see the invariant"
)]

#[cfg(feature = "core")]
mod core;
#[cfg(feature = "thinker")]
mod thinker;

use std::borrow::Cow;
use std::cell::RefCell;
use std::panic;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
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

/// Where the answer stands.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    BUFFERS.with_borrow(|buffers| buffers.output.as_ptr())
}

fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

fn answer_with(call: impl FnOnce(Vec<u8>) -> String) -> usize {
    panic::set_hook(Box::new(|info| {
        let message = info.to_string();
        panicked(message.as_ptr(), message.len());
    }));
    let request = BUFFERS.with_borrow_mut(|buffers| std::mem::take(&mut buffers.input));
    let answer = call(request);
    BUFFERS.with_borrow_mut(|buffers| {
        buffers.output = answer;
        buffers.output.len()
    })
}
