//! Headers that every answer has: they shut the doors that the page does not use.

use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;

const HEADERS: [(HeaderName, HeaderValue); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'; \
             form-action 'self'; frame-ancestors 'none'",
        ),
    ),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    // Together they isolate the page, so that it may share memory with its worker.
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-embedder-policy"), HeaderValue::from_static("require-corp")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];

/// For a year, browsers ask over https only.
const TRANSPORT_SECURITY: HeaderValue = HeaderValue::from_static("max-age=31536000");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// Adds them. An answer that does not say how long it may be kept is not kept at all.
pub(crate) async fn security_headers(State(is_secure): State<bool>, mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.extend(HEADERS);
    headers.entry(header::CACHE_CONTROL).or_insert(NO_STORE);
    if is_secure {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, TRANSPORT_SECURITY);
    }
    response
}
