//! The page over HTTP: forms, caches and headers.

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use crownhead_server::{SharedTablebase, assets_version, embedded, router};
use tower::ServiceExt;

/// The status, headers and body of an answer.
async fn get(path: &str, headers: &[(&str, &str)]) -> (StatusCode, HeaderMap, Vec<u8>) {
    let mut request = Request::get(path);
    for &(name, value) in headers {
        request = request.header(name, value);
    }
    let request = request.body(Body::empty()).expect("a request");
    let answer =
        router(SharedTablebase::default()).oneshot(request).await.expect("the router always answers");
    let (parts, body) = answer.into_parts();
    let body = to_bytes(body, 1 << 24).await.expect("a body");
    (parts.status, parts.headers, body.to_vec())
}

fn folder(file: &str) -> String {
    format!("/v/{}/{file}", assets_version())
}

#[tokio::test]
async fn the_page_is_asked_for_again_and_its_files_are_kept_for_ever() {
    let (status, headers, body) = get("/", &[]).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(headers["content-type"], "text/html; charset=utf-8");
    assert_eq!(headers["cache-control"], "no-cache");
    let text = String::from_utf8(body).expect("text");
    assert!(text.contains(&folder("")) && !text.contains("/v/dev/"), "{text}");

    let (status, headers, body) = get(&folder("game.wasm"), &[]).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(headers["content-type"], "application/wasm");
    assert_eq!(headers["cache-control"], "public, max-age=31536000, immutable");
    assert!(body.starts_with(b"\0asm"));
}

#[tokio::test]
async fn files_come_in_the_form_that_the_browser_takes() {
    let path = folder("game.wasm");
    let mut sizes = Vec::new();
    for (accepted, encoding) in
        [("gzip, deflate, br, zstd", Some("br")), ("br;q=0, gzip", Some("gzip")), ("identity", None)]
    {
        let (_, headers, body) = get(&path, &[("accept-encoding", accepted)]).await;
        assert_eq!(headers.get("content-encoding").and_then(|value| value.to_str().ok()), encoding);
        assert_eq!(headers["vary"], "accept-encoding");
        sizes.push(body.len());
    }
    assert!(sizes.is_sorted(), "{sizes:?}");
}

#[tokio::test]
async fn what_the_browser_has_is_not_sent_again() {
    let (_, headers, _) = get("/", &[]).await;
    let etag = headers["etag"].to_str().expect("text").to_owned();
    for known in [etag.clone(), format!("W/{etag}"), format!("\"other\", {etag}")] {
        let (status, headers, body) = get("/", &[("if-none-match", &known)]).await;
        assert_eq!((status, body.len()), (StatusCode::NOT_MODIFIED, 0));
        assert_eq!(headers["etag"], etag.as_str());
    }
    let (status, ..) = get("/", &[("if-none-match", "\"other\"")]).await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn every_answer_has_the_strict_headers() {
    for path in ["/", "/healthz", "/nothing", &folder("core.js")] {
        let (_, headers, _) = get(path, &[]).await;
        let policy = headers["content-security-policy"].to_str().expect("text");
        assert!(policy.starts_with("default-src 'self'; script-src 'self' 'wasm-unsafe-eval';"), "{policy}");
        assert!(!policy.contains("unsafe-inline") && policy.contains("frame-ancestors 'none'"));
        assert_eq!(headers["x-content-type-options"], "nosniff");
        assert_eq!(headers["x-frame-options"], "DENY");
        assert_eq!(headers["referrer-policy"], "no-referrer");
        assert_eq!(headers["cross-origin-opener-policy"], "same-origin");
        assert_eq!(headers["cross-origin-embedder-policy"], "require-corp");
    }
}

#[tokio::test]
async fn what_is_not_there_is_told_in_json() {
    for path in ["/nothing", "/v/0000000000000000/core.js", &folder("package.json"), "/v/../Cargo.toml"] {
        let (status, headers, body) = get(path, &[]).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(headers["content-type"], "application/json");
        assert_eq!(body, br#"{"error":"There is nothing here."}"#);
    }
    let post = Request::post("/").body(Body::empty()).expect("a request");
    let answer = router(SharedTablebase::default()).oneshot(post).await.expect("the router always answers");
    assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED);
}

/// As a browser asks for an address that was typed or followed.
const HTML: (&str, &str) = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");

#[tokio::test]
async fn every_screen_has_an_address_of_its_own() {
    let (_, _, page) = get("/", &[HTML]).await;
    for path in ["/game/0123456789012345678901", "/rules/american", "/rules/win-only", "/rules/quick"] {
        let (status, _, body) = get(path, &[HTML]).await;
        assert_eq!((status, body == page), (StatusCode::OK, true), "{path}");
    }
}

#[tokio::test]
async fn a_browser_at_a_wrong_address_gets_a_page_that_leads_home() {
    for path in ["/nothing", "/rules/chess", "/rules", "/game", "/game/a/b"] {
        let (status, headers, body) = get(path, &[HTML]).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(headers["content-type"], "text/html; charset=utf-8");
        let text = String::from_utf8(body).expect("text");
        assert!(text.contains(r#"<a href="/""#) && !text.contains("/v/dev/"), "{text}");
    }
    for path in ["/api/nothing", "/v/0000000000000000/core.js"] {
        let (status, headers, _) = get(path, &[HTML]).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(headers["content-type"], "application/json");
    }
}

#[tokio::test]
async fn the_service_worker_can_learn_all_files() {
    let (_, _, body) = get(&folder("assets.json"), &[]).await;
    let list: Vec<String> = serde_json::from_slice(&body).expect("a list");
    assert!(list.contains(&folder("game.wasm")) && list.contains(&folder("core.js")));
    for path in list {
        assert_eq!(get(&path, &[]).await.0, StatusCode::OK, "{path}");
    }
}

#[tokio::test]
async fn the_tables_are_asked_by_fen() {
    let (status, headers, body) = get("/api/tablebase?fen=W:WK14,K19:BK1", &[]).await;
    assert_eq!(
        (status, &headers["content-type"]),
        (StatusCode::OK, &"application/json".parse().expect("a type"))
    );
    let report: serde_json::Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!((&report["value"], &report["plies"]), (&"win".into(), &19.into()));
    assert_eq!(report["moves"][0]["value"], "win");
    let (_, _, body) = get("/api/tablebase?fen=B:W21-32:B1-12", &[]).await;
    let report: serde_json::Value = serde_json::from_slice(&body).expect("JSON");
    assert!(report["value"].is_null());

    for (query, error) in [
        ("", "Give a position, as in ?fen=W:WK14,K19:BK1."),
        (
            "?fen=hello",
            "That is not a valid position: “hello” is not a side: expected B or W, as in B:W21-32:B1-12.",
        ),
    ] {
        let (status, _, body) = get(&format!("/api/tablebase{query}"), &[]).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        assert_eq!(body, serde_json::json!({ "error": error }).to_string().as_bytes());
    }
}

/// As sent to a browser that takes Brotli. What comes before the first move is counted in the browser. The weights of the
/// evaluation travel inside the engine, and count with the tables.
#[test]
fn the_core_its_weights_and_its_tables_are_small() {
    let weights = include_bytes!("../../engine/data/evaluation.weights");
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut &weights[..], &mut packed, &brotli::enc::BrotliEncoderParams::default())
        .expect("writing to memory");
    let sizes = |ends: &[&str]| -> usize {
        let wanted = embedded().filter(|(path, ..)| ends.iter().any(|end| path.ends_with(end)));
        wanted.map(|(_, _, compressed)| compressed).sum()
    };
    let code = sizes(&[".wasm"]) - packed.len();
    let data = sizes(&[".wdl", ".plies"]) + packed.len();
    println!("WebAssembly {code} bytes, tables and weights {data} bytes");
    assert!((1..=300_000).contains(&code), "the WebAssembly code has {code} bytes");
    assert!((1..=1_200_000).contains(&data), "the tables and weights have {data} bytes");
}
