//! `/healthz`: is the server alive? `/readyz`: can it take games? `/metrics`, on a listener of its own: what goes on?

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::error::ApiError;
use crate::online::{ErrorBody, Games};

const METRICS: HeaderValue =
    HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");

pub(crate) fn router() -> Router {
    Router::new().route("/healthz", get(alive))
}

/// Where there are games between people.
pub(crate) fn games(games: Arc<Games>) -> Router {
    Router::new().route("/readyz", get(ready)).with_state(games)
}

/// For Prometheus, and not for the public.
pub(crate) fn metrics(games: Arc<Games>) -> Router {
    Router::new().route("/metrics", get(measured)).with_state(games)
}

/// Is the server alive?
#[utoipa::path(get, path = "/healthz", responses((status = 200, body = String, content_type = "text/plain")))]
pub(crate) async fn alive() -> &'static str {
    "ok"
}

/// Can it take games? Not while it stops, and not while the database does not answer.
#[utoipa::path(get, path = "/readyz", responses(
    (status = 200, body = String, content_type = "text/plain"), (status = 503, body = ErrorBody)))]
pub(crate) async fn ready(State(games): State<Arc<Games>>) -> Result<&'static str, ApiError> {
    games.check()?;
    Ok("ready")
}

async fn measured(State(games): State<Arc<Games>>) -> Response {
    ([(header::CONTENT_TYPE, METRICS)], games.metrics()).into_response()
}
