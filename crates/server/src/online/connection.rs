//! One WebSocket: reads commands, forwards the messages of the room, and detects dead clients by heartbeats.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use crownhead_game::{Command, Time};
use tokio::sync::{mpsc, watch};
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::error::ApiError;
use crate::online::games::Games;
use crate::online::ids::Owner;
use crate::online::message::{CLOSE_NOT_ADMITTED, ClientEnvelope, ClientMessage, PROTOCOL, ServerMessage};
use crate::online::rate_limiter::TokenBucket;
use crate::online::room::{CommandSource, NewSubscriber, Outbox, Room, WeakOutbox};

/// The interval between pings.
const PING: Duration = Duration::from_secs(10);
/// A ping that is later than this was delayed by this server, not by the client.
const LATE_PING: Duration = Duration::from_secs(5);
/// A client that is silent for this long is gone.
const SILENCE: Duration = Duration::from_secs(25);
/// The lag of the network is the shortest of this many round trips.
const ROUND_TRIPS: usize = 5;
/// After this many rejected messages the connection is closed.
const TOO_MANY: u32 = 100;
/// A command's id is no longer than this.
const MAX_ID_BYTES: usize = 64;
/// How long a command is tried while the database cannot write. Then the client reconnects and repeats it.
const STORE_PATIENCE: Duration = Duration::from_secs(10);
/// If a command is not stored after this long, its sender is told that it waits.
const STORE_SLOW: Duration = Duration::from_secs(1);
/// The shortest pause between two attempts.
const STORE_PAUSE: Duration = Duration::from_millis(100);
const MOVE_WAITS: &str = "The server cannot save moves at the moment; your move is waiting.";
const REQUEST_WAITS: &str = "The server cannot save anything at the moment; your request is waiting.";
const NO_TEXT: &str = "Messages must be JSON text.";
const NO_FRAME: &str = "That was not a valid WebSocket frame; connect again.";
const TOO_FAST: &str = "Too many messages; slow down and send it again.";

/// Why a connection is closed: the code and the text of its close frame.
struct CloseReason {
    code: u16,
    text: &'static str,
}

/// The server's end of a connection to a room.
pub(crate) struct Connection {
    games: Arc<Games>,
    room: Arc<Room>,
    socket: WebSocket,
    owner: Option<Owner>,
    /// The keyed hash of the network address.
    address: String,
    messages: TokenBucket,
    rejected: u32,
    /// When the unanswered ping was sent.
    pinged_at: Option<Time>,
    round_trips: VecDeque<u64>,
    heard_at: Instant,
    /// When a ping was last due.
    pinged: Instant,
}

impl Connection {
    pub(crate) fn new(
        games: Arc<Games>,
        room: Arc<Room>,
        socket: WebSocket,
        owner: Option<Owner>,
        address: String,
    ) -> Connection {
        let messages = TokenBucket::new(games.context.limits.messages_per_second);
        Connection {
            games,
            room,
            socket,
            owner,
            address,
            messages,
            rejected: 0,
            pinged_at: None,
            round_trips: VecDeque::new(),
            heard_at: Instant::now(),
            pinged: Instant::now(),
        }
    }

    /// Runs until either end closes.
    pub(crate) async fn run(mut self, have: usize) {
        static KEYS: AtomicU64 = AtomicU64::new(0);
        let key = KEYS.fetch_add(1, Ordering::Relaxed);
        tracing::debug!(key, have, "connected");
        let (outbox, mut outgoing) = Outbox::new();
        let answers = outbox.weak();
        // Boxed, as commands are, so that an idle connection holds no memory for large futures that rarely run.
        let reason = match Box::pin(self.arrive(key, outbox, have)).await {
            Ok(()) => self.run_loop(&mut outgoing, &answers).await,
            Err(error) => self.rejection(&error).await,
        };
        tracing::debug!(code = reason.code, why = reason.text, "closed");
        self.room.unsubscribe(key).await;
        self.close(reason).await;
    }

    /// Sends the reason and closes the connection.
    pub(crate) async fn reject_connection(mut self, error: ApiError) {
        let reason = self.rejection(&error).await;
        self.close(reason).await;
    }

    async fn rejection(&mut self, error: &ApiError) -> CloseReason {
        error.log();
        self.games.context.metrics.refused.count_error(error);
        // The client may be gone.
        let withdrawn = matches!(error, ApiError::Withdrawn);
        let _ = self.send(ServerMessage::Error { error: error.to_string(), withdrawn }.text()).await;
        if error.is_passing() {
            CloseReason { code: close_code::AGAIN, text: "try again" }
        } else {
            CloseReason { code: CLOSE_NOT_ADMITTED, text: "not admitted" }
        }
    }

    /// The room has dropped this subscriber: the game is gone, or the client did not read.
    async fn dropped_by_room(&mut self) -> CloseReason {
        match self.room.with_state(|_| ()).await {
            Err(error @ (ApiError::Withdrawn | ApiError::NoGame)) => self.rejection(&error).await,
            _ => CloseReason { code: close_code::AWAY, text: "too slow" },
        }
    }

    async fn close(&mut self, reason: CloseReason) {
        let frame = CloseFrame { code: reason.code, reason: reason.text.into() };
        // The other end may be gone.
        let _ = timeout(self.patience(), self.socket.send(Message::Close(Some(frame)))).await;
    }

    async fn arrive(&mut self, key: u64, outbox: Outbox, have: usize) -> Result<(), ApiError> {
        self.room.subscribe(NewSubscriber { key, owner: self.owner.clone(), outbox }, have).await
    }

    async fn run_loop(
        &mut self,
        outgoing: &mut mpsc::Receiver<Utf8Bytes>,
        answers: &WeakOutbox,
    ) -> CloseReason {
        let mut stopping = self.games.stopping();
        let mut ping = interval(PING);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let result = tokio::select! {
                biased;
                () = stopped(&mut stopping) => {
                    let _ = self.send(ServerMessage::Bye.text()).await;
                    Err(CloseReason { code: close_code::RESTART, text: "the server restarts" })
                }
                text = outgoing.recv() => match text {
                    Some(text) => self.send(text).await,
                    None => Err(Box::pin(self.dropped_by_room()).await),
                },
                message = self.socket.recv() => match message {
                    Some(Ok(message)) => self.on_frame(message, answers).await,
                    Some(Err(error)) => Err(Box::pin(self.broken(error)).await),
                    None => Err(CloseReason { code: close_code::NORMAL, text: "" }),
                },
                _ = ping.tick() => self.ping().await,
            };
            if let Err(reason) = result {
                return reason;
            }
        }
    }

    /// A frame could not be read, so nothing after it can be. Tells the client, in case it still listens.
    async fn broken(&mut self, error: axum::Error) -> CloseReason {
        tracing::debug!(%error, "a connection broke");
        let (why, reason) = match FrameError::of(&error) {
            FrameError::TooLong => {
                (self.too_long(), CloseReason { code: close_code::SIZE, text: "the message is too long" })
            }
            FrameError::NotUtf8 => (
                NO_TEXT.to_owned(),
                CloseReason { code: close_code::INVALID, text: "the message is not text" },
            ),
            FrameError::Protocol => {
                (NO_FRAME.to_owned(), CloseReason { code: close_code::PROTOCOL, text: "not a valid frame" })
            }
            FrameError::Other => {
                return CloseReason { code: close_code::ERROR, text: "the connection broke" };
            }
        };
        self.games.context.metrics.messages_rejected.inc();
        // The client may be gone.
        let _ = self.send(ServerMessage::Error { error: why, withdrawn: false }.text()).await;
        reason
    }

    fn too_long(&self) -> String {
        format!("A message may have at most {} bytes.", self.games.context.limits.message_bytes)
    }

    /// A client that takes longer to read a message is gone.
    fn patience(&self) -> Duration {
        self.games.context.limits.patience()
    }

    async fn send(&mut self, text: Utf8Bytes) -> Result<(), CloseReason> {
        match timeout(self.patience(), self.socket.send(Message::Text(text))).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(CloseReason { code: close_code::AWAY, text: "too slow" }),
        }
    }

    async fn ping(&mut self) -> Result<(), CloseReason> {
        // A late ping means that this process did not run, so the client gets the time of one more ping to answer.
        if self.pinged.elapsed() > PING + LATE_PING {
            self.heard_at = Instant::now();
        }
        self.pinged = Instant::now();
        if self.heard_at.elapsed() > SILENCE {
            return Err(CloseReason { code: close_code::AWAY, text: "no answer" });
        }
        let now = self.games.context.now();
        self.pinged_at = Some(now);
        self.send(ServerMessage::Ping { now }.text()).await
    }

    async fn on_frame(&mut self, frame: Message, answers: &WeakOutbox) -> Result<(), CloseReason> {
        self.heard_at = Instant::now();
        match frame {
            Message::Close(_) => Err(CloseReason { code: close_code::NORMAL, text: "" }),
            // Control frames are answered, so each costs as much as a message.
            Message::Ping(_) | Message::Pong(_) if self.take_token() => Ok(()),
            Message::Ping(_) | Message::Pong(_) => self.reject(TOO_FAST).await,
            Message::Binary(_) => self.reject(NO_TEXT).await,
            Message::Text(text) => {
                let is_allowed = self.take_token();
                if text.len() > self.games.context.limits.message_bytes {
                    self.games.context.metrics.refused.count("message_bytes");
                    return self.reject(&self.too_long()).await;
                }
                match serde_json::from_str::<ClientEnvelope>(&text) {
                    Ok(ClientEnvelope { v: PROTOCOL, message }) if is_allowed => {
                        self.receive(message, answers).await
                    }
                    // A command gets an answer under its id.
                    Ok(ClientEnvelope { v: PROTOCOL, message: ClientMessage::Command { id, .. } })
                        if is_id(&id) =>
                    {
                        self.reject_as(&ServerMessage::Refused { id: &id, error: TOO_FAST.to_owned() }).await
                    }
                    _ if !is_allowed => self.reject(TOO_FAST).await,
                    Ok(ClientEnvelope { v, .. }) => {
                        self.reject(&format!(
                            "This server speaks version {PROTOCOL}, not {v}; reload the page."
                        ))
                        .await
                    }
                    Err(error) => self.reject(&format!("That message could not be read: {error}.")).await,
                }
            }
        }
    }

    /// May the client send another message?
    fn take_token(&self) -> bool {
        let is_allowed = self.messages.take();
        if !is_allowed {
            self.games.context.metrics.refused.count("messages_per_second");
        }
        is_allowed
    }

    async fn receive(&mut self, message: ClientMessage, answers: &WeakOutbox) -> Result<(), CloseReason> {
        match message {
            ClientMessage::Pong { now } => {
                // Only the pending ping counts, so that no client chooses its own lag.
                if self.pinged_at.take_if(|pinged| *pinged == now).is_some() {
                    self.round_trips.truncate(ROUND_TRIPS - 1);
                    self.round_trips.push_front(self.games.context.now().since(now));
                }
                Ok(())
            }
            ClientMessage::Command { id, .. } if !is_id(&id) => {
                self.reject(&format!(
                    "The id of a command must have 1 to {MAX_ID_BYTES} printable ASCII characters."
                ))
                .await
            }
            ClientMessage::Command { id, command } => Box::pin(self.command(&id, &command, answers)).await,
        }
    }

    async fn command(
        &mut self,
        id: &str,
        command: &Command,
        answers: &WeakOutbox,
    ) -> Result<(), CloseReason> {
        let arrived = Instant::now();
        let result = self.carry_out(id, command).await?;
        let context = &self.games.context;
        let text = match result {
            Ok(seq) => {
                context.metrics.command_seconds.observe(arrived.elapsed().as_secs_f64());
                ServerMessage::Ack { id, seq }.text()
            }
            Err(error @ ApiError::InDoubt(_)) => {
                error.log();
                // The client reconnects and repeats the command under the same id, which settles whether it was stored.
                return Err(CloseReason { code: close_code::AGAIN, text: "the database does not answer" });
            }
            Err(error) => {
                context.metrics.commands_refused.inc();
                context.metrics.refused.count_error(&error);
                error.log();
                ServerMessage::Refused { id, error: error.to_string() }.text()
            }
        };
        // Queued behind the events that the command led to.
        if !answers.send(text) {
            return Err(CloseReason { code: close_code::AWAY, text: "too slow" });
        }
        Ok(())
    }

    /// Carries a command out, and tries again for a while if the database cannot store it.
    async fn carry_out(
        &mut self,
        id: &str,
        command: &Command,
    ) -> Result<Result<usize, ApiError>, CloseReason> {
        let lag_ms = self.round_trips.iter().copied().min().unwrap_or(0);
        let (owner, address) = (self.owner.clone(), self.address.clone());
        let source = CommandSource::Client { owner: owner.as_ref(), id, lag_ms, address: &address };
        let arrived = Instant::now();
        let mut is_notified = false;
        let room = self.room.clone();
        loop {
            let mut carried_out = pin!(room.command(source, command));
            let result = loop {
                tokio::select! {
                    result = &mut carried_out => break result,
                    // The database neither answers nor fails.
                    () = tokio::time::sleep(STORE_SLOW), if !is_notified => {
                        is_notified = true;
                        self.send(ServerMessage::Waiting { id, notice: waits(command) }.text()).await?;
                    }
                }
            };
            let left = STORE_PATIENCE.min(self.patience()).saturating_sub(arrived.elapsed());
            if left.is_zero() || !matches!(result, Err(ApiError::InDoubt(_))) {
                return Ok(result);
            }
            if !std::mem::replace(&mut is_notified, true) {
                self.send(ServerMessage::Waiting { id, notice: waits(command) }.text()).await?;
            }
            tokio::time::sleep(STORE_PAUSE).await;
            self.games.context.outages.writable(left).await;
        }
    }

    /// Tells the client what was wrong with a message. After too many, the connection is closed.
    async fn reject(&mut self, why: &str) -> Result<(), CloseReason> {
        self.reject_as(&ServerMessage::Error { error: why.to_owned(), withdrawn: false }).await
    }

    async fn reject_as(&mut self, message: &ServerMessage<'_>) -> Result<(), CloseReason> {
        self.games.context.metrics.messages_rejected.inc();
        self.rejected += 1;
        self.send(message.text()).await?;
        if self.rejected >= TOO_MANY {
            tracing::warn!(game = ?self.room.id(), "too many bad messages");
            Err(CloseReason { code: close_code::POLICY, text: "too many bad messages" })
        } else {
            Ok(())
        }
    }
}

/// Why a frame could not be read. axum hides the error of its WebSocket library, so the kind is read from its text.
enum FrameError {
    TooLong,
    NotUtf8,
    Protocol,
    Other,
}

impl FrameError {
    fn of(error: &axum::Error) -> FrameError {
        let text = error.to_string();
        let kinds = [
            ("Space limit exceeded", FrameError::TooLong),
            ("UTF-8 encoding error", FrameError::NotUtf8),
            ("WebSocket protocol error", FrameError::Protocol),
        ];
        let kind = kinds.into_iter().find(|(beginning, _)| text.starts_with(beginning));
        kind.map_or(FrameError::Other, |(_, kind)| kind)
    }
}

/// Is this a valid id for a command?
fn is_id(text: &str) -> bool {
    (1..=MAX_ID_BYTES).contains(&text.len()) && text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// What the sender of a command is told while it cannot be stored.
fn waits(command: &Command) -> &'static str {
    if matches!(command, Command::Move { .. }) { MOVE_WAITS } else { REQUEST_WAITS }
}

async fn stopped(stopping: &mut watch::Receiver<bool>) {
    // If the registry is gone, the connection ends as well.
    let _ = stopping.wait_for(|&stopping| stopping).await;
}
