//! The WebAssembly exports: two buffers shared with JavaScript, and functions that return their addresses and lengths.
//!
//! A call: `reserve(length)` returns the address of the input buffer; the page writes a request there as UTF-8 JSON;
//! `core()` in one module, `think()` in the other, answers it and returns the length of the answer, which stays at
//! `answer()` until the next call. `load_table()` takes the bytes of a file instead of a request.
//!
//! Invariant: between `reserve` and the call that follows it nothing else runs in this module, so only the page writes
//! to the input buffer; and every export name is unique. Nothing here dereferences a pointer from outside.
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
    /// Receives the message of a panic. The module must not be used afterwards.
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

/// Reserves room for a request and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    BUFFERS.with_borrow_mut(|buffers| {
        buffers.input.clear();
        buffers.input.resize(length, 0);
        buffers.input.as_mut_ptr()
    })
}

/// The address of the answer.
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
