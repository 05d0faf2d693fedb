//! The WebAssembly modules of the page: live games for the main thread and the engine for a worker. Each of the two is
//! a feature, and is built as a module of its own.
//!
//! JavaScript writes a request as JSON into memory, calls an export, and reads the answer as JSON; see `exports.rs` for
//! the interface and [`core::Request`] and [`thinker::Request`] for the requests. This crate implements no rule of the
//! game.

pub mod core;
#[cfg(target_arch = "wasm32")]
pub mod exports;
pub mod file;
pub mod thinker;

/// An answer that only carries an error sentence.
#[derive(serde::Serialize)]
struct Failure {
    error: String,
}

/// The answer as JSON, or the error sentence.
fn written<T: serde::Serialize>(answer: Result<T, String>) -> String {
    let text = match answer {
        Ok(answer) => serde_json::to_string(&answer),
        Err(error) => serde_json::to_string(&Failure { error }),
    };
    text.expect("answers are plain data")
}
