//! Word between servers, by the notifications of PostgreSQL.

use std::time::Duration;

use sqlx::postgres::PgListener;
use sqlx::{AnyConnection, AnyPool};
use tokio::sync::mpsc;

use super::Kind;
use crate::online::store::{Change, StoreError};
use crate::online::word::Word;

const CHANNEL: &str = "crownhead";
/// After a connection is lost, the next try comes so much later.
const PAUSE: Duration = Duration::from_secs(1);
const QUEUE: usize = 256;

/// Where word comes from.
pub struct News {
    kind: Kind,
    address: String,
}

impl News {
    pub(super) fn new(kind: Kind, address: &str) -> News {
        News { kind, address: address.to_owned() }
    }

    /// Starts to listen. With SQLite there is never any word.
    pub fn listen(self) -> mpsc::Receiver<Word> {
        let (sender, words) = mpsc::channel(QUEUE);
        if self.kind == Kind::Postgres {
            tokio::spawn(async move {
                while !sender.is_closed() {
                    if let Err(error) = listen(&self.address, &sender).await {
                        tracing::warn!(%error, "cannot listen to the other servers");
                    }
                    tokio::time::sleep(PAUSE).await;
                }
            });
        }
        words
    }
}

async fn listen(address: &str, words: &mpsc::Sender<Word>) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect(address).await?;
    listener.listen(CHANNEL).await?;
    let mut word = Word::Missed;
    while words.send(word).await.is_ok() {
        // Nothing, if the connection was lost in between.
        let notification = listener.try_recv().await?;
        word =
            notification.and_then(|told| serde_json::from_str(told.payload()).ok()).unwrap_or(Word::Missed);
    }
    Ok(())
}

/// Tells the others about a change, once it is written.
pub(super) async fn announce(connection: &mut AnyConnection, change: &Change) -> Result<(), StoreError> {
    let seq = change.seq + change.events.len();
    notify(connection, &Word::Written { game: change.game, seq }).await
}

/// Tells the others something at once.
pub(super) async fn tell(database: &AnyPool, word: &Word) -> Result<(), StoreError> {
    notify(&mut *database.acquire().await?, word).await
}

async fn notify(connection: &mut AnyConnection, word: &Word) -> Result<(), StoreError> {
    let text = serde_json::to_string(word).expect("its maps have text keys");
    sqlx::query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(text).execute(connection).await?;
    Ok(())
}
