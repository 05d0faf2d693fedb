//! Somebody who plays or watches one game over a WebSocket, and behaves as the page does.

use std::collections::VecDeque;

use anyhow::{Context, bail, ensure};
use crownhead_game::{Command, Game, Record};
use crownhead_rules::Side;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::Browser;

/// The connection is gone; connect again.
#[derive(Debug)]
pub struct Lost;

/// A player or a watcher.
pub struct Guest {
    /// Whose cookie it has.
    pub browser: Browser,
    /// Which game.
    pub game_id: String,
    /// All records so far.
    pub log: Vec<Record>,
    /// The same, folded; nothing until it starts.
    pub game: Option<Game>,
    /// The side it plays.
    pub you: Option<Side>,
    /// Commands that were sent and not answered, the oldest first.
    pub pending: VecDeque<(String, Command)>,
    /// Commands that were acknowledged, and the length of the log by then.
    pub acknowledged: Vec<(String, usize)>,
    /// Commands that were refused, and why.
    pub refused: Vec<(String, String)>,
    /// The next game.
    pub next: Option<String>,
    /// The code with which the server closed the last connection.
    pub closed: Option<u16>,
    /// The version of the messages that it claims to speak.
    pub version: u16,
    socket: Option<WebSocketStream<TcpStream>>,
    /// Begins the ids of its commands.
    name: String,
    sent: u64,
}

impl Guest {
    /// Somebody who is not connected yet. The name tells the ids of their commands from those of others.
    pub fn new(browser: Browser, game_id: &str, name: &str) -> Guest {
        Guest {
            browser,
            game_id: game_id.to_owned(),
            log: Vec::new(),
            game: None,
            you: None,
            pending: VecDeque::new(),
            acknowledged: Vec::new(),
            refused: Vec::new(),
            next: None,
            closed: None,
            version: 1,
            socket: None,
            name: name.to_owned(),
            sent: 0,
        }
    }

    /// Connects, or connects again: catches up, and sends again what was not answered.
    ///
    /// # Errors
    /// If nobody listens, or it is not let in.
    pub async fn connect(&mut self) -> anyhow::Result<()> {
        self.hang_up();
        let server = self.browser.server;
        let path = format!("/api/games/{}/live?v={}&have={}", self.game_id, self.version, self.log.len());
        let mut request = format!("ws://{server}{path}").into_client_request()?;
        request.headers_mut().insert("origin", HeaderValue::try_from(format!("http://{server}"))?);
        if let Some(cookie) = &self.browser.cookie {
            request.headers_mut().insert("cookie", HeaderValue::try_from(cookie)?);
        }
        let stream = TcpStream::connect(server).await?;
        stream.set_nodelay(true)?;
        let (socket, _) = client_async(request, stream).await?;
        self.socket = Some(socket);
        let welcome = self.hear().await?.ok().context("lost at once")?;
        ensure!(welcome["type"] == "welcome", "no welcome: {welcome}");
        for (id, command) in self.pending.clone() {
            if self.send_text(message(&id, &command)).await.is_err() {
                break;
            }
        }
        Ok(())
    }

    /// Cuts the connection without a word.
    pub fn hang_up(&mut self) {
        self.socket = None;
    }

    /// Gives a command under a new id.
    ///
    /// # Errors
    /// If the connection is gone. The command is kept and sent again.
    pub async fn send(&mut self, command: Command) -> Result<String, Lost> {
        self.sent += 1;
        let id = format!("{}{}", self.name, self.sent);
        let text = message(&id, &command);
        self.pending.push_back((id.clone(), command));
        self.send_text(text).await?;
        Ok(id)
    }

    /// Sends anything at all.
    ///
    /// # Errors
    /// If the connection is gone.
    pub async fn send_text(&mut self, text: String) -> Result<(), Lost> {
        self.send_message(Message::text(text)).await
    }

    /// Sends any message of the protocol below.
    ///
    /// # Errors
    /// If the connection is gone.
    pub async fn send_message(&mut self, message: Message) -> Result<(), Lost> {
        let socket = self.socket.as_mut().ok_or(Lost)?;
        if socket.send(message).await.is_err() {
            self.socket = None;
            return Err(Lost);
        }
        Ok(())
    }

    /// The next message, once what it says is taken in. Pings are answered and not told.
    ///
    /// # Errors
    /// If the server breaks its promises: a number is left out or comes twice, or a record does not fit.
    pub async fn hear(&mut self) -> anyhow::Result<Result<Value, Lost>> {
        loop {
            let told = match self.hear_any().await? {
                Ok(told) => told,
                lost => return Ok(lost),
            };
            if told["type"] == "ping" {
                let _ = self.send_text(json!({"v": 1, "type": "pong", "now": told["now"]}).to_string()).await;
                continue;
            }
            self.take_in(&told)?;
            return Ok(Ok(told));
        }
    }

    /// The next message, whatever it is.
    async fn hear_any(&mut self) -> anyhow::Result<Result<Value, Lost>> {
        loop {
            let Some(socket) = self.socket.as_mut() else { return Ok(Err(Lost)) };
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
                    return Ok(Err(Lost));
                }
            }
        }
    }

    /// Hears until it is asked whether it is there, and gives the time of the question. It is not answered.
    ///
    /// # Errors
    /// If the connection is lost or the server breaks its promises.
    pub async fn hear_ping(&mut self) -> anyhow::Result<u64> {
        loop {
            let told = self.hear_any().await?.ok().context("the connection was lost")?;
            if told["type"] == "ping" {
                return told["now"].as_u64().context("a ping without its time");
            }
            self.take_in(&told)?;
        }
    }

    /// Hears until a command is answered.
    ///
    /// # Errors
    /// If the connection is lost or the server breaks its promises.
    pub async fn answered(&mut self, id: &str) -> anyhow::Result<Value> {
        loop {
            let told = self.hear().await?.ok().context("the connection was lost")?;
            if told["id"] == id {
                return Ok(told);
            }
        }
    }

    /// Hears until the log has so many records.
    ///
    /// # Errors
    /// If the connection is lost or the server breaks its promises.
    pub async fn reach(&mut self, records: usize) -> anyhow::Result<()> {
        while self.log.len() < records {
            self.hear().await?.ok().context("the connection was lost")?;
        }
        Ok(())
    }

    /// Gives a command and hears its answer.
    ///
    /// # Errors
    /// If the connection is lost or the server breaks its promises.
    pub async fn command(&mut self, command: Command) -> anyhow::Result<Value> {
        let id = self.send(command).await.ok().context("the connection was lost")?;
        self.answered(&id).await
    }

    /// Makes a move and expects it to count.
    ///
    /// # Errors
    /// If it is refused, or the connection is lost.
    pub async fn play(&mut self, text: &str) -> anyhow::Result<()> {
        let answer = self.command(Command::Move { text: text.to_owned() }).await?;
        ensure!(answer["type"] == "ack", "{text}: {answer}");
        Ok(())
    }

    fn take_in(&mut self, told: &Value) -> anyhow::Result<()> {
        match told["type"].as_str().context("no type")? {
            "welcome" => {
                self.you = serde_json::from_value::<Option<String>>(told["you"].clone())?
                    .map(|side| if side == "black" { Side::Black } else { Side::White });
                self.next = told["next"].as_str().map(str::to_owned);
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
            "next" => {
                self.next = told["game"].as_str().map(str::to_owned);
                Ok(())
            }
            "presence" | "error" | "waiting" | "bye" => Ok(()),
            other => bail!("an unknown message: {other}"),
        }
    }

    fn absorb(&mut self, told: &Value) -> anyhow::Result<()> {
        let first = told["seq"].as_u64().context("no number")? as usize;
        let records: Vec<Record> = serde_json::from_value(told["records"].clone())?;
        ensure!(first == self.log.len(), "event {first} comes after {} events: {told}", self.log.len());
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
