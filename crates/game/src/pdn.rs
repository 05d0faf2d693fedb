//! A game as game files have it.

use crownhead_pdn::{Game as Recorded, TagName};
use crownhead_rules::{RulebookId, Side};

use crate::clock::ClockRule;
use crate::game::Game;

const TIME_CONTROL: TagName = TagName::literal("TimeControl");
const SECOND_MS: u64 = 1_000;
/// Stands before the title of the rule book in the tag `Event`.
const EVENT: &str = "Crownhead, ";

/// The rule book that a game of a file was played by: the one that [`Game::to_pdn`] noted, or else the usual one.
pub fn rulebook_of(recorded: &Recorded) -> RulebookId {
    let title = recorded.tags.get("Event").and_then(|event| event.strip_prefix(EVENT));
    let noted = RulebookId::ALL.into_iter().find(|id| Some(id.title()) == title);
    noted.unwrap_or(RulebookId::American)
}

impl Game {
    /// The game as PDN has it, to be written with `to_string`. The date is `2026.02.28`, where the players are.
    pub fn to_pdn(&self, date: Option<&str>) -> Recorded {
        let mut recorded = Recorded::of(&self.history, self.outcome);
        let tags = &mut recorded.tags;
        tags.set(TagName::EVENT, &format!("{EVENT}{}", self.rulebook().id.title()));
        tags.set(TagName::BLACK, &self.recorded_name(Side::Black));
        tags.set(TagName::WHITE, &self.recorded_name(Side::White));
        if let Some(date) = date {
            tags.set(TagName::DATE, date);
        }
        if let Some(ClockRule::Game { initial_ms, increment_ms }) = self.started.clock {
            tags.set(TIME_CONTROL, &format!("{}+{}", initial_ms / SECOND_MS, increment_ms / SECOND_MS));
        }
        recorded
    }

    /// The name, with the level where it is the computer.
    fn recorded_name(&self, side: Side) -> String {
        let player = self.started.player(side);
        match (player.name(), player.level()) {
            ("", Some(level)) => format!("Computer, level {}", level.number()),
            ("", None) => self.rulebook().colour(side).to_string(),
            (name, _) => name.to_owned(),
        }
    }
}
