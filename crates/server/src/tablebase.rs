//! `/api/tablebase?fen=…`: probes the endgame tablebase, with a limit on concurrent probes.

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

/// The number of concurrent probes. A probe may have to read from the disk.
const AT_ONCE: usize = 4;

/// The tablebase, opened at the first probe, because opening large tables takes a while.
#[derive(Clone)]
pub struct SharedTablebase(Arc<Shared>);

struct Shared {
    open: Box<dyn Fn() -> Tablebase + Send + Sync>,
    opened: OnceLock<Tablebase>,
    permits: Arc<Semaphore>,
}

impl SharedTablebase {
    /// Calls `open` when the tables are first needed.
    pub fn new(open: impl Fn() -> Tablebase + Send + Sync + 'static) -> SharedTablebase {
        let permits = Arc::new(Semaphore::new(AT_ONCE));
        SharedTablebase(Arc::new(Shared { open: Box::new(open), opened: OnceLock::new(), permits }))
    }

    /// Probes on a blocking thread, with a limit on concurrent probes.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Tablebase) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let permit = self.0.permits.clone().acquire_owned().await.expect("the semaphore is never closed");
        let tables = self.clone();
        let look = move || {
            // Held until the probe ends, even if the request is gone.
            let _permit = permit;
            look(tables.get())
        };
        task::spawn_blocking(look).await.map_err(ApiError::Broken)
    }

    /// The tables. Blocks while they are opened.
    pub fn get(&self) -> &Tablebase {
        self.0.opened.get_or_init(&self.0.open)
    }
}

/// The tables that are embedded in the program.
impl Default for SharedTablebase {
    fn default() -> SharedTablebase {
        SharedTablebase::new(Tablebase::embedded)
    }
}

pub(crate) fn router(tables: SharedTablebase) -> Router {
    Router::new().route("/api/tablebase", get(report)).with_state(tables)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct TablebaseQuery {
    /// The position.
    #[param(example = "W:WK14,K19:BK1")]
    fen: String,
}

/// Look up a position in the endgame tables.
#[utoipa::path(get, path = "/api/tablebase", params(TablebaseQuery), responses(
    (status = 200, body = Object), (status = 400, body = crate::online::ErrorBody)))]
pub(crate) async fn report(
    State(tables): State<SharedTablebase>,
    query: Result<Query<TablebaseQuery>, QueryRejection>,
) -> Result<Json<Report>, ApiError> {
    let Query(TablebaseQuery { fen }) = query.map_err(|_| ApiError::NoFen)?;
    let position = fen.parse()?;
    tables.ask(move |tables| tables.report(&position)).await.map(Json)
}
