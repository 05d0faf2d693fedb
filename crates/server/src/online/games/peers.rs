//! What is heard of other servers on the same database, and what it means for the games here.

use std::sync::Arc;

use super::Games;
use crate::error::ApiError;
use crate::online::room::{Attendance, Room};
use crate::online::store::ClusterFeed;
use crate::online::word::Word;

impl Games {
    pub(super) fn listen(self: &Arc<Games>, feed: ClusterFeed) {
        let (games, mut words) = (Arc::downgrade(self), feed.listen());
        tokio::spawn(async move {
            while let Some(word) = words.recv().await {
                let Some(games) = games.upgrade() else { return };
                games.heard(word).await;
            }
        });
    }

    async fn heard(&self, word: Word) {
        let ours = self.context.server;
        match word {
            Word::Alive { server } | Word::Here { server, .. } | Word::Who { server, .. }
                if server == ours => {}
            Word::Alive { server } => self.met(server).await,
            Word::Here { game, server, seats, watchers } => {
                self.met(server).await;
                if let Some(room) = self.open_room(game) {
                    room.heard_of(server, Attendance { seats, watchers }).await;
                }
            }
            Word::Who { game, .. } => {
                if let Some(room) = self.open_room(game) {
                    room.asked_for().await;
                }
            }
            Word::Written { game, seq } => {
                if let Some(room) = self.open_room(game) {
                    follow(&room, Some(seq)).await;
                }
            }
            Word::Changed { game } => {
                if let Some(room) = self.open_room(game)
                    && let Err(error) = room.reload().await
                    && !matches!(error, ApiError::NoGame)
                {
                    tracing::error!(?error, game = ?room.id(), "cannot read a game again");
                }
            }
            Word::Missed => {
                for room in self.open_rooms() {
                    follow(&room, None).await;
                    self.context.ask_who(room.id()).await;
                }
            }
        }
    }

    /// Another server runs. If it was not known, or only paused and was given up for lost, so were those who are there.
    async fn met(&self, server: u64) {
        if self.neighbours.heard(server, self.context.now()) {
            for room in self.open_rooms() {
                self.context.ask_who(room.id()).await;
            }
        }
    }

    /// Gives those up for lost who were connected to servers that have not been heard of for too long.
    pub(super) async fn drop_silent_peers(&self) {
        let silent = self.neighbours.take_silent(self.context.now());
        if silent.is_empty() {
            return;
        }
        for room in self.open_rooms() {
            for &(server, heard_at) in &silent {
                room.lost(server, heard_at).await;
            }
        }
    }
}

/// Reads what another server wrote.
async fn follow(room: &Room, seq: Option<usize>) {
    match room.heard(seq).await {
        // Those who waited for the game are let go by now.
        Ok(()) | Err(ApiError::Withdrawn) => {}
        Err(error) => tracing::error!(?error, game = ?room.id(), "cannot follow another server"),
    }
}
