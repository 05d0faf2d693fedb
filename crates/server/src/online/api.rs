//! The HTTP API of games: invite, withdraw, join, show, list, export. Play itself goes over the WebSocket of the game.

use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use crownhead_game::Time;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tracing::Instrument;
use utoipa::{IntoParams, OpenApi, ToSchema};

use crate::error::ApiError;
use crate::online::AppState;
use crate::online::connection::Connection;
use crate::online::ids::GameId;
use crate::online::json_body::{BODY_BYTES, JsonBody};
use crate::online::message::PROTOCOL;
use crate::online::qr;
use crate::online::requests::{InviteRequest, JoinRequest, NoOtherFields, SideName};
use crate::online::session::Session;
use crate::online::store::{ListedGame, SeatRole};
use crate::online::summary::Summary;

/// Messages beyond this are not even read, unless longer ones are allowed.
const FRAME_BYTES: usize = 64 * 1_024;
/// Most connections are idle, and their messages are short.
const BUFFER_BYTES: usize = 256;
const SVG: HeaderValue = HeaderValue::from_static("image/svg+xml");
const PDN: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Crownhead",
        description = "Games of checkers between two people over a link.",
        version = "1"
    ),
    paths(
        invite,
        mine,
        state,
        withdraw,
        join,
        pdn,
        qr_code,
        live,
        forget,
        crate::tablebase::report,
        crate::health::alive,
        crate::health::ready
    ),
    modifiers(&NoOtherFields)
)]
struct ApiDoc;

pub(crate) fn router(app: AppState) -> Router {
    Router::new()
        .route("/api/games", post(invite).get(mine))
        .route("/api/me", delete(forget))
        .route("/api/games/{id}", get(state).delete(withdraw))
        .route("/api/games/{id}/join", post(join))
        .route("/api/games/{id}/pdn", get(pdn))
        .route("/api/games/{id}/qr", get(qr_code))
        .route("/api/games/{id}/live", get(live))
        .route("/api/openapi.json", get(async || Json(ApiDoc::openapi())))
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .with_state(app)
}

/// A new game.
#[derive(Serialize, ToSchema)]
pub(crate) struct InviteResponse {
    /// The id of the game. Its link is `/game/{id}`.
    id: String,
}

/// A game of this browser.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameListEntry {
    /// The id of the game.
    id: String,
    /// The browser's side, once it is known.
    you: Option<SideName>,
    /// Is it the browser's turn?
    your_turn: bool,
    /// When the game last changed, in milliseconds since 1970.
    updated: u64,
    #[serde(flatten)]
    summary: Summary,
}

/// A game as it stands.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameInfo {
    /// The id of the game.
    id: String,
    /// Does this browser have a seat?
    seated: bool,
    /// Its side, once it is known.
    you: Option<SideName>,
    /// When the invitation was created, in milliseconds since 1970.
    created: u64,
    /// What the inviter chose.
    #[schema(value_type = Object)]
    start: Value,
    /// The number of events.
    seq: usize,
    /// The rematch, if one was agreed on.
    next: Option<String>,
    /// The server's time, in milliseconds since 1970.
    now: u64,
    #[serde(flatten)]
    summary: Summary,
}

/// The seat that was taken.
#[derive(Serialize, ToSchema)]
pub(crate) struct JoinResponse {
    /// The guest's side.
    you: SideName,
}

/// Why a request failed.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorBody {
    /// The reason, in a sentence.
    error: String,
}

type GamePath = Result<Path<String>, PathRejection>;

/// The id in a path. Text that cannot be an id is reported as a missing game.
fn game_id(path: GamePath) -> Result<GameId, ApiError> {
    let Path(text) = path.map_err(|_| ApiError::NoGame)?;
    text.parse().map_err(|_| ApiError::NoGame)
}

/// Create an invitation to a game.
#[utoipa::path(post, path = "/api/games", request_body = InviteRequest, responses(
    (status = 201, body = InviteResponse), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
    (status = 408, body = ErrorBody), (status = 413, body = ErrorBody),
    (status = 429, body = ErrorBody, description = "Too many games are open, or were started in a minute."),
    (status = 503, body = ErrorBody)))]
pub(crate) async fn invite(
    State(app): State<AppState>,
    session: Session,
    headers: HeaderMap,
    request: Result<JsonBody<InviteRequest>, ApiError>,
) -> Result<(StatusCode, HeaderMap, Json<InviteResponse>), ApiError> {
    app.site.check_origin(&headers)?;
    let address = session.address;
    app.rate_limiters.start(address)?;
    let JsonBody(request) = request?;
    let (owner, cookie) = session.recognised();
    let id = app.games.invite(request, owner, &app.key.address_hash(address)).await?;
    Ok((StatusCode::CREATED, cookie, Json(InviteResponse { id: id.to_string() })))
}

/// The games of this browser: first those in which it is to move, then the others in progress, then those that are
/// over.
#[utoipa::path(get, path = "/api/games", responses((status = 200, body = Vec<GameListEntry>), (status = 503, body = ErrorBody)))]
pub(crate) async fn mine(State(app): State<AppState>, session: Session) -> Result<Response, ApiError> {
    let listed = match session.owner() {
        Some(owner) => app.games.games_of(&owner).await?,
        None => Vec::new(),
    };
    let mut games: Vec<GameListEntry> = listed.into_iter().map(GameListEntry::of).collect();
    games.sort_by_key(|game| !game.your_turn);
    Ok((session.renewed(), Json(games)).into_response())
}

/// A game as it stands. Sets a cookie in a browser that has none, so that it can repeat a join whose response was lost.
#[utoipa::path(get, path = "/api/games/{id}", params(("id" = String, Path)), responses(
    (status = 200, body = GameInfo), (status = 404, body = ErrorBody), (status = 410, body = ErrorBody),
    (status = 503, body = ErrorBody)))]
pub(crate) async fn state(
    State(app): State<AppState>,
    session: Session,
    id: GamePath,
) -> Result<Response, ApiError> {
    let id = game_id(id)?;
    let (owner, cookie) = session.recognised();
    let Time(now) = app.games.context.now();
    let room = app.games.room(id).await?;
    let info = room.with_state(|state| {
        let seat = state.seat_of(Some(&owner));
        GameInfo {
            id: id.to_string(),
            seated: seat.is_some(),
            you: seat.and_then(|seat| state.side(seat)).map(Into::into),
            created: state.created.0,
            start: serde_json::to_value(&state.start).expect("its maps have text keys"),
            seq: state.seq(),
            next: state.next.map(|next| next.to_string()),
            now,
            summary: state.summary(),
        }
    });
    Ok((cookie, Json(info.await?)).into_response())
}

/// Withdraw an invitation. Only the inviter can, and only until a guest has joined. Repeating the request changes
/// nothing.
#[utoipa::path(delete, path = "/api/games/{id}", params(("id" = String, Path)), responses(
    (status = 204), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
    (status = 503, body = ErrorBody)))]
pub(crate) async fn withdraw(
    State(app): State<AppState>,
    session: Session,
    headers: HeaderMap,
    id: GamePath,
) -> Result<StatusCode, ApiError> {
    app.site.check_origin(&headers)?;
    let id = game_id(id)?;
    // Spawned, as in `join`, so that nothing is left half-done.
    let withdrawn = tokio::spawn(async move { app.games.withdraw(id, session.owner().as_ref()).await });
    withdrawn.await.map_err(ApiError::Broken)??;
    Ok(StatusCode::NO_CONTENT)
}

/// Forget this browser: its open invitations are withdrawn, its seats are no longer linked to it, and its names are
/// removed. Games that it played stay, without it.
#[utoipa::path(delete, path = "/api/me", responses(
    (status = 204), (status = 403, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn forget(
    State(app): State<AppState>,
    session: Session,
    headers: HeaderMap,
) -> Result<(StatusCode, HeaderMap), ApiError> {
    app.site.check_origin(&headers)?;
    let removal = session.remove_cookie();
    if let Some(owner) = session.owner() {
        // Spawned, as in `join`, so that nothing is left half-done.
        let forgotten = tokio::spawn(async move { app.games.forget(&owner).await });
        let games = forgotten.await.map_err(ApiError::Broken)??;
        tracing::info!(games, "forgot a browser");
    }
    Ok((StatusCode::NO_CONTENT, removal))
}

/// Take the free seat. Repeating the request from the same browser changes nothing.
#[utoipa::path(post, path = "/api/games/{id}/join", params(("id" = String, Path)), request_body = JoinRequest, responses(
    (status = 200, body = JoinResponse), (status = 400, body = ErrorBody), (status = 403, body = ErrorBody),
    (status = 404, body = ErrorBody), (status = 408, body = ErrorBody), (status = 409, body = ErrorBody),
    (status = 410, body = ErrorBody), (status = 413, body = ErrorBody),
    (status = 429, body = ErrorBody, description = "Too many games are open, or were started in a minute."),
    (status = 503, body = ErrorBody)))]
pub(crate) async fn join(
    State(app): State<AppState>,
    session: Session,
    headers: HeaderMap,
    id: GamePath,
    guest: Result<JsonBody<JoinRequest>, ApiError>,
) -> Result<(HeaderMap, Json<JoinResponse>), ApiError> {
    app.site.check_origin(&headers)?;
    let id = game_id(id)?;
    app.rate_limiters.start(session.address)?;
    let JsonBody(guest) = guest?;
    let (owner, cookie) = session.recognised();
    // Continues even if the client disconnects, so that the room is not left half-changed.
    let joined = tokio::spawn(async move { app.games.join(id, owner, &guest.name).await });
    let side = joined.await.map_err(ApiError::Broken)??;
    Ok((cookie, Json(JoinResponse { you: side.into() })))
}

/// The game as a PDN file.
#[utoipa::path(get, path = "/api/games/{id}/pdn", params(("id" = String, Path)), responses(
    (status = 200, body = String, content_type = "text/plain"), (status = 404, body = ErrorBody),
    (status = 409, body = ErrorBody), (status = 410, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn pdn(State(app): State<AppState>, id: GamePath) -> Result<Response, ApiError> {
    let id = game_id(id)?;
    let room = app.games.room(id).await?;
    let written = room.with_state(|state| {
        let date = date(state.created);
        state.game.as_ref().map(|game| game.to_pdn(Some(&date)).to_string())
    });
    let text = written.await?.ok_or(ApiError::NotStarted)?;
    let name =
        HeaderValue::try_from(format!("attachment; filename=\"{id}.pdn\"")).expect("letters and digits");
    Ok(([(header::CONTENT_TYPE, PDN), (header::CONTENT_DISPOSITION, name)], text).into_response())
}

/// The link of the game as a QR code.
#[utoipa::path(get, path = "/api/games/{id}/qr", params(("id" = String, Path)), responses(
    (status = 200, body = String, content_type = "image/svg+xml"), (status = 404, body = ErrorBody),
    (status = 410, body = ErrorBody), (status = 503, body = ErrorBody)))]
pub(crate) async fn qr_code(
    State(app): State<AppState>,
    headers: HeaderMap,
    id: GamePath,
) -> Result<Response, ApiError> {
    let id = game_id(id)?;
    app.games.room(id).await?;
    let picture = qr::svg(&format!("{}/game/{id}", app.site.address(&headers))).ok_or(ApiError::NoGame)?;
    Ok(([(header::CONTENT_TYPE, SVG)], picture).into_response())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ConnectQuery {
    /// The version of the messages that the client speaks.
    #[param(example = 1)]
    v: u16,
    /// How many events the client has.
    #[serde(default)]
    #[param(example = 12)]
    have: usize,
}

/// The WebSocket of a game, over which it is played and watched. Messages are JSON in both directions.
#[utoipa::path(get, path = "/api/games/{id}/live", params(("id" = String, Path), ConnectQuery), responses(
    (status = 101, description = "The connection is a WebSocket from now on."), (status = 400, body = ErrorBody),
    (status = 403, body = ErrorBody), (status = 404, body = ErrorBody), (status = 429, body = ErrorBody),
    (status = 503, body = ErrorBody)))]
pub(crate) async fn live(
    State(app): State<AppState>,
    session: Session,
    headers: HeaderMap,
    id: GamePath,
    query: Result<Query<ConnectQuery>, QueryRejection>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    app.site.check_origin(&headers)?;
    let id = game_id(id)?;
    let Query(ConnectQuery { v, have }) = query.map_err(|error| ApiError::Body(error.body_text()))?;
    let upgrade = upgrade.map_err(|error| ApiError::Body(error.body_text()))?;
    app.rate_limiters.connect(session.address)?;
    // A withdrawn invitation is reported over the connection, to clients that were away when it happened.
    let room = app.games.room_or_its_end(id).await?;
    let permit = app.connections.open(session.address).map_err(|_| ApiError::TooManyConnections)?;
    let visit = app.games.welcome();
    let owner = session.owner();
    let address = app.key.address_hash(session.address);
    let longest = FRAME_BYTES.max(app.games.context.limits.message_bytes);
    let upgrade = upgrade
        .max_message_size(longest)
        .max_frame_size(longest)
        .read_buffer_size(BUFFER_BYTES)
        .write_buffer_size(0);
    let span = tracing::debug_span!("connection", game = ?id);
    let talk = move |socket| async move {
        // Held until the last message is sent.
        let _until_closed = (permit, visit);
        if v == PROTOCOL {
            Connection::new(app.games, room, socket, owner, address).run(have).await;
        } else {
            // A browser hides the response to a failed upgrade from its page, so the error goes over the connection.
            let connection = Connection::new(app.games, room, socket, owner, address);
            Box::pin(connection.reject_connection(ApiError::Protocol)).await;
        }
    };
    Ok(upgrade.on_upgrade(move |socket| talk(socket).instrument(span)))
}

impl GameListEntry {
    fn of(listed: ListedGame) -> GameListEntry {
        let ListedGame { game, seat, updated, summary } = listed;
        let you = summary.inviter.map(|inviter| match seat {
            SeatRole::Inviter => inviter,
            SeatRole::Guest => inviter.other(),
        });
        GameListEntry {
            id: game.to_string(),
            you,
            your_turn: you.is_some() && you == summary.turn,
            updated: updated.0,
            summary,
        }
    }
}

/// The date in the format of PDN, in UTC: `2026.02.28`.
fn date(time: Time) -> String {
    let at = jiff::Timestamp::from_millisecond(time.0 as i64).unwrap_or_default();
    at.strftime("%Y.%m.%d").to_string()
}
