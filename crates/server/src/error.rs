//! What can go wrong: at the start, and with a request.

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

/// When to try again after a limit that does not tell when there is room.
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
    /// It may not listen there.
    #[error("cannot listen on {address}: {cause}; choose another address with --host and --port")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        cause: io::Error,
    },
    /// It may not serve metrics there.
    #[error("cannot serve metrics on {address}: {cause}; choose another address with --metrics")]
    Metrics {
        /// Where.
        address: SocketAddr,
        /// Why not.
        cause: io::Error,
    },
    /// The games cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a request is not answered as asked. Told as `{"error": "…"}`.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// There is nothing at that address.
    #[error("There is nothing here.")]
    NotFound,
    /// A position is missing.
    #[error("Give a position, as in ?fen=W:WK14,K19:BK1.")]
    NoFen,
    /// The position cannot be.
    #[error("That position cannot be: {0}.")]
    Fen(#[from] FenError),
    /// A part of the work broke down.
    #[error("The server broke down over this, which is its own fault; try again.")]
    Broken(#[source] JoinError),
    /// No game has that name, or it is forgotten.
    #[error("There is no such game; perhaps nobody played it and it was forgotten.")]
    NoGame,
    /// What was sent cannot be read.
    #[error("That cannot be read: {0}.")]
    Body(String),
    /// The body is longer than any valid request.
    #[error("That is too long: {0} bytes are read at most.")]
    BodyTooLong(usize),
    /// What was to come did not.
    #[error("The request did not come to its end in time; try again.")]
    TooSlow,
    /// An older page, or a newer one.
    #[error("The page and the server do not fit together; load the page again.")]
    Protocol,
    /// A page of another site.
    #[error("Pages of other sites may not do that.")]
    OtherOrigin,
    /// The game does not allow it.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// No guest has joined.
    #[error("The game has not started: nobody has joined yet.")]
    NotStarted,
    /// The inviter cannot be the guest.
    #[error("This is your own invitation; send the link to somebody else.")]
    OwnInvitation,
    /// Another guest was faster.
    #[error("Somebody else has taken the seat; you can watch.")]
    SeatTaken,
    /// An invitation is the inviter's.
    #[error("Only the one who invited can withdraw the invitation.")]
    NotInviter,
    /// There is a game now.
    #[error("Somebody has joined, so the invitation cannot be withdrawn any more.")]
    Joined,
    /// There will be no game.
    #[error("The invitation was withdrawn before anybody joined.")]
    Withdrawn,
    /// Too many watch.
    #[error("Too many people watch this game; try again later.")]
    GameFull,
    /// A browser has too many games open.
    #[error("You have too many games open; finish some first.")]
    TooManyGames,
    /// An address has too many games open.
    #[error("There are too many games open at your network address; try again later.")]
    TooManyGamesHere,
    /// An address has started too many games today.
    #[error("Too many games were started from your network address today; try again tomorrow.")]
    TooManyGamesToday,
    /// The database is as large as it may become.
    #[error("The server has no room for new games at the moment; try again later.")]
    DatabaseFull,
    /// An address has too many connections.
    #[error("There are too many connections from your network address; close some, or try again later.")]
    TooManyConnections,
    /// A rate limit was exceeded.
    #[error("{}", rate.sentence())]
    RateLimited {
        /// What.
        rate: Rate,
        /// Then it is allowed again.
        retry_after: Duration,
    },
    /// The log of a game has no room for another move.
    #[error("This game has grown too long for more moves here; resign, or agree on an end.")]
    GameTooLong,
    /// Others were always faster.
    #[error("The server is busy; try again.")]
    Busy,
    /// No new games.
    #[error("The server is about to stop; try again in a moment.")]
    Stopping,
    /// It could not be stored or read.
    #[error("The game could not be stored; try again in a moment.")]
    Store(#[from] StoreError),
    /// Neither could it be stored, nor could it be read whether it is.
    #[error("The database does not answer; connect again.")]
    InDoubt(#[source] StoreError),
    /// The address exists, but not for this method.
    #[error("This address does not take that method.")]
    MethodNotAllowed,
}

impl ApiError {
    /// A failure of the store, when something may have been stored.
    pub(crate) fn in_doubt(self) -> ApiError {
        match self {
            ApiError::Store(error) if error.is_in_doubt() => ApiError::InDoubt(error),
            error => error,
        }
    }

    /// Is it about the server, so that trying again may help?
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

    /// The limit that is the reason, named as in [`Limits`](crate::online::Limits).
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

    /// How long a client should wait before it tries again, where a limit is the reason.
    fn retry_after(&self) -> Option<Duration> {
        match self {
            ApiError::RateLimited { retry_after, .. } => Some(*retry_after),
            error if error.status() == StatusCode::TOO_MANY_REQUESTS => Some(RETRY_AFTER),
            _ => None,
        }
    }

    /// How loudly it is logged: mistakes of others quietly, and so is what a flood repeats, which is counted instead.
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

/// Goes with an answer until it is counted.
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

    /// The page shows them as they are.
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
