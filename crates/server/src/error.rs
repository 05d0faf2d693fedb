//! Error types: why the server does not start, and why a request fails, with its status and log level.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use crownhead_game::Refusal;
use crownhead_rules::FenError;
use serde_json::json;
use tokio::task::JoinError;
use tracing::Level;

use crate::online::{Rate, StoreError};

/// The `Retry-After` of limits that cannot tell when they will allow more.
const RETRY_AFTER: Duration = Duration::from_secs(60);

/// Why the server does not start.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Another process listens there.
    #[error(
        "port {} on {} is in use, perhaps by another Crownhead; stop it, or choose another port with --port",
        .0.port(),
        .0.ip()
    )]
    PortInUse(SocketAddr),
    /// The server cannot listen on that address.
    #[error("cannot listen on {address}: {cause}; choose another address with --host and --port")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The cause.
        cause: io::Error,
    },
    /// The server cannot serve metrics on that address.
    #[error("cannot serve metrics on {address}: {cause}; choose another address with --metrics")]
    Metrics {
        /// The address.
        address: SocketAddr,
        /// The cause.
        cause: io::Error,
    },
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a request fails. Clients receive it as `{"error": "…"}`.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// There is nothing at that address.
    #[error("There is nothing here.")]
    NotFound,
    /// A position is missing.
    #[error("Give a position, as in ?fen=W:WK14,K19:BK1.")]
    NoFen,
    /// The FEN is not a valid position.
    #[error("That is not a valid position: {0}.")]
    Fen(#[from] FenError),
    /// A task panicked or was cancelled.
    #[error("The server failed to answer this request; try again.")]
    Broken(#[source] JoinError),
    /// No game has that id, or it was removed.
    #[error("There is no such game. It may have been removed because no move was made in it.")]
    NoGame,
    /// The body, the query or the upgrade request is malformed.
    #[error("The request could not be read: {0}.")]
    Body(String),
    /// The body is longer than any valid request.
    #[error("The request is too long: the limit is {0} bytes.")]
    BodyTooLong(usize),
    /// The body did not arrive in time.
    #[error("The request took too long to arrive; try again.")]
    TooSlow,
    /// The client speaks another version of the protocol.
    #[error("This page is out of date; reload it.")]
    Protocol,
    /// The request comes from a page of another origin.
    #[error("Requests from other sites are not allowed.")]
    OtherOrigin,
    /// The game does not allow it.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// No guest has joined.
    #[error("The game has not started: your opponent has not joined yet.")]
    NotStarted,
    /// The inviter cannot be the guest.
    #[error("This is your own invitation; send the link to your opponent.")]
    OwnInvitation,
    /// Another guest was faster.
    #[error("Another player has taken the seat; you can watch.")]
    SeatTaken,
    /// Only the inviter can withdraw an invitation.
    #[error("Only the player who sent the invitation can withdraw it.")]
    NotInviter,
    /// The game has started, so the invitation can no longer be withdrawn.
    #[error("Your opponent has joined, so the invitation can no longer be withdrawn.")]
    Joined,
    /// The inviter has withdrawn the invitation.
    #[error("The invitation was withdrawn before the game started.")]
    Withdrawn,
    /// Too many clients are connected to the game.
    #[error("Too many people are watching this game; try again later.")]
    GameFull,
    /// A browser has too many games open.
    #[error("You have too many games open; finish some first.")]
    TooManyGames,
    /// An address has too many games open.
    #[error("Too many games are open from your network address; try again later.")]
    TooManyGamesHere,
    /// An address has started too many games today.
    #[error("Too many games were started from your network address today; try again tomorrow.")]
    TooManyGamesToday,
    /// The database has reached its size limit.
    #[error("The server has no room for new games at the moment; try again later.")]
    DatabaseFull,
    /// An address has too many connections.
    #[error("Too many connections are open from your network address; close some, or try again later.")]
    TooManyConnections,
    /// A rate limit was exceeded.
    #[error("{}", rate.sentence())]
    RateLimited {
        /// Which rate.
        rate: Rate,
        /// How long until the next request is allowed.
        retry_after: Duration,
    },
    /// The log of the game has reached its maximum length.
    #[error("This game has reached the limit of moves on this server; resign or agree to a draw.")]
    GameTooLong,
    /// Every attempt lost the race against another writer.
    #[error("The server is busy; try again.")]
    Busy,
    /// The server is shutting down and takes no new games.
    #[error("The server is about to stop; try again in a moment.")]
    Stopping,
    /// The database failed.
    #[error("The game could not be stored; try again in a moment.")]
    Store(#[from] StoreError),
    /// The database failed, and whether the change was stored is unknown.
    #[error("The database does not answer; connect again.")]
    InDoubt(#[source] StoreError),
    /// The address exists, but not for this method.
    #[error("This address does not take that method.")]
    MethodNotAllowed,
}

impl ApiError {
    /// Turns a store error into [`ApiError::InDoubt`] if the change may have been stored.
    pub(crate) fn in_doubt(self) -> ApiError {
        match self {
            ApiError::Store(error) if error.is_in_doubt() => ApiError::InDoubt(error),
            error => error,
        }
    }

    /// Is the cause on the server's side, so that trying again may help?
    pub(crate) fn is_passing(&self) -> bool {
        self.status().is_server_error()
    }

    fn status(&self) -> StatusCode {
        match self {
            ApiError::NotFound | ApiError::NoGame => StatusCode::NOT_FOUND,
            ApiError::NoFen
            | ApiError::Fen(_)
            | ApiError::Body(_)
            | ApiError::Protocol
            | ApiError::Refused(_) => StatusCode::BAD_REQUEST,
            ApiError::OtherOrigin | ApiError::NotInviter => StatusCode::FORBIDDEN,
            ApiError::NotStarted
            | ApiError::OwnInvitation
            | ApiError::SeatTaken
            | ApiError::Joined
            | ApiError::GameTooLong => StatusCode::CONFLICT,
            ApiError::Withdrawn => StatusCode::GONE,
            ApiError::BodyTooLong(_) => StatusCode::PAYLOAD_TOO_LARGE,
            ApiError::TooSlow => StatusCode::REQUEST_TIMEOUT,
            ApiError::GameFull
            | ApiError::TooManyGames
            | ApiError::TooManyGamesHere
            | ApiError::TooManyGamesToday
            | ApiError::TooManyConnections
            | ApiError::RateLimited { .. } => StatusCode::TOO_MANY_REQUESTS,
            ApiError::Busy
            | ApiError::DatabaseFull
            | ApiError::Stopping
            | ApiError::Store(_)
            | ApiError::InDoubt(_) => StatusCode::SERVICE_UNAVAILABLE,
            ApiError::Broken(_) => StatusCode::INTERNAL_SERVER_ERROR,
            ApiError::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        }
    }

    /// The limit that was exceeded, named as in [`Limits`](crate::online::Limits).
    pub(crate) fn limit(&self) -> Option<&'static str> {
        match self {
            ApiError::RateLimited { rate, .. } => Some(rate.name()),
            ApiError::GameFull => Some("connections_per_game"),
            ApiError::TooManyGames => Some("games_per_browser"),
            ApiError::TooManyGamesHere => Some("games_per_address"),
            ApiError::TooManyGamesToday => Some("games_per_address_per_day"),
            ApiError::DatabaseFull => Some("database_bytes"),
            ApiError::TooManyConnections => Some("connections_per_address"),
            ApiError::GameTooLong => Some("events_per_game"),
            _ => None,
        }
    }

    /// How long a client should wait before it tries again, if a limit refused the request.
    fn retry_after(&self) -> Option<Duration> {
        match self {
            ApiError::RateLimited { retry_after, .. } => Some(*retry_after),
            error if error.status() == StatusCode::TOO_MANY_REQUESTS => Some(RETRY_AFTER),
            _ => None,
        }
    }

    /// The log level: `DEBUG` for clients' mistakes and for refusals that a flood would repeat, which metrics count.
    fn level(&self) -> Level {
        match self {
            ApiError::Broken(_) | ApiError::Store(_) | ApiError::InDoubt(_) => Level::ERROR,
            ApiError::Busy
            | ApiError::GameFull
            | ApiError::GameTooLong
            | ApiError::TooManyGames
            | ApiError::TooManyGamesHere
            | ApiError::TooManyConnections => Level::WARN,
            _ => Level::DEBUG,
        }
    }

    pub(crate) fn log(&self) {
        match self.level() {
            Level::ERROR => tracing::error!(error = ?self),
            Level::WARN => tracing::warn!(error = ?self),
            _ => tracing::debug!(error = ?self),
        }
    }
}

/// A response extension that names the limit, for the middleware that counts refusals.
#[derive(Clone, Copy)]
pub(crate) struct RefusedBy(pub(crate) &'static str);

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        self.log();
        let mut response = (self.status(), Json(json!({ "error": self.to_string() }))).into_response();
        if let Some(wait) = self.retry_after() {
            let seconds = wait.as_millis().div_ceil(1_000).max(1) as u64;
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(limit) = self.limit() {
            response.extensions_mut().insert(RefusedBy(limit));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page shows these sentences to players unchanged.
    #[tokio::test]
    async fn every_error_is_told_in_a_sentence() {
        let broken = tokio::spawn(std::future::pending::<()>());
        broken.abort();
        let fen = "hello".parse::<crownhead_rules::Position>().expect_err("no position");
        let errors = [
            ApiError::NotFound,
            ApiError::NoFen,
            ApiError::Fen(fen),
            ApiError::Broken(broken.await.expect_err("it was ended")),
            ApiError::NoGame,
            ApiError::Body("a comma is missing".to_owned()),
            ApiError::BodyTooLong(7),
            ApiError::TooSlow,
            ApiError::Protocol,
            ApiError::OtherOrigin,
            ApiError::Refused(Refusal::NobodyAway),
            ApiError::NotStarted,
            ApiError::OwnInvitation,
            ApiError::SeatTaken,
            ApiError::NotInviter,
            ApiError::Joined,
            ApiError::Withdrawn,
            ApiError::GameFull,
            ApiError::TooManyGames,
            ApiError::TooManyGamesHere,
            ApiError::TooManyGamesToday,
            ApiError::DatabaseFull,
            ApiError::TooManyConnections,
            ApiError::RateLimited { rate: Rate::Starts, retry_after: Duration::ZERO },
            ApiError::RateLimited { rate: Rate::Requests, retry_after: Duration::ZERO },
            ApiError::RateLimited { rate: Rate::Connections, retry_after: Duration::ZERO },
            ApiError::RateLimited { rate: Rate::Rematches, retry_after: Duration::ZERO },
            ApiError::RateLimited { rate: Rate::Takebacks, retry_after: Duration::ZERO },
            ApiError::GameTooLong,
            ApiError::Busy,
            ApiError::Stopping,
            ApiError::Store(StoreError::Taken),
            ApiError::InDoubt(StoreError::Taken),
            ApiError::MethodNotAllowed,
        ];
        for error in errors.map(|error| error.to_string()) {
            assert!(error.starts_with(char::is_uppercase) && error.ends_with('.'), "{error}");
        }
    }
}
