//! What can go wrong with another program, in words.

use std::io;

use crownhead_rules::Excerpt;

/// What can go wrong with another program.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The command is empty.
    #[error("no program is named; write hub: and a command")]
    NoCommand,
    /// It cannot be started.
    #[error("cannot start {command:?}: {error}")]
    Start {
        /// What was to be started.
        command: String,
        /// Why not.
        error: io::Error,
    },
    /// The pipe broke.
    #[error("{name} has gone: {error}")]
    Gone {
        /// The program.
        name: String,
        /// What the pipe says.
        error: io::Error,
    },
    /// It says nothing any more.
    #[error("{name} does not answer")]
    Silent {
        /// The program.
        name: String,
    },
    /// It does not greet as the protocol says, so it may be another program or lack a word of its command.
    #[error("{error}; a program is started by its whole command, as in “hub:crownhead hub”")]
    NoGreeting {
        /// What came instead.
        error: Box<ClientError>,
    },
    /// The match was stopped before it answered.
    #[error("{name} was stopped")]
    Stopped {
        /// The program.
        name: String,
    },
    /// It complains about what it was told.
    #[error("{name} complains: {message}")]
    Complains {
        /// The program.
        name: String,
        /// What it says, or the beginning of it.
        message: String,
    },
    /// It has no such parameter.
    #[error("{name} has no parameter {parameter:?}; it has {offered}")]
    NoParameter {
        /// The program.
        name: String,
        /// What was to be set.
        parameter: String,
        /// What can be set.
        offered: String,
    },
    /// It answered with a move that is not legal.
    #[error("{name} played {text}, which is not legal in {fen}")]
    Illegal {
        /// The program.
        name: String,
        /// Its move.
        text: Excerpt,
        /// The position.
        fen: String,
    },
}
