//! Conversion of games to and from PDN (Portable Draughts Notation).

use crownhead_pdn::{Game as Recorded, TagName};
use crownhead_rules::{Rulebook, RulebookId, Side};

use crate::clock::ClockRule;
use crate::event::{Event, Record, Started};
use crate::game::Game;
use crate::player::{Place, Player};
use crate::time::Time;

const TIME_CONTROL: TagName = TagName::literal("TimeControl");
const SECOND_MS: u64 = 1_000;
/// Precedes the title of the rule book in the tag `Event`.
const EVENT: &str = "Crownhead, ";

/// The rule book of a game in a file: the one that [`Game::to_pdn`] noted, otherwise the default.
pub fn rulebook_of(recorded: &Recorded) -> RulebookId {
    let title = recorded.tags.get("Event").and_then(|event| event.strip_prefix(EVENT));
    let noted = RulebookId::ALL.into_iter().find(|id| Some(id.title()) == title);
    noted.unwrap_or(RulebookId::American)
}

/// The log of a game that was played elsewhere. It leaves nothing to chance, and the game continues to its last
/// recorded move even if a rule would have ended it earlier here.
pub fn recorded_log(
    rulebook: RulebookId,
    [black, white]: [Player; 2],
    position: String,
    moves: impl IntoIterator<Item = String>,
    at: Time,
) -> Vec<Record> {
    let started = Started {
        rulebook: Rulebook::of(rulebook),
        black,
        white,
        bottom: Side::Black,
        clock: None,
        position,
        opening: None,
        place: Place::Screen,
        seed: 0,
    };
    let moves = moves.into_iter().map(|text| Event::Moved { text, lag_ms: 0 });
    let events = core::iter::once(Event::Started(Box::new(started))).chain(moves);
    events.map(|event| Record::new(at, event)).collect()
}

impl Game {
    /// A game from a file, with all its moves that could be read.
    pub fn from_pdn(recorded: &Recorded) -> Game {
        let player = |tag: &str| Player::human(recorded.tags.get(tag).unwrap_or_default());
        let history = recorded.history();
        let log = recorded_log(
            rulebook_of(recorded),
            [player("Black"), player("White")],
            recorded.start().to_string(),
            history.moves().iter().map(ToString::to_string),
            Time(0),
        );
        Game::replay(&log).expect("the moves of a history can be made")
    }

    /// The game as PDN, to be written with `to_string`. The date is the players' local date, as `2026.02.28`.
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

    /// The player's name, with the level if the player is the computer.
    fn recorded_name(&self, side: Side) -> String {
        let player = self.started.player(side);
        match (player.name(), player.level()) {
            ("", Some(level)) => format!("Computer, level {}", level.number()),
            ("", None) => self.rulebook().colour(side).to_string(),
            (name, _) => name.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Moment;
    use crate::{Start, Who};

    fn read(text: &str) -> Game {
        Game::from_pdn(&crownhead_pdn::read_str(text).next().expect("a game").game)
    }

    #[test]
    fn a_game_of_a_file_has_its_players_and_its_moves() {
        let game = read("[Black \"Ann\"] [White \"Bob\"] [FEN \"W:W18:BK9\"] 1. 18-15 9-14 *");
        let view = game.view(Who::Watcher, Moment::at(Time(0)));
        assert_eq!((view.players.black.name.as_str(), view.players.white.name.as_str()), ("Ann", "Bob"));
        assert_eq!((view.start.as_str(), view.list.len()), ("W:W18:BK9", 2));
    }

    #[test]
    fn a_game_of_a_file_goes_on_where_a_draw_would_have_ended_it() {
        let round = "1-6 32-27 6-1 27-32 ".repeat(4);
        let game = read(&format!("[FEN \"B:WK32:BK1\"] {round} 1/2-1/2"));
        assert_eq!((game.history().moves().len(), game.outcome()), (16, None));
    }

    #[test]
    fn our_own_files_are_read_by_their_rules() {
        let start =
            Start { rulebook: RulebookId::Numbered, ..Start::new([Player::human(""), Player::human("")], 1) };
        let (game, _) = Game::start(start, Time(0)).expect("a game");
        assert_eq!(read(&game.to_pdn(None).to_string()).rulebook().id, RulebookId::Numbered);
    }
}
