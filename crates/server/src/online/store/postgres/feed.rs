//! What servers on one PostgreSQL tell each other, by its notifications.

use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::PgListener;
use tokio::sync::mpsc;

use crate::online::store::StoreError;
use crate::online::word::Word;

const CHANNEL: &str = "crownhead";
/// After a connection is lost, the next try comes this much later.
const PAUSE: Duration = Duration::from_secs(1);
const QUEUE: usize = 256;

/// Where messages of other servers come from.
pub struct ClusterFeed {
    address: Option<String>,
}

impl ClusterFeed {
    pub(super) fn of(address: &str) -> ClusterFeed {
        ClusterFeed { address: Some(address.to_owned()) }
    }

    /// Where there is only one server.
    pub(in crate::online::store) fn silent() -> ClusterFeed {
        ClusterFeed { address: None }
    }

    /// Starts to listen.
    pub fn listen(self) -> mpsc::Receiver<Word> {
        let (sender, words) = mpsc::channel(QUEUE);
        if let Some(address) = self.address {
            tokio::spawn(async move {
                while !sender.is_closed() {
                    if let Err(error) = listen(&address, &sender).await {
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

/// Tells the others something at once.
pub(super) async fn notify(database: &PgPool, word: &Word) -> Result<(), StoreError> {
    sqlx::query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(word.to_json()).execute(database).await?;
    Ok(())
}
