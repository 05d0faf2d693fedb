//! `cargo +nightly fuzz run moves`

#![no_main]

#[path = "../checks/moves.rs"]
mod moves;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| moves::check(bytes));
