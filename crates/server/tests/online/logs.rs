//! What is logged while games are played, and what is not.

use std::io;
use std::sync::{Arc, Mutex};

use crownhead_game::Command;
use crownhead_server::online::{Limits, Site};
use serde_json::json;
use tracing_subscriber::filter::LevelFilter;

use crate::harness::TestServer;

/// Where the lines go.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panicked").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is noted ends with this.
struct Noting {
    _here: tracing::subscriber::DefaultGuard,
    /// With a single subscriber, tracing asks only the thread that comes to a line of code first whether anybody wants what
    /// it says. That may be the thread of another test, where nobody does.
    _second: tracing::Dispatch,
}

impl Lines {
    /// Has everything noted that happens on this thread from now on, which is all of a test.
    fn note(&self, level: LevelFilter) -> Noting {
        let lines = self.clone();
        let notes = tracing_subscriber::fmt().with_ansi(false).with_max_level(level);
        let second = tracing::Dispatch::new(tracing_subscriber::registry());
        let here = tracing::subscriber::set_default(notes.with_writer(move || lines.clone()).finish());
        Noting { _here: here, _second: second }
    }

    fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("nobody panicked").clone()).expect("text")
    }
}

#[tokio::test]
async fn a_game_is_logged_from_its_invitation_to_its_end() {
    let lines = Lines::default();
    let _noted = lines.note(LevelFilter::INFO);
    let mut server =
        TestServer::fresh(Limits { games_per_browser: 2, ..Limits::default() }, Site::default()).await;
    let (mut black, mut white) = server.plain_pair().await;
    black.play("11-15").await.expect("a move");
    white.wait_for_records(2).await.expect("the move");
    white.command(Command::Resign).await.expect("the end");
    let mut anna = black.browser.clone();
    let withdrawn = anna.invite(&json!({})).await.expect("an invitation");
    let answer =
        anna.request("DELETE", &format!("/api/games/{withdrawn}"), &[], "").await.expect("an answer");
    assert_eq!(answer.status, 204);
    for status in [201, 201, 429] {
        assert_eq!(anna.post("/api/games", &json!({})).await.expect("an answer").status, status);
    }
    server.stop().await;

    let (text, game, other) = (lines.text(), &black.game_id[..8], &withdrawn[..8]);
    let mut rest = text.as_str();
    for expected in [
        format!("INFO crownhead_server::server: listening address={}", server.address),
        format!("INFO crownhead_server::online::games: invitation made game={game}…"),
        format!("INFO crownhead_server::online::room::command: game begun game={game}…"),
        format!("game over game={game}… outcome=\"Black wins: Red resigned.\" events=3"),
        format!("invitation made game={other}…"),
        format!("invitation withdrawn game={other}…"),
        "WARN crownhead_server::error: error=TooManyGames".to_owned(),
        "INFO crownhead_server::server: stopping".to_owned(),
    ] {
        let (_, after) = rest.split_once(&expected).unwrap_or_else(|| panic!("no {expected:?} in {text}"));
        rest = after;
    }
    assert!(!text.contains(&black.game_id) && !text.contains(&withdrawn), "who reads it could join: {text}");
}

#[tokio::test]
async fn what_is_logged_of_a_connection_tells_which_it_was() {
    let lines = Lines::default();
    let _noted = lines.note(LevelFilter::DEBUG);
    let mut server = TestServer::fresh(Limits::default(), Site::default()).await;
    let (black, _white) = server.plain_pair().await;
    server.stop().await;
    let (text, span) = (lines.text(), format!("connection{{game={}…}}", &black.game_id[..8]));
    for expected in ["connected key=", "closed code=1012"] {
        let is_there = |line: &str| line.contains(&span) && line.contains(expected);
        assert!(text.lines().any(is_there), "no {expected:?} of {span} in {text}");
    }
}
