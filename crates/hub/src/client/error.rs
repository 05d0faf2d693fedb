//! The errors of the Hub client.

use std::io;

use crownhead_rules::Excerpt;

/// Why a program cannot be used or cannot play on.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The command is empty.
    #[error("there is no command to start; write hub:COMMAND")]
    NoCommand,
    /// The program cannot be started.
    #[error("cannot start {command:?}: {error}")]
    Start {
        /// The command.
        command: String,
        /// What the system says.
        error: io::Error,
    },
    /// The pipe broke.
    #[error("{name} has exited: {error}")]
    Exited {
        /// The program.
        name: String,
        /// What the system says.
        error: io::Error,
    },
    /// It did not answer in time.
    #[error("{name} does not answer")]
    Timeout {
        /// The program.
        name: String,
    },
    /// It does not greet as the protocol says; perhaps it is another program, or its command lacks an argument.
    #[error("{error}; give the whole command, for example “hub:crownhead hub”")]
    NoGreeting {
        /// What went wrong.
        error: Box<ClientError>,
    },
    /// The stop flag was set before it answered.
    #[error("{name} was stopped")]
    Stopped {
        /// The program.
        name: String,
    },
    /// It answered with an error line.
    #[error("{name} reports an error: {message}")]
    Reported {
        /// The program.
        name: String,
        /// The message, or its beginning.
        message: String,
    },
    /// It has no such parameter.
    #[error("{name} has no parameter {parameter:?}; it has {offered}")]
    NoParameter {
        /// The program.
        name: String,
        /// The parameter that was to be set.
        parameter: String,
        /// The parameters that it offers.
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
