//! `/healthz`: is the server alive? `/readyz`: can it take games? `/metrics`: what goes on?

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::error::ApiError;
use crate::online::Hall;

const METRICS: HeaderValue =
    HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");

pub(crate) fn router() -> Router {
    Router::new().route("/healthz", get(async || "ok"))
}

/// Where there are games between people.
pub(crate) fn games(hall: Arc<Hall>) -> Router {
    Router::new().route("/readyz", get(ready)).route("/metrics", get(metrics)).with_state(hall)
}

/// Not while it stops, and not while the database does not answer.
async fn ready(State(hall): State<Arc<Hall>>) -> Result<&'static str, ApiError> {
    hall.check().await?;
    Ok("ready")
}

async fn metrics(State(hall): State<Arc<Hall>>) -> Response {
    ([(header::CONTENT_TYPE, METRICS)], hall.metrics()).into_response()
}
