//! The core of the page: live games for the main thread and the engine for a worker, behind a few exports. Each of the two
//! is a feature, and becomes a module of its own.
//!
//! JavaScript writes a request as JSON into memory, calls, and reads the answer as JSON; see `exports.rs` for the border
//! and [`core::Request`] and [`thinker::Request`] for what can be asked. There is no rule of the game here.

pub mod core;
#[cfg(target_arch = "wasm32")]
pub mod exports;
pub mod file;
pub mod thinker;

/// An answer that is only a sentence about what went wrong.
#[derive(serde::Serialize)]
struct Failure {
    error: String,
}

/// The answer as JSON, or the sentence about what went wrong.
fn written<T: serde::Serialize>(answer: Result<T, String>) -> String {
    let text = match answer {
        Ok(answer) => serde_json::to_string(&answer),
        Err(error) => serde_json::to_string(&Failure { error }),
    };
    text.expect("answers are plain data")
}
