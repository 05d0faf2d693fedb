//! Rate-limiting middleware: refuses requests beyond the rate of their address, and counts refusals by limit.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::RefusedBy;
use crate::online::{RateLimiters, Refusals, Site};

/// Only requests below this path are limited: files of the page cost little and come in bursts.
const API: &str = "/api/";

#[derive(Clone)]
pub(crate) struct Throttle {
    pub(crate) site: Arc<Site>,
    pub(crate) rate_limiters: Arc<RateLimiters>,
    pub(crate) refused: Refusals,
}

pub(crate) async fn throttle(State(throttle): State<Throttle>, request: Request, next: Next) -> Response {
    let is_allowed = if request.uri().path().starts_with(API) {
        let address = throttle.site.client(request.extensions(), request.headers());
        throttle.rate_limiters.request(address)
    } else {
        Ok(())
    };
    let response = match is_allowed {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    if let Some(RefusedBy(limit)) = response.extensions().get() {
        throttle.refused.count(limit);
    }
    response
}
