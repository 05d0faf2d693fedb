//! What there is besides the page.

use axum::Router;
use axum::routing::get;

/// `/healthz`: is the server alive?
pub(crate) fn router() -> Router {
    Router::new().route("/healthz", get(async || "ok"))
}
