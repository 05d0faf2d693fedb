//! A scripted browser: a cookie, and requests over HTTP.

use std::net::SocketAddr;

use anyhow::{Context, ensure};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A browser with its cookie.
#[derive(Clone, Debug)]
pub struct Browser {
    /// The server.
    pub server: SocketAddr,
    /// The cookie, as it is sent back to the server.
    pub cookie: Option<String>,
}

/// An HTTP response.
#[derive(Clone, Debug)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub text: String,
}

impl Response {
    /// The body, or null if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

impl Browser {
    /// A browser without a cookie.
    pub fn new(server: SocketAddr) -> Browser {
        Browser { server, cookie: None }
    }

    /// Sends a GET request.
    ///
    /// # Errors
    /// If there is no response.
    pub async fn get(&mut self, path: &str) -> anyhow::Result<Response> {
        self.request("GET", path, &[], "").await
    }

    /// Sends a POST request with JSON.
    ///
    /// # Errors
    /// If there is no response.
    pub async fn post(&mut self, path: &str, body: &Value) -> anyhow::Result<Response> {
        self.request("POST", path, &[("content-type", "application/json")], &body.to_string()).await
    }

    /// Sends any request.
    ///
    /// # Errors
    /// If there is no response.
    pub async fn request(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> anyhow::Result<Response> {
        let mut stream = TcpStream::connect(self.server).await.context("no server listens")?;
        let (host, length) = (self.server.to_string(), body.len().to_string());
        let mut lines = vec![("host", host.as_str()), ("connection", "close"), ("content-length", &length)];
        lines.extend(headers);
        lines.extend(self.cookie.as_deref().map(|cookie| ("cookie", cookie)));
        let lines: String = lines.iter().map(|(name, value)| [name, ": ", value, "\r\n"].concat()).collect();
        stream.write_all(format!("{method} {path} HTTP/1.1\r\n{lines}\r\n{body}").as_bytes()).await?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).await?;
        let answer = read_answer(&bytes)?;
        if let Some(cookie) = answer.header("set-cookie").and_then(|cookie| cookie.split(';').next()) {
            self.cookie = Some(cookie.to_owned());
        }
        Ok(answer)
    }

    /// Creates an invitation and returns the id of the game.
    ///
    /// # Errors
    /// If it is refused.
    pub async fn invite(&mut self, terms: &Value) -> anyhow::Result<String> {
        let answer = self.post("/api/games", terms).await?;
        ensure!(answer.status == 201, "not invited: {} {}", answer.status, answer.text);
        Ok(answer.json()["id"].as_str().context("no id")?.to_owned())
    }

    /// Takes the free seat of a game.
    ///
    /// # Errors
    /// If it is refused.
    pub async fn join(&mut self, game: &str) -> anyhow::Result<()> {
        let answer = self.post(&format!("/api/games/{game}/join"), &serde_json::json!({})).await?;
        ensure!(answer.status == 200, "not joined: {} {}", answer.status, answer.text);
        Ok(())
    }
}

fn read_answer(bytes: &[u8]) -> anyhow::Result<Response> {
    let text = String::from_utf8_lossy(bytes);
    let (head, body) = text.split_once("\r\n\r\n").context("the answer has no end")?;
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).context("no status")?.parse()?;
    let header =
        |line: &str| line.split_once(':').map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()));
    Ok(Response { status, headers: lines.filter_map(header).collect(), text: body.to_owned() })
}
