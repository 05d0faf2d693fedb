//! Messages between servers on one PostgreSQL database, by LISTEN and NOTIFY.

use std::time::Duration;

use sqlx::PgPool;
use sqlx::postgres::PgListener;
use tokio::sync::mpsc;

use crate::online::cluster::ClusterMessage;
use crate::online::store::StoreError;

const CHANNEL: &str = "crownhead";
/// The pause before reconnecting after a lost connection.
const PAUSE: Duration = Duration::from_secs(1);
const QUEUE: usize = 256;

/// The source of messages from other servers.
pub struct ClusterFeed {
    address: Option<String>,
}

impl ClusterFeed {
    pub(super) fn of(address: &str) -> ClusterFeed {
        ClusterFeed { address: Some(address.to_owned()) }
    }

    /// A feed without messages, for a database with only one server.
    pub(in crate::online::store) fn silent() -> ClusterFeed {
        ClusterFeed { address: None }
    }

    /// Starts to listen.
    pub fn listen(self) -> mpsc::Receiver<ClusterMessage> {
        let (sender, messages) = mpsc::channel(QUEUE);
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
        messages
    }
}

async fn listen(address: &str, messages: &mpsc::Sender<ClusterMessage>) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect(address).await?;
    listener.listen(CHANNEL).await?;
    let mut message = ClusterMessage::Missed;
    while messages.send(message).await.is_ok() {
        // `None` if the connection was lost in between.
        let notification = listener.try_recv().await?;
        message = notification
            .and_then(|told| serde_json::from_str(told.payload()).ok())
            .unwrap_or(ClusterMessage::Missed);
    }
    Ok(())
}

/// Sends a message to all servers at once.
pub(super) async fn notify(database: &PgPool, message: &ClusterMessage) -> Result<(), StoreError> {
    sqlx::query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(message.to_json()).execute(database).await?;
    Ok(())
}
