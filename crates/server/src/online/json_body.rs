//! The extractor for JSON request bodies: an object of limited size that arrives in time.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tokio::time::timeout;

use crate::error::ApiError;
use crate::online::AppState;

/// The longest body. No valid request takes more.
pub(crate) const BODY_BYTES: usize = 4_096;

/// The value of a JSON object. Arrays are rejected, although serde would read them as a struct.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<AppState> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &AppState) -> Result<JsonBody<T>, ApiError> {
        let read = Json::<Map<String, Value>>::from_request(request, state);
        let read = timeout(state.games.context.limits.patience(), read).await;
        let Json(object) = read.map_err(|_| ApiError::TooSlow)?.map_err(|error| unreadable(&error))?;
        let body = serde_json::from_value(Value::Object(object));
        body.map(JsonBody).map_err(|error| ApiError::Body(error.to_string()))
    }
}

fn unreadable(error: &JsonRejection) -> ApiError {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        ApiError::BodyTooLong(BODY_BYTES)
    } else {
        ApiError::Body(error.body_text())
    }
}
