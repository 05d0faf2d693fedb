//! What can go wrong: at the start, and with a request.

use std::io;
use std::net::SocketAddr;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use crownhead_rules::FenError;
use serde_json::json;
use tokio::task::JoinError;
use tracing::Level;

/// Why the server does not start or does not go on.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Somebody else listens there.
    #[error(
        "port {} on {} is in use, perhaps by another Crownhead; stop it, or choose another port with --port",
        .0.port(),
        .0.ip()
    )]
    PortInUse(SocketAddr),
    /// It may not listen there.
    #[error("cannot listen on {address}: {cause}; choose another address with --host and --port")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        cause: io::Error,
    },
    /// The network failed.
    #[error("the server stopped: {0}")]
    Stopped(#[from] io::Error),
}

/// Why a request is not answered as asked. Told as `{"error": "…"}`.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// There is nothing at that address.
    #[error("there is nothing here")]
    NotFound,
    /// A position is missing.
    #[error("give a position: ?fen=W:WK14,K19:BK1")]
    NoFen,
    /// The position cannot be.
    #[error("that position cannot be: {0}")]
    Fen(#[from] FenError),
    /// The tables broke down.
    #[error("the tables could not be asked; this is a fault of the server")]
    Lookup(#[source] JoinError),
    /// The address exists, but not for this method.
    #[error("this address does not take that method")]
    MethodNotAllowed,
}

impl ApiError {
    fn status(&self) -> StatusCode {
        match self {
            ApiError::NotFound => StatusCode::NOT_FOUND,
            ApiError::NoFen | ApiError::Fen(_) => StatusCode::BAD_REQUEST,
            ApiError::Lookup(_) => StatusCode::INTERNAL_SERVER_ERROR,
            ApiError::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        }
    }

    /// How loudly it is logged: mistakes of others quietly.
    fn level(&self) -> Level {
        match self {
            ApiError::NotFound | ApiError::NoFen | ApiError::Fen(_) | ApiError::MethodNotAllowed => {
                Level::DEBUG
            }
            ApiError::Lookup(_) => Level::ERROR,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        match self.level() {
            Level::ERROR => tracing::error!(error = ?self),
            Level::WARN => tracing::warn!(error = ?self),
            _ => tracing::debug!(error = ?self),
        }
        (self.status(), Json(json!({ "error": self.to_string() }))).into_response()
    }
}
