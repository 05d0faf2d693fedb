//! `/healthz`: is the server alive?

use axum::Router;
use axum::routing::get;

pub(crate) fn router() -> Router {
    Router::new().route("/healthz", get(async || "ok"))
}
