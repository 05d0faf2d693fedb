//! The embedded page: serves its static files in the smallest encoding that the browser accepts.

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use crownhead_rules::RulebookId;

use crate::error::ApiError;

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// A file of the page.
struct Asset {
    address: &'static str,
    mime: &'static str,
    etag: &'static str,
    /// Its address changes with its content, so browsers may cache it for ever.
    lasting: bool,
    raw: &'static [u8],
    brotli: &'static [u8],
    gzip: &'static [u8],
}

const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Revalidated each time; the `ETag` makes that cheap.
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");

/// The link of a game: the page finds out which.
const GAME: &str = "/game/{id}";

/// The page that browsers show for unknown addresses.
const NOT_FOUND_PAGE: &str = "/404.html";

/// Serves the page at the address of each of its screens, and its files below `/v/`.
pub(crate) fn router() -> Router {
    let mut router = Router::new();
    for asset in ASSETS {
        let answer = move |request: Request| async move { asset.answer(request.headers()) };
        router = router.route(asset.address, get(answer));
        if asset.address == "/index.html" {
            router = router.route("/", get(answer)).route(GAME, get(answer));
            for book in RulebookId::ALL {
                router = router.route(&format!("/rules/{book}"), get(answer));
            }
        }
    }
    router
}

/// The 404 response: a page with a way back for browsers, JSON for all other clients.
pub(crate) async fn not_found(request: Request) -> Response {
    let is_api = ["/api/", "/v/"].iter().any(|prefix| request.uri().path().starts_with(prefix));
    let page = ASSETS.iter().find(|asset| asset.address == NOT_FOUND_PAGE);
    match page {
        Some(page) if !is_api && lists(request.headers(), header::ACCEPT, "text/html") => {
            let mut answer = page.answer(&HeaderMap::new());
            *answer.status_mut() = StatusCode::NOT_FOUND;
            answer
        }
        _ => ApiError::NotFound.into_response(),
    }
}

/// The name of the folder of all immutable files: a hash of the whole page.
pub fn assets_version() -> &'static str {
    VERSION
}

/// The addresses of all files, with their sizes uncompressed and compressed by Brotli.
pub fn embedded() -> impl Iterator<Item = (&'static str, usize, usize)> {
    ASSETS.iter().map(|asset| (asset.address, asset.raw.len(), asset.brotli.len()))
}

impl Asset {
    fn answer(&self, request: &HeaderMap) -> Response {
        let mut headers = HeaderMap::new();
        headers.insert(header::ETAG, HeaderValue::from_static(self.etag));
        headers.insert(header::CACHE_CONTROL, if self.lasting { FOR_EVER } else { ASK_AGAIN });
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if lists(request, header::IF_NONE_MATCH, self.etag) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.mime));
        let (encoding, bytes) = self.best_form(request);
        if let Some(encoding) = encoding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        (headers, Body::from(bytes)).into_response()
    }

    /// The smallest encoding that the browser accepts.
    fn best_form(&self, request: &HeaderMap) -> (Option<&'static str>, &'static [u8]) {
        let takes = |encoding| lists(request, header::ACCEPT_ENCODING, encoding);
        let forms = [(Some("br"), self.brotli), (Some("gzip"), self.gzip), (None, self.raw)];
        let taken = forms.into_iter().filter(|(encoding, _)| encoding.is_none_or(takes));
        taken.min_by_key(|(_, bytes)| bytes.len()).expect("every browser takes the uncompressed file")
    }
}

/// Does a header that is a list contain this entry, and not with `q=0`?
fn lists(headers: &HeaderMap, name: header::HeaderName, wanted: &str) -> bool {
    let values = headers.get_all(name);
    let mut entries =
        values.iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    entries.any(|entry| {
        let mut parts = entry.split(';').map(str::trim);
        let weak = |text: &str| text.strip_prefix("W/").unwrap_or(text) == wanted;
        parts.next().is_some_and(weak)
            && !parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}
