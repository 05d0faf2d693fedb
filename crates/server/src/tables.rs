//! `/api/tablebase?fen=…`: what the endgame tables say about a position.

use std::sync::{Arc, OnceLock};

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::routing::get;
use axum::{Json, Router};
use crownhead_tablebase::{Report, Tablebase};
use serde::Deserialize;
use tokio::sync::Semaphore;
use tokio::task;
use utoipa::IntoParams;

use crate::ApiError;

/// Positions may have to be read from a disk, so no more than this are looked up at once.
const AT_ONCE: usize = 4;

/// The tables, opened when they are first asked, because large ones take a while.
#[derive(Clone)]
pub struct Tables(Arc<Shared>);

struct Shared {
    open: Box<dyn Fn() -> Tablebase + Send + Sync>,
    opened: OnceLock<Tablebase>,
    permits: Semaphore,
}

impl Tables {
    /// Tables that are opened by `open` when they are first needed.
    pub fn new(open: impl Fn() -> Tablebase + Send + Sync + 'static) -> Tables {
        let permits = Semaphore::new(AT_ONCE);
        Tables(Arc::new(Shared { open: Box::new(open), opened: OnceLock::new(), permits }))
    }

    /// The tables. Blocks while they are opened.
    pub fn get(&self) -> &Tablebase {
        self.0.opened.get_or_init(&self.0.open)
    }
}

/// Those that come with the program.
impl Default for Tables {
    fn default() -> Tables {
        Tables::new(Tablebase::embedded)
    }
}

pub(crate) fn router(tables: Tables) -> Router {
    Router::new().route("/api/tablebase", get(report)).with_state(tables)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Question {
    /// The position.
    #[param(example = "W:WK14,K19:BK1")]
    fen: String,
}

/// What the endgame tables say about a position.
#[utoipa::path(get, path = "/api/tablebase", params(Question), responses(
    (status = 200, body = Object), (status = 400, body = crate::online::Problem)))]
pub(crate) async fn report(
    State(tables): State<Tables>,
    question: Result<Query<Question>, QueryRejection>,
) -> Result<Json<Report>, ApiError> {
    let Query(Question { fen }) = question.map_err(|_| ApiError::NoFen)?;
    let position = fen.parse()?;
    let _permit = tables.0.permits.acquire().await.expect("the semaphore is never closed");
    let tables = tables.clone();
    let report = task::spawn_blocking(move || tables.get().report(&position)).await;
    report.map(Json).map_err(ApiError::Broken)
}
