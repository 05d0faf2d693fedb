//! What can go wrong with an engine.

/// Why the engine cannot do what was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// There is not so much memory.
    #[error("there is no room for a hash table of {} MB; ask for less", bytes >> 20)]
    HashTooLarge {
        /// What was asked for.
        bytes: usize,
    },
}
