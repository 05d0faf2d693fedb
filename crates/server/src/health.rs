//! Health checks and metrics: `/healthz` (liveness), `/readyz` (readiness), and `/metrics` on a listener of its own.

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

/// The readiness check of a server with games between people.
pub(crate) fn games(games: Arc<Games>) -> Router {
    Router::new().route("/readyz", get(ready)).with_state(games)
}

/// The metrics for Prometheus, which are not public.
pub(crate) fn metrics(games: Arc<Games>) -> Router {
    Router::new().route("/metrics", get(measured)).with_state(games)
}

/// Is the server alive?
#[utoipa::path(get, path = "/healthz", responses((status = 200, body = String, content_type = "text/plain")))]
pub(crate) async fn alive() -> &'static str {
    "ok"
}

/// Can the server take games? Not while it is stopping, nor while the database does not answer.
#[utoipa::path(get, path = "/readyz", responses(
    (status = 200, body = String, content_type = "text/plain"), (status = 503, body = ErrorBody)))]
pub(crate) async fn ready(State(games): State<Arc<Games>>) -> Result<&'static str, ApiError> {
    games.check()?;
    Ok("ready")
}

async fn measured(State(games): State<Arc<Games>>) -> Response {
    ([(header::CONTENT_TYPE, METRICS)], games.metrics()).into_response()
}
