//! The summary of a game for lists, stored beside its events.

use crownhead_game::{Game, Start};
use crownhead_rules::{Outcome, Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::online::requests::SideName;

/// How a game stands, kept beside its events so that lists need not read them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Summary {
    /// `waiting` for a guest, `playing`, or `over`.
    pub phase: Phase,
    /// The id of the rule book, such as `win-only`.
    pub rulebook: String,
    /// The names of Black and White, as far as they were given. Before the game starts the inviter's comes first.
    pub names: [String; 2],
    /// The side of the inviter, once it is known.
    pub inviter: Option<SideName>,
    /// Whose turn it is.
    pub turn: Option<SideName>,
    /// The result, in a sentence.
    pub outcome: Option<String>,
    /// The winner, if there is one. Missing in games that older versions stored.
    #[serde(default)]
    pub winner: Option<SideName>,
    /// The number of moves that the players have made.
    pub plies: usize,
}

/// The phase of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Waiting for a guest to join.
    Waiting,
    /// In progress.
    Playing,
    /// Over, with a result.
    Over,
    /// The invitation was withdrawn. Stored, but never read again, because lists leave it out.
    #[serde(skip_deserializing)]
    Withdrawn,
}

impl Summary {
    /// An open invitation.
    pub fn waiting(start: &Start) -> Summary {
        let names = start.players.each_ref().map(|player| player.name().to_owned());
        let rulebook = start.rulebook.to_string();
        Summary {
            phase: Phase::Waiting,
            rulebook,
            names,
            inviter: None,
            turn: None,
            outcome: None,
            winner: None,
            plies: 0,
        }
    }

    /// Fills in the names of the inviter and the guest, as far as they are stored beside the log.
    pub(crate) fn put_names(&mut self, [inviter, guest]: [String; 2]) {
        let names = if self.inviter == Some(SideName::White) { [guest, inviter] } else { [inviter, guest] };
        for (place, name) in self.names.iter_mut().zip(names).filter(|(_, name)| !name.is_empty()) {
            *place = name;
        }
    }

    /// A withdrawn invitation.
    pub fn withdrawn(start: &Start) -> Summary {
        Summary { phase: Phase::Withdrawn, ..Summary::waiting(start) }
    }

    /// A game that has started.
    pub fn of(game: &Game) -> Summary {
        let started = game.started();
        let outcome = game.outcome();
        Summary {
            phase: if outcome.is_some() { Phase::Over } else { Phase::Playing },
            rulebook: game.rulebook().id.to_string(),
            names: Side::BOTH.map(|side| started.player(side).name().to_owned()),
            inviter: Some(started.bottom.into()),
            turn: outcome.is_none().then(|| game.side_to_move().into()),
            outcome: outcome.map(|outcome| outcome.sentence(game.rulebook())),
            winner: outcome.and_then(Outcome::winner).map(SideName::from),
            plies: game.history().moves().len() - game.given(),
        }
    }
}
