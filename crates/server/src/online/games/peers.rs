//! Messages from other servers on the same database, and what they mean for the rooms here.

use std::sync::Arc;

use super::Games;
use crate::error::ApiError;
use crate::online::cluster::ClusterMessage;
use crate::online::room::{Room, ServerPresence};
use crate::online::store::ClusterFeed;

impl Games {
    pub(super) fn listen(self: &Arc<Games>, feed: ClusterFeed) {
        let (games, mut messages) = (Arc::downgrade(self), feed.listen());
        tokio::spawn(async move {
            while let Some(message) = messages.recv().await {
                let Some(games) = games.upgrade() else { return };
                games.heard(message).await;
            }
        });
    }

    async fn heard(&self, message: ClusterMessage) {
        let ours = self.context.server;
        match message {
            ClusterMessage::Alive { server }
            | ClusterMessage::Here { server, .. }
            | ClusterMessage::Who { server, .. }
                if server == ours => {}
            ClusterMessage::Alive { server } => self.met(server).await,
            ClusterMessage::Here { game, server, seats, watchers } => {
                self.met(server).await;
                if let Some(room) = self.open_room(game) {
                    room.remote_presence(server, ServerPresence { seats, watchers }).await;
                }
            }
            ClusterMessage::Who { game, .. } => {
                if let Some(room) = self.open_room(game) {
                    room.presence_requested().await;
                }
            }
            ClusterMessage::Written { game, seq } => {
                if let Some(room) = self.open_room(game) {
                    follow(&room, Some(seq)).await;
                }
            }
            ClusterMessage::Changed { game } => {
                if let Some(room) = self.open_room(game)
                    && let Err(error) = room.reload().await
                    && !matches!(error, ApiError::NoGame)
                {
                    tracing::error!(?error, game = ?room.id(), "cannot read a game again");
                }
            }
            ClusterMessage::Missed => {
                for room in self.open_rooms() {
                    follow(&room, None).await;
                    self.context.ask_who(room.id()).await;
                }
            }
        }
    }

    /// Notes that another server runs. If it is new, or had been dropped as silent, asks who is connected there.
    async fn met(&self, server: u64) {
        if self.peers.heard(server, self.context.now()) {
            for room in self.open_rooms() {
                self.context.ask_who(room.id()).await;
            }
        }
    }

    /// Counts clients of silent peers as disconnected.
    pub(super) async fn drop_silent_peers(&self) {
        let silent = self.peers.take_silent(self.context.now());
        if silent.is_empty() {
            return;
        }
        for room in self.open_rooms() {
            for &(server, heard_at) in &silent {
                room.peer_lost(server, heard_at).await;
            }
        }
    }
}

/// Reads what another server wrote.
async fn follow(room: &Room, seq: Option<usize>) {
    match room.heard(seq).await {
        // The subscribers have been dropped already.
        Ok(()) | Err(ApiError::Withdrawn) => {}
        Err(error) => tracing::error!(?error, game = ?room.id(), "cannot follow another server"),
    }
}
