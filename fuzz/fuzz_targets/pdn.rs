//! `cargo +nightly fuzz run pdn`

#![no_main]

#[path = "../checks/pdn.rs"]
mod pdn;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pdn::check(bytes));
