//! A WebSocket client that plays or watches one game and behaves as the page does.

use std::collections::VecDeque;

use anyhow::{Context, bail, ensure};
use crownhead_game::{Command, Game, Record, Snapshot};
use crownhead_rules::Side;
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::Browser;

/// The connection is gone; the client has to reconnect.
#[derive(Debug)]
pub struct Disconnected;

/// A player or a watcher.
pub struct GameClient {
    /// The browser whose cookie it sends.
    pub browser: Browser,
    /// The id of the game.
    pub game_id: String,
    /// How many records came before the log: those of the last snapshot, none in most games.
    pub first_seq: usize,
    /// All records since then.
    pub log: Vec<Record>,
    /// The game that the log describes; `None` until it starts.
    pub game: Option<Game>,
    /// The side it plays.
    pub you: Option<Side>,
    /// Commands that were sent and not answered, the oldest first.
    pub pending: VecDeque<(String, Command)>,
    /// Commands that were acknowledged, and the length of the log by then.
    pub acknowledged: Vec<(String, usize)>,
    /// Commands that were refused, and why.
    pub refused: Vec<(String, String)>,
    /// The ids of commands that the server said have to wait, each time that it said so.
    pub waiting: Vec<String>,
    /// The rematch.
    pub next: Option<String>,
    /// The code with which the server closed the last connection.
    pub closed: Option<u16>,
    /// The protocol version that it sends.
    pub version: u16,
    socket: Option<WebSocketStream<TcpStream>>,
    /// The prefix of the ids of its commands.
    name: String,
    sent: u64,
}

impl GameClient {
    /// A client that is not connected yet. The name distinguishes the ids of its commands from those of other clients.
    pub fn new(browser: Browser, game_id: &str, name: &str) -> GameClient {
        GameClient {
            browser,
            game_id: game_id.to_owned(),
            first_seq: 0,
            log: Vec::new(),
            game: None,
            you: None,
            pending: VecDeque::new(),
            acknowledged: Vec::new(),
            refused: Vec::new(),
            waiting: Vec::new(),
            next: None,
            closed: None,
            version: 1,
            socket: None,
            name: name.to_owned(),
            sent: 0,
        }
    }

    /// Connects or reconnects: catches up, and resends the commands that were not answered.
    ///
    /// # Errors
    /// If no server answers, or the server rejects the client.
    pub async fn connect(&mut self) -> anyhow::Result<()> {
        self.disconnect();
        let server = self.browser.server;
        let path =
            format!("/api/games/{}/live?v={}&have={}", self.game_id, self.version, self.record_count());
        let mut request = format!("ws://{server}{path}").into_client_request()?;
        request.headers_mut().insert("origin", HeaderValue::try_from(format!("http://{server}"))?);
        if let Some(cookie) = &self.browser.cookie {
            request.headers_mut().insert("cookie", HeaderValue::try_from(cookie)?);
        }
        let stream = TcpStream::connect(server).await?;
        stream.set_nodelay(true)?;
        let (socket, _) = client_async(request, stream).await?;
        self.socket = Some(socket);
        let welcome = self.recv().await?.ok().context("lost at once")?;
        ensure!(welcome["type"] == "welcome", "no welcome: {welcome}");
        for (id, command) in self.pending.clone() {
            if self.send_text(message(&id, &command)).await.is_err() {
                break;
            }
        }
        Ok(())
    }

    /// How many records of the game it knows, those of a snapshot included.
    pub fn record_count(&self) -> usize {
        self.first_seq + self.log.len()
    }

    /// Drops the connection without a close frame.
    pub fn disconnect(&mut self) {
        self.socket = None;
    }

    /// Sends a command under a new id.
    ///
    /// # Errors
    /// If the connection is gone. The command is kept and sent again.
    pub async fn send(&mut self, command: Command) -> Result<String, Disconnected> {
        self.sent += 1;
        let id = format!("{}{}", self.name, self.sent);
        let text = message(&id, &command);
        self.pending.push_back((id.clone(), command));
        self.send_text(text).await?;
        Ok(id)
    }

    /// Sends any text.
    ///
    /// # Errors
    /// If the connection is gone.
    pub async fn send_text(&mut self, text: String) -> Result<(), Disconnected> {
        self.send_message(Message::text(text)).await
    }

    /// Sends any WebSocket message.
    ///
    /// # Errors
    /// If the connection is gone.
    pub async fn send_message(&mut self, message: Message) -> Result<(), Disconnected> {
        let socket = self.socket.as_mut().ok_or(Disconnected)?;
        if socket.send(message).await.is_err() {
            self.socket = None;
            return Err(Disconnected);
        }
        Ok(())
    }

    /// Receives the next message and applies it. Pings are answered and not returned.
    ///
    /// # Errors
    /// If the server violates the protocol: a number is missing or repeated, or a record does not fit.
    pub async fn recv(&mut self) -> anyhow::Result<Result<Value, Disconnected>> {
        loop {
            let told = match self.recv_any().await? {
                Ok(told) => told,
                lost => return Ok(lost),
            };
            if told["type"] == "ping" {
                let _ = self.send_text(json!({"v": 1, "type": "pong", "now": told["now"]}).to_string()).await;
                continue;
            }
            self.apply(&told)?;
            return Ok(Ok(told));
        }
    }

    /// The next message, whatever it is.
    async fn recv_any(&mut self) -> anyhow::Result<Result<Value, Disconnected>> {
        loop {
            let Some(socket) = self.socket.as_mut() else { return Ok(Err(Disconnected)) };
            match socket.next().await {
                Some(Ok(Message::Text(text))) => {
                    let told: Value = serde_json::from_str(&text)?;
                    ensure!(told["v"] == 1, "no version: {told}");
                    return Ok(Ok(told));
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                end => {
                    self.closed = match end {
                        Some(Ok(Message::Close(Some(frame)))) => Some(frame.code.into()),
                        _ => None,
                    };
                    self.socket = None;
                    return Ok(Err(Disconnected));
                }
            }
        }
    }

    /// Receives until the next ping and returns its time, without answering it.
    ///
    /// # Errors
    /// If the connection is lost or the server violates the protocol.
    pub async fn recv_ping(&mut self) -> anyhow::Result<u64> {
        loop {
            let told = self.recv_any().await?.ok().context("the connection was lost")?;
            if told["type"] == "ping" {
                return told["now"].as_u64().context("a ping without its time");
            }
            self.apply(&told)?;
        }
    }

    /// Receives until a command is answered.
    ///
    /// # Errors
    /// If the connection is lost or the server violates the protocol.
    pub async fn wait_for_answer(&mut self, id: &str) -> anyhow::Result<Value> {
        loop {
            let told = self.recv().await?.ok().context("the connection was lost")?;
            if told["id"] == id && told["type"] != "waiting" {
                return Ok(told);
            }
        }
    }

    /// Receives until it has this many records.
    ///
    /// # Errors
    /// If the connection is lost or the server violates the protocol.
    pub async fn wait_for_records(&mut self, records: usize) -> anyhow::Result<()> {
        while self.record_count() < records {
            self.recv().await?.ok().context("the connection was lost")?;
        }
        Ok(())
    }

    /// Sends a command and receives its answer.
    ///
    /// # Errors
    /// If the connection is lost or the server violates the protocol.
    pub async fn command(&mut self, command: Command) -> anyhow::Result<Value> {
        let id = self.send(command).await.ok().context("the connection was lost")?;
        self.wait_for_answer(&id).await
    }

    /// Makes a move and expects it to be accepted.
    ///
    /// # Errors
    /// If it is refused, or the connection is lost.
    pub async fn play(&mut self, text: &str) -> anyhow::Result<()> {
        let answer = self.command(Command::Move { text: text.to_owned() }).await?;
        ensure!(answer["type"] == "ack", "{text}: {answer}");
        Ok(())
    }

    fn apply(&mut self, told: &Value) -> anyhow::Result<()> {
        match told["type"].as_str().context("no type")? {
            "welcome" => {
                self.you = serde_json::from_value::<Option<String>>(told["you"].clone())?
                    .map(|side| if side == "black" { Side::Black } else { Side::White });
                self.next = told["next"].as_str().map(str::to_owned);
                if let Some(snapshot) = told.get("snapshot").filter(|snapshot| !snapshot.is_null()) {
                    self.restore(snapshot)?;
                }
                self.absorb(told)
            }
            "events" => self.absorb(told),
            "ack" => {
                let (id, seq) =
                    (told["id"].as_str().context("no id")?, told["seq"].as_u64().context("no number")?);
                self.pending.retain(|(pending, _)| pending != id);
                self.acknowledged.push((id.to_owned(), seq as usize));
                Ok(())
            }
            "refused" => {
                let id = told["id"].as_str().context("no id")?;
                self.pending.retain(|(pending, _)| pending != id);
                self.refused.push((id.to_owned(), told["error"].as_str().unwrap_or_default().to_owned()));
                Ok(())
            }
            "waiting" => {
                self.waiting.push(told["id"].as_str().context("no id")?.to_owned());
                Ok(())
            }
            "next" => {
                self.next = told["game"].as_str().map(str::to_owned);
                Ok(())
            }
            "presence" | "error" | "bye" => Ok(()),
            other => bail!("an unknown message: {other}"),
        }
    }

    /// Replaces its log, which is shorter, by a snapshot.
    fn restore(&mut self, snapshot: &Value) -> anyhow::Result<()> {
        let snapshot = Snapshot::deserialize(snapshot)?;
        let game = Game::restore(&snapshot)?;
        ensure!(
            game.seq() >= self.record_count(),
            "a snapshot after {} of {} events",
            game.seq(),
            self.record_count()
        );
        self.first_seq = game.seq();
        self.log.clear();
        self.game = Some(game);
        Ok(())
    }

    fn absorb(&mut self, told: &Value) -> anyhow::Result<()> {
        let first = told["seq"].as_u64().context("no number")? as usize;
        let records: Vec<Record> = serde_json::from_value(told["records"].clone())?;
        ensure!(
            first == self.record_count(),
            "event {first} comes after {} events: {told}",
            self.record_count()
        );
        for record in records {
            match &mut self.game {
                Some(game) => game.absorb(&record)?,
                None => self.game = Some(Game::replay([&record])?),
            }
            self.log.push(record);
        }
        Ok(())
    }
}

fn message(id: &str, command: &Command) -> String {
    json!({"v": 1, "type": "command", "id": id, "command": command}).to_string()
}

#[cfg(test)]
mod tests {
    use crownhead_game::{Place, Player, Start, Time};

    use super::*;

    /// A client of a game over a link, and the first record of that game.
    fn client() -> (GameClient, Game, Record) {
        let start = Start::new([Player::human(""), Player::human("")], 1);
        let linked = Start { place: Place::Link { away_limit_ms: 60_000 }, ..start };
        let (game, step) = Game::start(linked, Time(1)).expect("a game");
        let browser = Browser::new(([127, 0, 0, 1], 1).into());
        (GameClient::new(browser, "game", "g"), game, step.records[0].clone())
    }

    #[test]
    fn a_welcome_with_a_snapshot_stands_for_the_records_before() {
        let (mut client, mut game, first) = client();
        let moved: Record =
            serde_json::from_value(json!({"v": 1, "at": 2, "event": {"type": "moved", "move": "11-15"}}))
                .expect("a record");
        game.absorb(&moved).expect("a move");
        let welcome = json!({
            "v": 1, "type": "welcome", "you": null, "next": null, "seq": 2, "records": [], "snapshot": game.snapshot(),
        });
        client.apply(&welcome).expect("a snapshot");
        assert_eq!((client.record_count(), client.log.len(), client.game.as_ref()), (2, 0, Some(&game)));
        let answer = json!({"v": 1, "at": 3, "event": {"type": "moved", "move": "22-18"}});
        let events = |seq: usize| json!({"v": 1, "type": "events", "seq": seq, "records": [answer]});
        assert!(client.apply(&events(3)).is_err(), "a record is missing");
        client.apply(&events(2)).expect("the next record");
        assert_eq!((client.record_count(), client.log.len()), (3, 1));

        let (mut ahead, ..) = self::client();
        ahead
            .apply(&json!({"v": 1, "type": "events", "seq": 0, "records": [first, moved, answer]}))
            .expect("a log");
        assert!(ahead.apply(&welcome).is_err(), "a snapshot takes nothing back");
    }

    #[test]
    fn a_command_that_has_to_wait_stays_pending() {
        let (mut client, ..) = client();
        client.pending.push_back(("g1".to_owned(), Command::Resign));
        client.apply(&json!({"v": 1, "type": "waiting", "id": "g1", "notice": "Wait."})).expect("a notice");
        assert_eq!((client.waiting.as_slice(), client.pending.len()), (&["g1".to_owned()][..], 1));
    }
}
